#include "interpreter/evaluators/elementwise.h"

#include "interpreter/plan/structure.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

namespace {

using Rule = Elementwise::Rule;
using Arity = Elementwise::Arity;
using Operands = std::array<const Tile*, 3>;

void call_kernel(const Elementwise& op, void* out, const std::array<const void*, 3>& in, std::int64_t n,
                 const std::array<int, 3>& step) {
  switch (op.arity) {
    case Arity::copy: break;
    case Arity::unary: op.unary(out, in[0], n); break;
    case Arity::convert: op.convert(out, in[0], n); break;
    case Arity::binary: op.binary(out, in[0], in[1], n, step[0], step[1]); break;
    case Arity::ternary: op.ternary(out, in[0], in[1], in[2], n, step[0], step[1], step[2]); break;
  }
}

/// All operands are uniform: one element decides.
Tile run_uniform(const Elementwise& op, const Operands& operands) {
  Tile out = uniform_tile(0);
  std::array<const void*, 3> in{};
  for (int i = 0; i < op.operands; ++i) in[static_cast<std::size_t>(i)] = &operands[static_cast<std::size_t>(i)]->base;
  call_kernel(op, &out.base, in, 1, {0, 0, 0});
  return out;
}

// ---- structured forms ----

bool and_masks(const Elementwise& op, const Tile& a, const Tile& b, Tile& out) {
  for (const auto& [decider, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (decider->form != Form::uniform) continue;
    out = (decider->base & 1) != 0 ? *other : uniform_tile(0);
    BufferPool::retain(out);
    return true;
  }
  return and_boxes(a, b, *op.result, out);
}

bool or_masks(const Tile& a, const Tile& b, Tile& out) {
  for (const auto& [decider, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (decider->form != Form::uniform) continue;
    out = (decider->base & 1) != 0 ? uniform_tile(1) : *other;
    BufferPool::retain(out);
    return true;
  }
  return false;
}

bool extreme_affine(const Elementwise& op, const Tile& a, const Tile& b, Tile& out) {
  Tile less;
  if (!compare_affine(kernels::CompareInt::slt, a, b, *op.result, less) || less.form != Form::uniform) return false;
  out = ((less.base & 1) != 0) == (op.rule == Rule::minimum) ? a : b;
  return true;
}

bool try_structured(const Elementwise& op, const Operands& operands, Tile& out) {
  const Tile& a = *operands[0];
  if (op.rule == Rule::convert || op.rule == Rule::convert_unsigned) {
    return convert_affine(a, *op.operand[0], *op.result, op.rule == Rule::convert_unsigned, out);
  }
  const Tile& b = *operands[1];
  if (op.rule == Rule::and_) return and_masks(op, a, b, out);
  if (op.rule == Rule::or_) return or_masks(a, b, out);
  if (a.form == Form::dense || b.form == Form::dense) return false;
  switch (op.rule) {
    case Rule::add: return add_affine(a, b, *op.result, out);
    case Rule::subtract: return subtract_affine(a, b, *op.result, out);
    case Rule::multiply: return multiply_affine(a, b, *op.result, out);
    case Rule::divide: return divide_affine(a, b, *op.result, false, out);
    case Rule::remainder: return divide_affine(a, b, *op.result, true, out);
    case Rule::compare: return compare_affine(op.predicate, a, b, *op.operand[0], out);
    case Rule::minimum:
    case Rule::maximum: return extreme_affine(op, a, b, out);
    case Rule::xor_: return b.form == Form::uniform && (b.base & 1) != 0 && not_box(a, *op.result, out);
    default: return false;
  }
}

// ---- dense runs ----

/// The names of a_elem_type and b_elem_type, with the attribute's values.
bool reuse_buffer(const Elementwise& op, const Operands& operands, const std::array<bool, 3>& may_reuse, Tile& out) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(op.operands); ++i) {
    const Tile& tile = *operands[i];
    if (!may_reuse[i] || tile.form != Form::dense || !tile.is_contiguous || tile.buffer == nullptr ||
        tile.buffer->references != 1)
      continue;
    if (op.operand[i]->element_bytes < op.result->element_bytes) continue;
    out = tile;
    out.provenance = -1;
    BufferPool::retain(out);
    return true;
  }
  return false;
}

/// Every operand is uniform or contiguous: one kernel call.
Tile run_flat(Machine& machine, const Elementwise& op, const Operands& operands, const std::array<bool, 3>& may_reuse) {
  Tile out;
  if (!reuse_buffer(op, operands, may_reuse, out)) out = machine.allocate(*op.result);
  std::array<const void*, 3> in{};
  std::array<int, 3> step{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(op.operands); ++i) {
    const bool is_dense = operands[i]->form == Form::dense;
    in[i] = is_dense ? static_cast<const void*>(operands[i]->data()) : &operands[i]->base;
    step[i] = is_dense ? 1 : 0;
  }
  call_kernel(op, out.data(), in, op.result->count, step);
  return out;
}

/// Operands with strides: runs along the merged inner dimension.
Tile run_strided(Machine& machine, const Elementwise& op, const Operands& operands) {
  Tile out = machine.allocate(*op.result);
  constexpr AnyStrides kZero{};
  std::array<const std::int64_t*, StridedWalk::kMaxTiles> strides{out.stride.data(), kZero.data(), kZero.data(),
                                                                  kZero.data()};
  const auto count = static_cast<std::size_t>(op.operands);
  for (std::size_t i = 0; i < count; ++i) {
    if (operands[i]->form == Form::dense) strides[i + 1] = operands[i]->stride.data();
  }
  const StridedWalk walk(op.result->shape.data(), op.result->rank(), strides, op.operands + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (walk.inner_stride[i + 1] != 0 && walk.inner_stride[i + 1] != 1) {
      machine.pool.release(out);
      const Temporary packed(machine, make_contiguous(machine, *operands[i], *op.operand[i]));
      Operands retry = operands;
      retry[i] = &*packed;
      return run_elementwise(machine, op, retry, {});
    }
  }
  walk.for_each_run([&](const std::array<std::int64_t, StridedWalk::kMaxTiles>& offset) {
    std::array<const void*, 3> in{};
    std::array<int, 3> step{};
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_dense = operands[i]->form == Form::dense;
      in[i] = is_dense ? static_cast<const void*>(operands[i]->data() + offset[i + 1] * op.operand[i]->element_bytes)
                       : &operands[i]->base;
      step[i] = static_cast<int>(walk.inner_stride[i + 1]);
    }
    call_kernel(op, out.data() + offset[0] * op.result->element_bytes, in, walk.inner, step);
  });
  return out;
}

/// One strided operand: computes each distinct element once and keeps the layout (broadcast dimensions stay broadcast).
Tile run_unary_strided(Machine& machine, const Elementwise& op, const Tile& a) {
  TileType small = *op.operand[0];
  small.count = 1;
  for (std::size_t d = 0; d < small.shape.size(); ++d) {
    if (a.stride[d] == 0) small.shape[d] = 1;
    small.count *= small.shape[d];
  }
  TileType small_result = *op.result;
  small_result.shape = small.shape;
  small_result.count = small.count;
  const Temporary packed(machine, make_contiguous(machine, a, small));
  Tile out = machine.allocate(small_result);
  call_kernel(op, out.data(), {packed->data(), nullptr, nullptr}, small.count, {1, 1, 1});
  for (std::size_t d = 0; d < small.shape.size(); ++d) {
    if (small.shape[d] == 1) out.stride[d] = 0;
  }
  out.is_contiguous = small.count == op.result->count;
  if (out.is_contiguous) set_row_major(*op.result, out.stride);
  return out;
}

/// select with a mask that is not dense: picks a side, or fills the part outside of the box.
bool run_structured_select(Machine& machine, const Elementwise& op, const Operands& operands,
                           const std::array<bool, 3>& may_reuse, Tile& out) {
  const Tile& mask = *operands[0];
  if (mask.form == Form::dense) return false;
  if (mask.form == Form::uniform) {
    out = (mask.base & 1) != 0 ? *operands[1] : *operands[2];
    BufferPool::retain(out);
    return true;
  }
  const Tile& other = *operands[2];
  const Tile& value = *operands[1];
  if (op.result->rank() != 1 || other.form != Form::uniform || value.form != Form::dense || !value.is_contiguous ||
      value.provenance != other.provenance)
    return false;
  const std::int64_t low = mask.low(0), high = mask.high(0), n = op.result->count;
  const int bytes = op.result->element_bytes;
  const bool in_place = may_reuse[1] && value.buffer != nullptr && value.buffer->references == 1;
  Tile made = in_place ? value : machine.allocate(*op.result);
  if (in_place) {
    BufferPool::retain(made);
  } else {
    __builtin_memcpy(made.data() + low * bytes, value.data() + low * bytes,
                     static_cast<std::size_t>((high - low) * bytes));
  }
  const auto fill = kernels::fill(op.result->kind);
  fill(made.data(), &other.base, low);
  fill(made.data() + high * bytes, &other.base, n - high);
  out = made;
  return true;
}

bool is_flat(const Tile& tile) {
  return tile.form == Form::uniform || (tile.form == Form::dense && tile.is_contiguous);
}

/// Operands in affine or box form are made dense, then the op runs on elements.
Tile run_dense(Machine& machine, const Elementwise& op, const Operands& operands,
               const std::array<bool, 3>& may_reuse) {
  bool flat = true;
  for (std::size_t i = 0; i < static_cast<std::size_t>(op.operands); ++i) {
    const Tile& tile = *operands[i];
    if (tile.form != Form::uniform && tile.form != Form::dense) {
      const Temporary made(machine, make_contiguous(machine, tile, *op.operand[i]));
      Operands next = operands;
      next[i] = &*made;
      std::array<bool, 3> reuse = may_reuse;
      reuse[i] = true;
      return run_dense(machine, op, next, reuse);
    }
    flat = flat && is_flat(tile);
  }
  if (flat) return run_flat(machine, op, operands, may_reuse);
  return op.operands == 1 ? run_unary_strided(machine, op, *operands[0]) : run_strided(machine, op, operands);
}

// ---- steps ----

Operands operands_of(Machine& machine, const Step* step, int count) {
  Operands operands{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) operands[i] = &machine.slots[step->operand[i]];
  return operands;
}

}  // namespace

const Step* step_elementwise(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const Elementwise*>(step->record);
  const Operands operands = operands_of(machine, step, op.operands);
  const std::array<bool, 3> dies{(step->dies & 1) != 0, (step->dies & 2) != 0, (step->dies & 4) != 0};
  machine.set(step->result, run_elementwise(machine, op, operands, dies));
  return machine.finish(step);
}

Tile run_elementwise(Machine& machine, const Elementwise& op, const Operands& operands,
                     const std::array<bool, 3>& may_reuse) {
  if (op.rule == Rule::select) {
    Tile picked;
    if (run_structured_select(machine, op, operands, may_reuse, picked)) return picked;
  }
  bool uniform = true;
  for (std::size_t i = 0; i < static_cast<std::size_t>(op.operands); ++i)
    uniform = uniform && operands[i]->form == Form::uniform;
  if (uniform) return run_uniform(op, operands);
  Tile out;
  if (op.rule != Rule::none && op.rule != Rule::select && try_structured(op, operands, out)) return out;
  out = run_dense(machine, op, operands, may_reuse);
  if (op.rule == Rule::select && operands[1]->provenance == operands[2]->provenance)
    out.provenance = operands[1]->provenance;
  return out;
}

}  // namespace lockstep::interpreter
