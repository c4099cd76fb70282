#include "interpreter/batching/batch_plan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "interpreter/launch/machine.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/structure.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

namespace {

using ir::Opcode;

const Step* leave_at(Machine& machine, const Step* step) {
  machine.launch.failed_at.store(step->site, std::memory_order_relaxed);
  return machine.bail();
}

/// The scalar that all programs share.
const Step* step_demand(Machine& machine, const Step* step) {
  const Tile& tile = machine.slots[step->operand[0]];
  if (tile.form == Form::uniform) {
    machine.set(step->result, uniform_tile(tile.base, tile.provenance));
    return machine.finish(step);
  }
  if (tile.form != Form::dense) return leave_at(machine, step);  // the other forms do vary
  const TileType& type = machine.type_of(step->operand[0]);
  const auto bytes = static_cast<std::size_t>(type.element_bytes);
  for (std::int64_t i = 1; i < type.count; ++i) {
    const char* element = tile.data() + i * tile.stride[0] * type.element_bytes;
    if (std::memcmp(element, tile.data(), bytes) != 0) return leave_at(machine, step);
  }
  Tile shared = uniform_tile(0, tile.provenance);
  std::memcpy(&shared.base, tile.data(), bytes);
  machine.set(step->result, shared);
  return machine.finish(step);
}

/// Addresses and masks that are dense only because several programs run together.
const Step* step_guard(Machine& machine, const Step* step) {
  return machine.slots[step->operand[0]].form == Form::dense ? leave_at(machine, step) : step + 1;
}

/// Accesses that all programs share count for each of them.
const Step* step_note_counts(Machine& machine, const Step* step) {
  machine.batch.bytes_read = machine.bytes_read;
  machine.batch.bytes_written = machine.bytes_written;
  return step + 1;
}
const Step* step_repeat_counts(Machine& machine, const Step* step) {
  const std::uint64_t others = machine.batch.programs - 1;
  machine.bytes_read += others * (machine.bytes_read - machine.batch.bytes_read);
  machine.bytes_written += others * (machine.bytes_written - machine.batch.bytes_written);
  return step + 1;
}

struct OrderRecord {
  const TileType* pointer = nullptr;
  int bytes = 4;           // of an element
  bool is_shared = false;  // all programs store the same to the same place
};

/// A box around the elements of `mask` (null: all of them); all elements if the mask is not a box.
Box stored_box(const TileType& type, const Tile* mask) {
  Box box;
  if (mask != nullptr && as_box(*mask, type, box)) return box;
  box = {};
  box.is_full = true;
  std::copy(type.shape.begin(), type.shape.end(), box.high.begin());
  return box;
}

/// The bytes that program 0 stores to, and the distance to its neighbours'. False: unknown.
bool stored_bytes(Machine& machine, const Step* step, const OrderRecord& record, BatchStore& out, bool& is_empty) {
  const Tile& pointer = machine.slots[step->operand[0]];
  const Tile* mask = step->operand_count > 1 ? &machine.slots[step->operand[1]] : nullptr;
  AffineView view;
  if (pointer.provenance < 0 || !as_affine(pointer, *record.pointer, view)) return false;
  const Box box = stored_box(*record.pointer, mask);
  is_empty = box.is_empty;
  const auto& memory = *machine.launch.memory;
  out.storage = memory.storage(memory.view(memory_model::ViewId{pointer.provenance}).storage).id.index;
  out.stride = record.is_shared ? 0 : view.stride[0];
  out.low = out.high = static_cast<std::uint64_t>(view.base);
  for (std::size_t d = record.is_shared ? 0 : 1; d < record.pointer->shape.size(); ++d) {
    is_empty = is_empty || box.low[d] >= box.high[d];
    std::int64_t first = 0, last = 0;
    if (__builtin_mul_overflow(view.stride[d], box.low[d], &first) ||
        __builtin_mul_overflow(view.stride[d], box.high[d] - 1, &last))
      return false;
    out.low += static_cast<std::uint64_t>(std::min(first, last));
    out.high += static_cast<std::uint64_t>(std::max(first, last));
  }
  out.high += static_cast<std::uint64_t>(record.bytes);
  return is_empty || out.high > out.low;
}

/// A single store, executed once, is in order: its rows rise with the programs. If several stores go to one storage,
/// each program must stay within its own stretch of it, so that their order between programs does not matter.
const Step* step_order(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const OrderRecord*>(step->record);
  BatchStore store;
  bool is_empty = false;
  if (!stored_bytes(machine, step, record, store, is_empty)) return leave_at(machine, step);
  if (is_empty) return step + 1;
  auto& stores = machine.batch.stores;
  const auto known =
      std::find_if(stores.begin(), stores.end(), [&](const BatchStore& s) { return s.storage == store.storage; });
  if (known == stores.end()) {
    stores.push_back(store);
    return step + 1;
  }
  known->low = std::min(known->low, store.low);
  known->high = std::max(known->high, store.high);
  const std::uint64_t stretch =
      known->stride < 0 ? 0 - static_cast<std::uint64_t>(known->stride) : static_cast<std::uint64_t>(known->stride);
  if (known->stride != store.stride || known->high - known->low > stretch) return leave_at(machine, step);
  return step + 1;
}

/// Adds the batch's own steps to the plan.
class Instrumentation {
 public:
  Instrumentation(const BatchFunction& function, bool orders_stores) : function_(function), orders_stores_(orders_stores) {}

  /// True: the op is planned.
  bool before(PlanBuilder& builder, const ir::Op& op) {
    if (function_.demands.contains(&op)) return builder.append_with_result(step_demand, op) != nullptr;
    const bool is_store = ir::is_pointer_store(op);
    if (!is_store && !ir::is_pointer_load(op)) return false;
    for (const ir::Value* operand : op.operands()) {
      if (function_.structured.contains(operand)) guard(builder, operand, op);
    }
    if (is_store && orders_stores_) order(builder, op);
    if (function_.shared_accesses.contains(&op)) builder.append_bare(step_note_counts, op);
    return false;
  }
  void after(PlanBuilder& builder, const ir::Op& op) {
    if (function_.shared_accesses.contains(&op)) builder.append_bare(step_repeat_counts, op);
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      if (op.regions().empty() && function_.structured.contains(op.result(i))) guard(builder, op.result(i), op);
    }
  }

 private:
  void guard(PlanBuilder& builder, const ir::Value* value, const ir::Op& op) {
    // A value of an op is checked once, right there; one that control flow carries, at each access.
    if (value->defining_op() != nullptr && value->defining_op()->regions().empty() && !guarded_.insert(value).second)
      return;
    const Slot slot = builder.slot_of(value);
    if (slot == kNoSlot) return;
    Step& step = builder.append_bare(step_guard, op);
    step.operand[0] = slot;
    step.operand_count = 1;
  }

  void order(PlanBuilder& builder, const ir::Op& op) {
    const Slot pointer = builder.operand(op, 0), value = builder.operand(op, 1);
    const Slot mask = op.operand_count() > 2 ? builder.operand(op, 2) : kNoSlot;
    if (pointer == kNoSlot || value == kNoSlot || (op.operand_count() > 2 && mask == kNoSlot)) return;
    OrderRecord record;
    record.pointer = builder.type(pointer);
    record.bytes = builder.type(value)->element_bytes;
    record.is_shared = function_.shared_accesses.contains(&op);
    Step& step = builder.append_bare(step_order, op);
    step.operand[0] = pointer;
    step.operand_count = 1;
    if (mask != kNoSlot) step.operand[step.operand_count++] = mask;
    step.record = builder.record(record);
  }

  const BatchFunction& function_;
  bool orders_stores_;
  std::unordered_set<const ir::Value*> guarded_;
};

}  // namespace

bool is_batch_check(StepFunction run) { return run == step_guard || run == step_order; }

std::unique_ptr<const BatchPlan> plan_batch(const ir::Op& function, const BatchAnalysis& analysis,
                                            std::uint32_t programs, const TargetProfile& profile,
                                            const Tuning& tuning) {
  auto made = std::make_unique<BatchPlan>();
  made->function = rewrite_for_batch(function, analysis, programs);
  if (made->function == nullptr) return nullptr;
  Instrumentation instrumentation_state(*made->function, analysis.orders_stores);
  DiagnosticSink sink;
  PlanBuilder builder(made->function->module, sink, profile, tuning);
  builder.instrument([&](const ir::Op& op) { return instrumentation_state.before(builder, op); },
                    [&](const ir::Op& op) { instrumentation_state.after(builder, op); });
  made->plan = builder.build(*made->function->function);
  if (made->plan == nullptr) return nullptr;
  for (const ir::Value* value : made->function->kept) made->kept.push_back(builder.slot_of(value));
  return made;
}

void BatchPlans::prepare(BatchAnalysis analysis, const TargetProfile& profile, const Tuning& tuning) {
  profile_ = profile;
  tuning_ = tuning;
  analysis_ = std::move(analysis);
  most_ = analysis_.most_programs(tuning);
}

namespace {

/// The size with the fewest runs for a row of programs: whole batches, and the rest one by one.
std::uint32_t best_size(std::uint32_t most, std::int64_t programs) {
  std::uint32_t best = 1;
  std::int64_t fewest = programs;
  for (std::uint32_t size = most; size >= 2; size /= 2) {
    const std::int64_t runs = programs / size + programs % size;
    if (runs < fewest) {
      fewest = runs;
      best = size;
    }
  }
  return best;
}

}  // namespace

const BatchPlan* BatchPlans::plan_for(const ir::Op& function, std::int64_t programs, std::int64_t most) const {
  if (most_ < 2 || most < 2) return nullptr;
  const std::uint32_t size =
      best_size(std::bit_floor(static_cast<std::uint32_t>(std::min<std::int64_t>(most_, most))), programs);
  if (size < 2) return nullptr;
  Entry& entry = plans_[static_cast<std::size_t>(std::countr_zero(size))];
  const std::lock_guard lock(mutex_);
  if (!entry.is_tried) {
    entry.made = plan_batch(function, analysis_, size, profile_, tuning_);
    entry.is_tried = true;
  }
  return entry.made.get();
}

}  // namespace lockstep::interpreter
