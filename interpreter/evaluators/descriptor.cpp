// Tensor descriptors: blocks of a strided tensor, moved whole. Reads outside of the tensor give its padding; writes and
// reductions outside are dropped. A descriptor that the GPU's tensor memory unit refuses is a finding (LS112) where it
// is used, a block that starts at a column the unit cannot address is LS111; both still work. Before sm_90 there is no
// such unit: Triton uses plain loads and stores, and Lockstep checks nothing. Rules S-61 to S-63. Source: Triton 3.6
// TritonOps.td; PTX ISA, cp.async.bulk.tensor and cp.reduce.async.bulk.tensor; CUDA driver API, cuTensorMapEncodeTiled.
#include "interpreter/evaluators/descriptor.h"

#include <cstring>

#include "interpreter/access/atomic.h"
#include "interpreter/access/block.h"
#include "interpreter/access/load_store.h"
#include "interpreter/batching/effects.h"
#include "interpreter/evaluators/buffer_steps.h"
#include "interpreter/launch/name_op.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

namespace {

constexpr std::uint32_t kAllDimensions = ~0u;
constexpr std::int64_t kDescriptorPadNan = 2;
constexpr std::int64_t kUnit = 16;  // bytes: what addresses and strides are multiples of
constexpr std::int64_t kMaxStrideBytes = std::int64_t{1} << 40;
constexpr std::size_t kMaxDescriptorRank = 5;

enum Fault : std::uint32_t {
  misaligned_base = 1,
  misaligned_stride = 2,
  last_stride = 4,
  stride_range = 8,
  extent_range = 16,
  nan_of_bytes = 32,
};

/// The unit's objections to dimension `d`.
std::uint32_t dimension_faults(const BlockRecord& record, std::size_t d, int element_bytes) {
  std::uint32_t faults = 0;
  if (record.shape[d] < 1) faults |= extent_range;
  const std::int64_t stride = record.stride[d];
  if (d + 1 == static_cast<std::size_t>(record.rank)) {
    if (stride != 1) faults |= last_stride;
  } else if (stride < 0 || stride >= kMaxStrideBytes / element_bytes) {
    faults |= stride_range;
  } else if (stride * element_bytes % kUnit != 0) {
    faults |= misaligned_stride;
  }
  return faults;
}

std::string fault_text(std::uint32_t fault, const BlockRecord& record, std::size_t d, int element_bytes) {
  const std::string stride = std::to_string(record.stride[d]), of = " of dimension " + std::to_string(d);
  switch (fault) {
    case misaligned_stride:
      return "the stride" + of + ", " + stride + " elements of " + std::to_string(element_bytes) +
             " bytes, is not a multiple of 16 bytes";
    case last_stride: return "its last stride is " + stride + ", not 1";
    case stride_range: return "the stride" + of + ", " + stride + " elements, is negative, or 2^40 bytes or more";
    default: return "the extent" + of + " is " + std::to_string(record.shape[d]);
  }
}

void report_fault(Machine& machine, const Step* step, const BlockRecord& record, const std::string& text) {
  const Site& site = machine.plan->sites[step->site];
  Finding finding;
  finding.code = FindingCode::LS112;
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = machine.program->id;
  std::string of;
  if (record.provenance >= 0) {
    finding.argument = machine.launch.memory->view(memory_model::ViewId{record.provenance}).name;
    of = " of '" + finding.argument + "'";
  }
  finding.message = "the GPU cannot use this tensor descriptor" + of + ": " + text;
  machine.report(std::move(finding), step);
}

void report_faults(Machine& machine, const Step* step, const BlockRecord& record, int element_bytes) {
  if ((record.faults & misaligned_base) != 0)
    report_fault(machine, step, record, "its base address is not a multiple of 16 bytes");
  if ((record.faults & nan_of_bytes) != 0)
    report_fault(machine, step, record, "its elements have 8 bits, which the GPU cannot pad with NaN");
  for (std::size_t d = 0; d < static_cast<std::size_t>(record.rank); ++d) {
    const std::uint32_t faults = dimension_faults(record, d, element_bytes);
    for (std::uint32_t fault = misaligned_stride; fault <= extent_range; fault *= 2) {
      if ((faults & fault) != 0) report_fault(machine, step, record, fault_text(fault, record, d, element_bytes));
    }
  }
}

void report_start(Machine& machine, const Step* step, const std::string& text) {
  const Site& site = machine.plan->sites[step->site];
  Finding finding;
  finding.code = FindingCode::LS111;
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = machine.program->id;
  finding.message = text + ": the GPU faults";
  machine.report(std::move(finding), step);
}

/// A block whose first column is not a multiple of 16 bytes from the start of its row.
void check_column(Machine& machine, const Step* step, std::int64_t column, int element_bytes) {
  if (!machine.launch.has_tensor_unit || column % (kUnit / element_bytes) == 0) return;
  report_start(machine, step,
               "a block starts at column " + std::to_string(column) + ", which is not a multiple of " +
                   std::to_string(kUnit / element_bytes) + " elements (16 bytes)");
}

/// A written block may not start before the tensor; a read one may.
void check_written_start(Machine& machine, const Step* step, const BlockRecord& record) {
  for (std::size_t d = 0; machine.launch.has_tensor_unit && d < static_cast<std::size_t>(record.rank); ++d) {
    if (record.offset[d] >= 0) continue;
    return report_start(machine, step,
                        "a block is written at index " + std::to_string(record.offset[d]) + " of dimension " +
                            std::to_string(d) + ", before the tensor");
  }
}

/// The unit writes whole units of 16 bytes: after the last column of a row that does not end with one, it may write
/// bytes outside of the block. Checked for the first written row; columns that belong to no view are ignored.
void check_tail(Machine& machine, const Step* step, const BlockRecord& record, const BlockShape& shape) {
  const auto last = static_cast<std::size_t>(record.rank) - 1;
  const int bytes = shape.access.bytes;
  const std::int64_t extent = record.shape[last], rest = extent % (kUnit / bytes);
  const bool reaches = record.offset[last] < extent && record.offset[last] + shape.block[last] > extent;
  if (!machine.launch.has_tensor_unit || rest == 0 || !reaches || record.provenance < 0) return;
  std::uint64_t row = record.base;
  for (std::size_t d = 0; d < last; ++d) {
    if (record.offset[d] >= record.shape[d]) return;
    row += static_cast<std::uint64_t>(record.offset[d] * record.stride[d] * bytes);
  }
  const memory_model::View& view = machine.launch.memory->view(memory_model::ViewId{record.provenance});
  const std::uint64_t behind = row + static_cast<std::uint64_t>(extent * bytes);
  if (!view.completed().contains(behind, static_cast<std::uint32_t>(bytes))) return;
  const Site& site = machine.plan->sites[step->site];
  Finding finding;
  finding.code = FindingCode::LS107;
  finding.tier = Tier::warning;
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = machine.program->id;
  finding.argument = view.name;
  finding.message = "the GPU may write columns " + std::to_string(extent) + ".." +
                    std::to_string(extent - rest + kUnit / bytes - 1) + " of '" + view.name +
                    "', too: the descriptor's last extent, " + std::to_string(extent) + " elements of " +
                    std::to_string(bytes) + " bytes, is not a multiple of 16 bytes";
  finding.hint = "use an extent that is a multiple of 16 bytes, or a masked tl.store";
  machine.report(std::move(finding), step);
}

struct Making {
  BlockSlots slots;
  int bytes = 4;
  bool pads_nan = false;
};

const Step* step_make_descriptor(Machine& machine, const Step* step) {
  const auto& making = *static_cast<const Making*>(step->record);
  BlockRecord record = record_of(machine, making.slots);
  record.pads_nan = making.pads_nan;
  if (machine.launch.has_tensor_unit) record.faults = descriptor_faults(record, making.bytes);
  machine.set(step->result, write_record(machine, *step->type, record));
  return step + 1;
}

// ---- blocks ----

struct DescriptorAccess {
  BlockShape shape;
  std::vector<Slot> index;
  Atomic reduction;
};

BlockRecord record_at(Machine& machine, const Step* step, const DescriptorAccess& block) {
  const Slot slot = step->operand[0];
  BlockRecord record = read_record(machine, machine.slots[slot], machine.type_of(slot));
  if (record.faults != 0) [[unlikely]]
    report_faults(machine, step, record, block.shape.access.bytes);
  for (std::size_t d = 0; d < block.index.size(); ++d) record.offset[d] = signed_value(machine, block.index[d]);
  check_column(machine, step, record.offset[block.index.size() - 1], block.shape.access.bytes);
  if (block.shape.access.is_write) check_written_start(machine, step, record);
  return record;
}

const Step* step_descriptor_load(Machine& machine, const Step* step) {
  const auto& block = *static_cast<const DescriptorAccess*>(step->record);
  const BlockRecord record = record_at(machine, step, block);
  return load_block(machine, step, block.shape, record, kAllDimensions, record.pads_nan);
}

const Step* step_descriptor_store(Machine& machine, const Step* step) {
  const auto& block = *static_cast<const DescriptorAccess*>(step->record);
  const BlockRecord record = record_at(machine, step, block);
  check_tail(machine, step, record, block.shape);
  return store_block(machine, step, block.shape, record, kAllDimensions);
}

const Step* step_reduce(Machine& machine, const Step* step) {
  const auto& block = *static_cast<const DescriptorAccess*>(step->record);
  const BlockLanes at = block_lanes(block.shape, record_at(machine, step, block), kAllDimensions);
  const Temporary value(machine, to_block(machine, block.shape, machine.slots[step->operand[1]]));
  Tile old = update_memory(machine, step, block.reduction, {&at.pointer, &at.mask, &*value, nullptr});
  machine.pool.release(old);
  return machine.finish(step);
}

// ---- rows ----

/// Rows of a tensor of rank 2, each given by its number: the lanes, and the place.
struct RowAccess {
  Access access;
  const TileType* rows = nullptr;  // of the offsets
  Slot column = kNoSlot;
};

Tile derived(Tile tile, std::int32_t provenance) {
  tile.provenance = provenance;
  return tile;
}

struct RowLanes {
  RowLanes(Machine& machine, const Step* step, const RowAccess& row);
  BlockRecord record;
  Temporary pointer, mask;

 private:
  void place_row(const RowAccess& row, std::int64_t i, std::int64_t number, std::int64_t first);
};

RowLanes::RowLanes(Machine& machine, const Step* step, const RowAccess& row)
    : record(read_record(machine, machine.slots[step->operand[0]], machine.type_of(step->operand[0]))),
      pointer(machine, derived(machine.allocate(*row.access.pointer), record.provenance)),
      mask(machine, machine.allocate(*row.access.mask_type)) {
  if (record.faults != 0) [[unlikely]]
    report_faults(machine, step, record, row.access.bytes);
  const Temporary offsets(machine, make_contiguous(machine, machine.slots[step->operand[1]], *row.rows));
  const std::int64_t first = signed_value(machine, row.column);
  check_column(machine, step, first, row.access.bytes);
  for (std::int64_t i = 0; i < row.rows->count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, offsets->data() + i * row.rows->element_bytes,
                static_cast<std::size_t>(row.rows->element_bytes));
    place_row(row, i, sign_extend(row.rows->kind, bits), first);
  }
}

void RowLanes::place_row(const RowAccess& row, std::int64_t i, std::int64_t number, std::int64_t first) {
  const auto bytes = static_cast<std::uint64_t>(row.access.bytes);
  const std::uint64_t start =
      record.base + static_cast<std::uint64_t>(number) * static_cast<std::uint64_t>(record.stride[0]) * bytes;
  const bool is_row = number >= 0 && number < record.shape[0];
  const std::int64_t columns = row.access.value->shape[1];
  auto* addresses = reinterpret_cast<std::uint64_t*>(pointer->data()) + i * columns;
  for (std::int64_t j = 0; j < columns; ++j) {
    const std::int64_t column = first + j;
    addresses[j] = start + static_cast<std::uint64_t>(column) * static_cast<std::uint64_t>(record.stride[1]) * bytes;
    mask->data()[i * columns + j] = is_row && column >= 0 && column < record.shape[1] ? 1 : 0;
  }
}

const Step* step_descriptor_gather(Machine& machine, const Step* step) {
  const auto& row = *static_cast<const RowAccess*>(step->record);
  const RowLanes at(machine, step, row);
  const Tile padding = uniform_tile(padding_bits(row.access.value->kind, at.record.pads_nan));
  const Tile value = load_tile(machine, step, row.access, {&*at.pointer, &*at.mask, &padding});
  observe_tile(machine, step, row.access, *at.pointer, value);
  machine.set(step->result, value);
  return machine.finish(step);
}

const Step* step_scatter(Machine& machine, const Step* step) {
  const auto& row = *static_cast<const RowAccess*>(step->record);
  const RowLanes at(machine, step, row);
  store_tile(machine, step, row.access, {&*at.pointer, &*at.mask, nullptr}, machine.slots[step->operand[3]]);
  if (machine.launch.is_ordered) machine.note_change();
  return machine.finish(step);
}

// ---- plans ----

constexpr std::string_view kGuard = "the descriptor's shape is larger than the tensor";

/// The tensor memory unit's rules for the type of the blocks.
bool check_block(PlanBuilder& builder, const ir::Op& op, ir::Type block) {
  const auto kind = block.element().scalar_kind();
  if (!kind || block.shape().empty() || block.shape().size() > kMaxDescriptorRank)
    return builder.error(
        op, "a tensor descriptor has 1 to 5 dimensions and elements of a number type, not " + block.to_string());
  if (block.shape().back() * size_bytes(*kind) >= kUnit) return true;
  return builder.error(op, "the last dimension of a descriptor's block must have at least 16 bytes, not " +
                               std::to_string(block.shape().back() * size_bytes(*kind)) + " (" + block.to_string() +
                               ")");
}

bool plan_block(PlanBuilder& builder, const ir::Op& op, std::size_t indices, const TileType& tile, DescriptorAccess& out) {
  const ir::Type block = op.operand(0)->type().pointee();
  if (!check_block(builder, op, block) || !plan_block_shape(builder, op, block, tile, out.shape)) return false;
  out.shape.access.guard = kGuard;
  return dimension_slots(builder, op, indices, block.shape().size(), out.index);
}

bool is_planned(const Step& step) {
  for (std::size_t i = 0; i < step.operand_count; ++i) {
    if (step.operand[i] == kNoSlot) return false;
  }
  return true;
}

/// How a reduction of a descriptor updates elements; none: there is no such update.
Update update_of(std::int64_t kind, ScalarKind element, bool is_unsigned) {
  enum : std::int64_t { add = 1, min, max, inc, dec, and_, or_, xor_ };
  const bool is_small_float = element == ScalarKind::f16 || element == ScalarKind::bf16;
  switch (kind) {
    case add: return is_float(element) ? Update::float_add : Update::add;
    case min: return is_small_float ? Update::float_min : is_unsigned ? Update::umin : Update::min;
    case max: return is_small_float ? Update::float_max : is_unsigned ? Update::umax : Update::max;
    case inc: return Update::inc;
    case dec: return Update::dec;
    case and_: return Update::and_;
    case or_: return Update::or_;
    case xor_: return Update::xor_;
    default: return Update::none;
  }
}

bool plan_rows(PlanBuilder& builder, const ir::Op& op, const Step& step, const TileType& tile, RowAccess& out) {
  constexpr std::int64_t kMinRows = 8;
  constexpr std::int64_t kMinBytes = 32;
  const ir::Type block = op.operand(0)->type().pointee();
  if (!check_block(builder, op, block)) return false;
  out.rows = builder.type(step.operand[1]);
  out.column = step.operand[2];
  const bool fits = block.shape().size() == 2 && block.shape()[0] == 1 && tile.rank() == 2 &&
                    tile.shape[1] == block.shape()[1] && tile.shape[0] == out.rows->count;
  if (!fits) return builder.error(op, "takes blocks of one row, and a tile with one row for every offset");
  if (out.rows->count < kMinRows)
    return builder.error(op, "needs at least 8 rows, not " + std::to_string(out.rows->count));
  if (tile.shape[1] * tile.element_bytes < kMinBytes)
    return builder.error(op,
                         "needs rows of at least 32 bytes, not " + std::to_string(tile.shape[1] * tile.element_bytes));
  out.access.pointer = builder.tile_type(ScalarKind::pointer, tile.shape);
  out.access.mask_type = builder.tile_type(ScalarKind::i1, tile.shape);
  out.access.set_value(tile);
  out.access.guard = kGuard;
  return true;
}

}  // namespace

std::uint32_t descriptor_faults(const BlockRecord& record, int element_bytes) {
  std::uint32_t faults = 0;
  if (record.base % kUnit != 0) faults |= misaligned_base;
  if (record.pads_nan && element_bytes == 1) faults |= nan_of_bytes;
  for (std::size_t d = 0; d < static_cast<std::size_t>(record.rank); ++d)
    faults |= dimension_faults(record, d, element_bytes);
  return faults;
}

bool evaluate_make_tensor_descriptor(PlanBuilder& builder, const ir::Op& op) {
  const ir::Type block = op.result(0)->type().pointee();
  if (!check_block(builder, op, block)) return false;
  Making making;
  making.bytes = size_bytes(*block.element().scalar_kind());
  making.pads_nan = op.integer_attribute("padding", 1) == kDescriptorPadNan;
  making.slots.base = builder.operand(op, 0);
  const Slot result = builder.result(op);
  if (making.slots.base == kNoSlot || result == kNoSlot) return false;
  if (!plan_block_slots(builder, op, block.shape().size(), false, making.slots)) return false;
  Step& step = builder.append_bare(step_make_descriptor, op);
  step.result = result;
  step.type = builder.type(result);
  step.record = builder.record(std::move(making));
  return true;
}

bool evaluate_descriptor_load(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_descriptor_load, op);
  if (step == nullptr) return false;
  DescriptorAccess access;
  if (!plan_block(builder, op, 1, *step->type, access)) return false;
  access.shape.access.is_observed = is_in_open_loop(op);
  step->record = builder.record(std::move(access));
  return true;
}

bool evaluate_descriptor_store(PlanBuilder& builder, const ir::Op& op) {
  Step& step = builder.append(step_descriptor_store, op);
  DescriptorAccess access;
  if (!is_planned(step) || !plan_block(builder, op, 2, *builder.type(step.operand[1]), access)) return false;
  access.shape.access.is_write = true;
  step.record = builder.record(std::move(access));
  return true;
}

namespace {
bool plan_reduction(PlanBuilder& builder, const ir::Op& op, DescriptorAccess& access) {
  Atomic& reduction = access.reduction;
  reduction.kind = access.shape.access.value->kind;
  const bool is_unsigned = op.operand(0)->type().signedness() != ir::Signedness::is_signed;  // S-62
  reduction.update = update_of(op.integer_attribute("kind", 0), reduction.kind, is_unsigned);
  reduction.combine = combine_of(reduction.update, reduction.kind);
  if (reduction.combine == nullptr)
    return builder.error(op, "this reduction does not exist for " + op.operand(1)->type().element().to_string());
  access.shape.access.is_write = true;
  reduction.access = access.shape.access;
  return true;
}
}  // namespace

bool evaluate_descriptor_reduce(PlanBuilder& builder, const ir::Op& op) {
  Step& step = builder.append(step_reduce, op);
  DescriptorAccess access;
  if (!is_planned(step) || !plan_block(builder, op, 2, *builder.type(step.operand[1]), access)) return false;
  if (!plan_reduction(builder, op, access)) return false;
  step.record = builder.record(std::move(access));
  return true;
}

namespace {
Step* append_hidden(PlanBuilder& builder, const ir::Op& op, StepFunction run, const TileType& tile,
                    DescriptorAccess& access) {
  const Slot descriptor = builder.operand(op, 0);
  if (descriptor == kNoSlot || !plan_block(builder, op, 1, tile, access)) return nullptr;
  Step& step = builder.append_bare(run, op);
  step.operand[0] = descriptor;
  step.operand_count = 1;
  step.type = &tile;
  return &step;
}

void set_value(Step& step, Slot value) {
  step.operand[1] = value;
  step.operand_count = 2;
  step.dies = 2;
}
}  // namespace

bool plan_descriptor_read(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot result) {
  DescriptorAccess access;
  Step* step = append_hidden(builder, op, step_descriptor_load, tile, access);
  if (step == nullptr) return false;
  step->result = result;
  step->record = builder.record(std::move(access));
  return true;
}

bool plan_descriptor_write(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot value) {
  DescriptorAccess access;
  Step* step = append_hidden(builder, op, step_descriptor_store, tile, access);
  if (step == nullptr) return false;
  set_value(*step, value);
  access.shape.access.is_write = true;
  step->record = builder.record(std::move(access));
  return true;
}

bool plan_descriptor_update(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot value) {
  DescriptorAccess access;
  Step* step = append_hidden(builder, op, step_reduce, tile, access);
  if (step == nullptr || !plan_reduction(builder, op, access)) return false;
  set_value(*step, value);
  step->record = builder.record(std::move(access));
  return true;
}

namespace {
/// A step of the op's descriptor, rows and column (operands 0 to 2).
Step* append_hidden_rows(PlanBuilder& builder, const ir::Op& op, StepFunction run, const TileType& tile, RowAccess& access) {
  std::array<Slot, 3> slots{};
  for (std::size_t i = 0; i < slots.size(); ++i) {
    slots[i] = builder.operand(op, i);
    if (slots[i] == kNoSlot) return nullptr;
  }
  Step& step = builder.append_bare(run, op);
  step.operand = {slots[0], slots[1], slots[2], kNoSlot};
  step.operand_count = 3;
  step.type = &tile;
  return plan_rows(builder, op, step, tile, access) ? &step : nullptr;
}
}  // namespace

bool plan_rows_read(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot result) {
  RowAccess access;
  Step* step = append_hidden_rows(builder, op, step_descriptor_gather, tile, access);
  if (step == nullptr) return false;
  step->result = result;
  step->record = builder.record(access);
  return true;
}

bool plan_rows_write(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot value) {
  RowAccess access;
  Step* step = append_hidden_rows(builder, op, step_scatter, tile, access);
  if (step == nullptr) return false;
  step->operand[3] = value;
  step->operand_count = 4;
  step->dies = 8;
  access.access.is_write = true;
  step->record = builder.record(access);
  return true;
}

bool evaluate_descriptor_gather(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_descriptor_gather, op);
  if (step == nullptr) return false;
  RowAccess access;
  if (!plan_rows(builder, op, *step, *step->type, access)) return false;
  access.access.is_observed = is_in_open_loop(op);
  step->record = builder.record(access);
  return true;
}

bool evaluate_descriptor_scatter(PlanBuilder& builder, const ir::Op& op) {
  Step& step = builder.append(step_scatter, op);
  RowAccess access;
  if (!is_planned(step) || !plan_rows(builder, op, step, *builder.type(step.operand[3]), access)) return false;
  access.access.is_write = true;
  step.record = builder.record(access);
  return true;
}

}  // namespace lockstep::interpreter
