#include "interpreter/evaluators/shape.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "interpreter/kernels/kernels.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/structure.h"
#include "interpreter/tile/dense.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

namespace {

/// The slot of the result, without a count.
Tile& release_result(Machine& machine, const Step* step) {
  Tile& out = machine.slots[step->result];
  machine.pool.release(out);
  return out;
}

const Step* step_splat(Machine& machine, const Step* step) {
  const Tile& a = machine.slots[step->operand[0]];
  set_uniform(release_result(machine, step), a.base, a.provenance);
  return step + 1;
}

const Step* step_unsplat(Machine& machine, const Step* step) {
  const Tile& a = machine.slots[step->operand[0]];
  const TileType& type = machine.type_of(step->operand[0]);
  Tile out = uniform_tile(a.base, a.provenance);
  if (a.form == Form::affine) out.base = truncate_bits(type.kind, a.base);
  if (a.form == Form::box) out.base = 1;  // an empty box is uniform, so its one element is true
  if (a.form == Form::dense) {
    out.base = 0;
    std::memcpy(&out.base, a.data(), static_cast<std::size_t>(type.element_bytes));
  }
  machine.set(step->result, out);
  return machine.finish(step);
}

/// Takes operand 0 of the step: its count moves to the caller if it dies here, else it is retained.
Tile take_operand(Machine& machine, const Step* step) {
  Tile& a = machine.slots[step->operand[0]];
  Tile out = a;
  if ((step->dies & 1) != 0) {
    a.buffer = nullptr;
  } else {
    BufferPool::retain(out);
  }
  return out;
}

/// Operand 0 becomes the step's result, but for the strides; its count moves there if it dies here.
Tile& take_into_result(Machine& machine, const Step* step) {
  Tile& a = machine.slots[step->operand[0]];
  Tile& out = release_result(machine, step);
  out.form = a.form;
  out.is_contiguous = a.is_contiguous;
  out.row_dimensions = a.row_dimensions;
  out.provenance = a.provenance;
  out.buffer = a.buffer;
  out.base = a.base;
  if ((step->dies & 1) != 0) {
    a.buffer = nullptr;
  } else {
    BufferPool::retain(out);
  }
  return out;
}

/// Whether its strides are intervals of a mask.
bool has_intervals(const Tile& tile, const TileType& type) {
  return tile.form == Form::box || (tile.form == Form::gather && type.kind == ScalarKind::i1);
}

void refresh_contiguity(Tile& tile, const TileType& type) {
  if (tile.form != Form::dense) return;
  std::array<std::int64_t, kMaxStridedRank> packed{};
  set_row_major(type, packed);
  tile.is_contiguous = true;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    tile.is_contiguous = tile.is_contiguous && (type.shape[d] == 1 || tile.stride[d] == packed[d]);
  }
}

/// Copies elements of a tile of rank > kMaxStridedRank (contiguous) with any strides into contiguous memory.
Tile copy_any(Machine& machine, const Tile& contiguous, const TileType& result, const AnyStrides& element_strides) {
  AnyStrides bytes{};
  for (std::size_t d = 0; d < result.shape.size(); ++d) bytes[d] = element_strides[d] * result.element_bytes;
  Tile out = machine.allocate(result);
  copy_to_contiguous(out.data(), contiguous.data(), result.shape.data(), bytes.data(), result.rank(),
                     result.element_bytes);
  out.provenance = contiguous.provenance;
  return out;
}

AnyStrides row_major_of(const TileType& type) {
  AnyStrides strides{};
  std::int64_t next = 1;
  for (std::size_t d = type.shape.size(); d-- > 0;) {
    strides[d] = next;
    next *= type.shape[d];
  }
  return strides;
}

/// A tile of many dimensions is copied.
const Step* broadcast_any(Machine& machine, const Step* step, const TileType& from) {
  const Temporary source(machine, take_operand(machine, step));
  const Temporary packed(machine, make_contiguous(machine, *source, from));
  AnyStrides strides = row_major_of(from);
  for (std::size_t d = 0; d < from.shape.size(); ++d) strides[d] = from.shape[d] == 1 ? 0 : strides[d];
  machine.set(step->result, copy_any(machine, *packed, *step->type, strides));
  return step + 1;
}

const Step* step_broadcast(Machine& machine, const Step* step) {
  const TileType& from = machine.type_of(step->operand[0]);
  const TileType& to = *step->type;
  const Tile& a = machine.slots[step->operand[0]];
  if (a.form == Form::uniform) {
    set_uniform(release_result(machine, step), a.base, a.provenance);
    return step + 1;
  }
  if (!to.is_strided()) return broadcast_any(machine, step, from);
  Tile& out = take_into_result(machine, step);
  for (std::size_t d = 0; d < from.shape.size(); ++d) {
    out.stride[d] = a.stride[d];
    if (from.shape[d] == to.shape[d]) continue;
    if (has_intervals(out, to)) {
      out.set_interval(d, 0, to.shape[d]);
    } else {
      out.stride[d] = 0;
    }
  }
  refresh_contiguity(out, to);
  return step + 1;
}

/// A broadcast's effect on strides, found at planning.
struct Broadcast {
  static constexpr std::size_t kMaxRank = 3;
  std::array<std::int64_t, kMaxRank> kept{};  // all ones where the dimension stays as it is
  std::array<std::int64_t, kMaxRank> full{};  // of a mask: the interval of a dimension that does not
};

/// Ranges, pointers and masks; the general step handles the rest.
template <std::size_t rank>
const Step* step_broadcast_plain(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const Broadcast*>(step->record);
  const Tile& a = machine.slots[step->operand[0]];
  Tile& out = machine.slots[step->result];
  const bool is_box = a.form == Form::box;
  if ((a.form != Form::affine && !is_box) || out.buffer != nullptr) return step_broadcast(machine, step);
  out.form = a.form;
  out.provenance = a.provenance;
  out.base = a.base;
  for (std::size_t d = 0; d < rank; ++d) out.stride[d] = (a.stride[d] & record.kept[d]) | (is_box ? record.full[d] : 0);
  return step + 1;
}

const Step* step_expand_dims(Machine& machine, const Step* step) {
  const auto axis = reinterpret_cast<std::uintptr_t>(step->record);
  const Tile& a = machine.slots[step->operand[0]];
  if (a.form == Form::uniform) {
    set_uniform(release_result(machine, step), a.base, a.provenance);
    return step + 1;
  }
  const TileType& from = machine.type_of(step->operand[0]);
  if (!step->type->is_strided()) {
    const Temporary source(machine, take_operand(machine, step));
    machine.set(step->result, make_contiguous(machine, *source, from));
    return step + 1;
  }
  Tile& out = take_into_result(machine, step);
  for (std::size_t d = 0; d < axis; ++d) out.stride[d] = a.stride[d];
  for (std::size_t d = from.shape.size(); d > axis; --d) out.stride[d] = a.stride[d - 1];
  out.stride[axis] = 0;
  if (has_intervals(out, from)) out.set_interval(axis, 0, 1);
  if (out.form == Form::gather) {
    const unsigned below = out.row_dimensions & ((1u << axis) - 1);
    out.row_dimensions = static_cast<std::uint8_t>(below | (out.row_dimensions & ~((1u << axis) - 1)) << 1);
  }
  return step + 1;
}

/// Row-major reshape of an affine or box tile that only drops or adds dimensions of extent 1.
bool reshape_structured(const Tile& a, const TileType& from, const TileType& to, Tile& out) {
  if (!from.is_strided() || !to.is_strided()) return false;
  std::size_t d = 0;
  Tile made = a;
  made.stride = {};
  for (std::size_t e = 0; e < to.shape.size(); ++e) {
    if (to.shape[e] == 1) {
      if (a.form == Form::box) made.set_interval(e, 0, 1);
      continue;
    }
    while (d < from.shape.size() && from.shape[d] == 1) ++d;
    if (d == from.shape.size() || from.shape[d] != to.shape[e]) return false;
    made.stride[e] = a.stride[d++];
  }
  out = made;
  return true;
}

const Step* step_reshape(Machine& machine, const Step* step) {
  const TileType& from = machine.type_of(step->operand[0]);
  const TileType& to = *step->type;
  Tile source = take_operand(machine, step);
  if (source.form == Form::uniform) {
    machine.set(step->result, source);
    return step + 1;
  }
  Tile out;
  if ((source.form == Form::affine || source.form == Form::box) && reshape_structured(source, from, to, out)) {
    machine.set(step->result, out);
    return step + 1;
  }
  out = make_contiguous(machine, source, from);
  machine.pool.release(source);
  set_row_major(to, out.stride);
  machine.set(step->result, out);
  return step + 1;
}

/// Bit d of the result is bit order[d].
std::uint8_t permuted_bits(unsigned dimensions, const std::vector<std::int64_t>& order) {
  unsigned made = 0;
  for (std::size_t d = 0; d < order.size(); ++d) made |= (dimensions >> order[d] & 1) << d;
  return static_cast<std::uint8_t>(made);
}

/// Whether dimensions of a table change places.
bool reorders_rows(const Tile& tile, const std::vector<std::int64_t>& order) {
  std::int64_t last = -1;
  for (const std::int64_t d : order) {
    if (tile.form != Form::gather || (tile.row_dimensions >> d & 1) == 0) continue;
    if (d < last) return true;
    last = d;
  }
  return false;
}

const Step* step_trans(Machine& machine, const Step* step) {
  const auto& order = *static_cast<const std::vector<std::int64_t>*>(step->record);
  const TileType& from = machine.type_of(step->operand[0]);
  Tile out = take_operand(machine, step);
  if (reorders_rows(out, order)) {
    const Temporary source(machine, out);
    out = make_contiguous(machine, *source, from);
  }
  if (out.form != Form::uniform && !from.is_strided()) {
    const Temporary source(machine, out);
    const Temporary packed(machine, make_contiguous(machine, *source, from));
    const AnyStrides strides = row_major_of(from);
    AnyStrides permuted{};
    for (std::size_t d = 0; d < order.size(); ++d) permuted[d] = strides[static_cast<std::size_t>(order[d])];
    machine.set(step->result, copy_any(machine, *packed, *step->type, permuted));
    return step + 1;
  }
  if (out.form != Form::uniform) {
    const auto strides = out.stride;
    for (std::size_t d = 0; d < order.size(); ++d) out.stride[d] = strides[static_cast<std::size_t>(order[d])];
    if (out.form == Form::gather) out.row_dimensions = permuted_bits(out.row_dimensions, order);
    refresh_contiguity(out, *step->type);
  }
  machine.set(step->result, out);
  return step + 1;
}

/// Two tiles side by side along a new last dimension (join) or one after the other (cat).
const Step* step_pair(Machine& machine, const Step* step) {
  const bool interleaves = step->record != nullptr;
  const TileType& half = machine.type_of(step->operand[0]);
  const TileType& type = *step->type;
  Tile out = machine.allocate(type);
  const std::int64_t unit = type.element_bytes;
  for (std::size_t side = 0; side < 2; ++side) {
    const Temporary packed(machine, make_contiguous(machine, machine.slots[step->operand[side]], half));
    out.provenance = side == 0 ? packed->provenance : packed->provenance == out.provenance ? out.provenance : -1;
    char* to = out.data() + static_cast<std::int64_t>(side) * (interleaves ? unit : half.bytes());
    const std::int64_t count = half.count, to_stride = interleaves ? 2 * unit : unit;
    copy_strided(to, &to_stride, packed->data(), &unit, &count, 1, type.element_bytes);
  }
  machine.set(step->result, out);
  return machine.finish(step);
}

/// One side of tt.split: every second element. `record` null: the left side.
const Step* step_split(Machine& machine, const Step* step) {
  const std::int64_t side = step->record != nullptr ? 1 : 0;
  const TileType& from = machine.type_of(step->operand[0]);
  const Tile& a = machine.slots[step->operand[0]];
  const std::size_t last = from.shape.size() - 1;
  Tile out = a;
  if (a.form == Form::affine) {
    out.base += static_cast<std::uint64_t>(side * a.stride[last]);
    out.stride[last] = 0;
    if (step->type->is_scalar()) out = uniform_tile(truncate_bits(step->type->kind, out.base), a.provenance);
  } else if (a.form != Form::uniform) {
    const Temporary packed(machine, make_contiguous(machine, a, from));
    const std::int64_t unit = from.element_bytes, count = step->type->count, stride = 2 * unit;
    out = machine.allocate(*step->type);
    out.provenance = a.provenance;
    copy_strided(out.data(), &unit, packed->data() + side * unit, &stride, &count, 1, from.element_bytes);
    if (step->type->is_scalar()) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, out.data(), static_cast<std::size_t>(unit));
      machine.pool.release(out);
      out = uniform_tile(bits, a.provenance);
    }
  } else {
    BufferPool::retain(out);
  }
  machine.set(step->result, out);
  return machine.finish(step);
}

const void* const kYes = "yes";

}  // namespace

bool evaluate_splat(PlanBuilder& builder, const ir::Op& op) {
  return builder.append_with_result(step_splat, op) != nullptr;
}

bool evaluate_unsplat(PlanBuilder& builder, const ir::Op& op) {
  return builder.append_with_result(step_unsplat, op) != nullptr;
}

bool evaluate_broadcast(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_broadcast, op);
  if (step == nullptr) return false;
  const TileType &from = *builder.type(step->operand[0]), &to = *step->type;
  if (from.rank() != to.rank()) return builder.error(op, "the ranks differ");
  Broadcast record;
  for (std::size_t d = 0; d < std::min(to.shape.size(), Broadcast::kMaxRank); ++d) {
    const bool is_kept = from.shape[d] == to.shape[d];
    record.kept[d] = is_kept ? -1 : 0;
    record.full[d] = is_kept ? 0 : to.shape[d] << 32;
  }
  constexpr StepFunction kPlain[] = {step_broadcast_plain<1>, step_broadcast_plain<2>, step_broadcast_plain<3>};
  if (to.rank() >= 1 && to.shape.size() <= Broadcast::kMaxRank) step->run = kPlain[to.rank() - 1];
  step->record = builder.record(record);
  return true;
}

bool evaluate_expand_dims(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_expand_dims, op);
  if (step == nullptr) return false;
  const auto axis = op.integer_attribute("axis", 0);
  if (axis < 0 || axis >= step->type->rank()) return builder.error(op, "the axis is not a dimension of the result");
  step->record = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(axis));
  return true;
}

bool evaluate_reshape(PlanBuilder& builder, const ir::Op& op) {
  const Step* step = builder.append_with_result(step_reshape, op);
  return step != nullptr &&
         (builder.type(step->operand[0])->count == step->type->count || builder.error(op, "the element counts differ"));
}

bool evaluate_trans(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_trans, op);
  if (step == nullptr) return false;
  const ir::Attribute order = op.attribute("order");
  const auto rank = static_cast<std::size_t>(step->type->rank());
  if (!order || order->values.size() != rank) return builder.error(op, "the order does not name every dimension once");
  std::vector<bool> seen(rank);
  for (const std::int64_t d : order->values) {
    if (d < 0 || d >= step->type->rank() || seen[static_cast<std::size_t>(d)])
      return builder.error(op, "the order does not name every dimension once");
    seen[static_cast<std::size_t>(d)] = true;
  }
  step->record = builder.record(order->values);
  return true;
}

bool evaluate_join(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_pair, op);
  if (step == nullptr) return false;
  step->record = kYes;
  return true;
}

// The compiler chooses the order; on sm_90 equal inputs came out interleaved, in order is the other legal answer.
bool evaluate_cat(PlanBuilder& builder, const ir::Op& op) {
  return builder.append_with_result(step_pair, op) != nullptr;
}

bool evaluate_split(PlanBuilder& builder, const ir::Op& op) {
  for (std::size_t side = 0; side < 2; ++side) {
    const Slot slot = builder.result(op, side);
    if (slot == kNoSlot) return false;
    Step& step = builder.append(step_split, op);
    step.result = slot;
    step.type = builder.type(slot);
    if (side == 0) step.dies = 0;
    if (side == 1) step.record = kYes;
  }
  return true;
}

}  // namespace lockstep::interpreter
