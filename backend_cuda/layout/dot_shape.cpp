#include "backend_cuda/layout/dot_shape.h"

#include <algorithm>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

// K of the mma m16n8 instruction for operands of this kind; 0: there is none.
int mma_step(ScalarKind a, ScalarKind b, std::int64_t precision, int capability) {
  constexpr std::int64_t kTf32 = 0;
  const bool is_f8 = is_float8(a) && is_float8(b) && a <= ScalarKind::f8E5M2 && b <= ScalarKind::f8E5M2;
  if (is_f8) return capability >= 89 ? 32 : 0;
  if (a != b) return 0;
  switch (a) {
    case ScalarKind::f16:
    case ScalarKind::bf16: return 16;
    case ScalarKind::i8: return 32;
    case ScalarKind::f32: return precision == kTf32 ? 8 : 0;
    default: return 0;
  }
}

ScalarKind kind_of(const ir::Value* value) { return *value->type().element().scalar_kind(); }

bool is_half(const ir::Value* value) { return kind_of(value) == ScalarKind::f16 || kind_of(value) == ScalarKind::bf16; }

// f8 operands of sums that may be short (S-71): wgmma keeps 13 bits of them.
bool is_short_f8(const ir::Op& op, const DotShape& shape) {
  const auto is_f8 = [&](std::size_t i) {
    return kind_of(op.operand(i)) == ScalarKind::f8E4M3FN || kind_of(op.operand(i)) == ScalarKind::f8E5M2;
  };
  return is_f8(0) && is_f8(1) && op.integer_attribute("maxNumImpreciseAcc", 0) >= shape.depth;
}

// The tensor core reads whole panels: rows of at least 32 bytes, and columns of a group that begin where a panel does.
bool admits_wgmma(const ir::Op& op, const DotShape& shape, const Target& target) {
  const std::int64_t columns = shape.warp_columns(target.warps);
  const bool is_whole = columns == shape.columns || columns % 64 == 0;
  return target.capability == 90 && target.warps % 4 == 0 && (is_half(op.operand(0)) || is_short_f8(op, shape)) && shape.rows >= 64 &&
         shape.warp_rows % 4 == 0 && columns <= 256 && is_whole && shape.columns >= 16 && shape.depth >= 16;
}

// Two e2m1 elements share a byte.
bool packs_along_k(const ir::Op& op) {
  constexpr std::int64_t kE2m1 = 4;
  return op.integer_attribute("a_elem_type", 0) == kE2m1 && op.integer_attribute("lhs_k_pack", 1) != 0;
}

bool are_f32(const ir::Op& op) {
  return kind_of(op.operand(0)) == ScalarKind::f32 && kind_of(op.operand(1)) == ScalarKind::f32;
}

DotShape extents_of(const ir::Op& op) {
  const auto& a = op.operand(0)->type().shape();
  const auto& d = op.result()->type().shape();
  const std::size_t rank = d.size();
  DotShape shape;
  shape.batch = rank == 3 ? d[0] : 1;
  shape.rows = d[rank - 2];
  shape.columns = d[rank - 1];
  shape.depth = a[rank - 1];
  return shape;
}

/// mma where the instruction takes whole tiles.
void choose_mma(DotShape& shape, const ir::Op& op, int step, const Target& target) {
  const bool fits = step != 0 && op.result()->type().shape().size() == 2 && shape.rows >= 16 && shape.columns >= 8 &&
                    shape.depth >= step;
  if (!fits) return;
  shape.kind = DotKind::mma;
  shape.step = step;
  shape.warp_rows = static_cast<int>(std::min<std::int64_t>(target.warps, shape.rows / 16));
}

// K of the instruction for the converted operands.
int converted_step(const ir::Op& op, const Target& target) {
  constexpr std::int64_t kIeee = 2, kBf16x3 = 3;
  if (ir::is_scaled_product(op)) return 16;
  const std::int64_t precision = op.integer_attribute("inputPrecision", kIeee);
  if (are_f32(op)) return precision == kIeee ? 0 : precision >= kBf16x3 ? 16 : 8;
  return mma_step(kind_of(op.operand(0)), kind_of(op.operand(1)), precision, target.capability);
}

}  // namespace

std::int64_t DotShape::warp_columns(int warps) const {
  return columns / std::min<std::int64_t>(warps / warp_rows, columns / 8);
}

DotShape dot_shape(const ir::Op& op, const Target& target) {
  DotShape shape = extents_of(op);
  const ScalarKind kind_d = kind_of(op.result());
  if (ir::is_scaled_product(op) || (kind_d != ScalarKind::f32 && kind_d != ScalarKind::i32)) return shape;
  choose_mma(shape, op,
             mma_step(kind_of(op.operand(0)), kind_of(op.operand(1)), op.integer_attribute("inputPrecision", 2),
                      target.capability),
             target);
  if (shape.kind == DotKind::mma && admits_wgmma(op, shape, target)) shape.kind = DotKind::wgmma;
  return shape;
}

bool reads_as_stored(const ir::Op& op, std::size_t operand, bool is_transposed, const Target& target) {
  return !reads_along_k(op, target) || is_transposed == (operand == 1);
}

bool reads_along_k(const ir::Op& op, const Target& target) {
  return !is_converted_dot(op, target) && dot_shape(op, target).kind == DotKind::wgmma && !is_half(op.operand(0));
}

bool is_converted_dot(const ir::Op& op, const Target& target) {
  constexpr std::int64_t kTf32 = 0, kIeee = 2;
  const ScalarKind kind_d = kind_of(op.result());
  if (ir::is_scaled_product(op) || kind_d == ScalarKind::f16 || kind_d == ScalarKind::bf16) return true;
  const std::int64_t precision = op.integer_attribute("inputPrecision", kIeee);
  if (!are_f32(op) || precision == kIeee) return false;
  return precision != kTf32 || dot_shape(op, target).kind == DotKind::scalar;
}

DotShape converted_dot_shape(const ir::Op& op, const Target& target) {
  DotShape shape = extents_of(op);
  if (ir::is_scaled_product(op) && packs_along_k(op)) shape.depth *= 2;
  choose_mma(shape, op, converted_step(op, target), target);
  return shape;
}

Layout dot_layout(const ir::Op& op, const Target& target) {
  const DotShape shape = is_converted_dot(op, target) ? converted_dot_shape(op, target) : dot_shape(op, target);
  if (shape.kind != DotKind::scalar) return mma_layout(shape.rows, shape.columns, shape.warp_rows, target.warps);
  const auto& extents = op.result()->type().shape();
  std::vector<int> order(extents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(order.size() - 1 - i);
  const std::int64_t share = std::max<std::int64_t>(op.result()->type().element_count() / target.threads(), 1);
  return blocked_layout(extents, order, static_cast<int>(std::min<std::int64_t>(share, 4)), target.warps);
}

Layout a_fragment_layout(const DotShape& shape, int warps) {
  const int depth_bits = bits_of(shape.depth), row_bits = bits_of(shape.rows);
  const auto row = [&](int i) { return depth_bits + i; };
  Layout layout;
  layout.reg = {0, row(3), 3};
  layout.lane = {1, 2, row(0), row(1), row(2)};
  for (int i = 0; i < bits_of(warps); ++i)
    layout.warp.push_back(i < bits_of(shape.warp_rows) ? row(4 + i) : kReplicated);
  for (int bit = 4; bit < depth_bits; ++bit) layout.reg.push_back(bit);
  for (int i = 4 + bits_of(shape.warp_rows); i < row_bits; ++i) layout.reg.push_back(row(i));
  return layout;
}

bool keeps_a_in_registers(const ir::Op& op, const DotShape& shape, const Layout& a, int warps) {
  if (shape.kind == DotKind::scalar || !is_half(op.operand(0)) || shape.depth < 16) return false;
  const Layout fragment = a_fragment_layout(shape, warps);
  return a.lane == fragment.lane && a.warp == fragment.warp;
}

}  // namespace lockstep::backend_cuda
