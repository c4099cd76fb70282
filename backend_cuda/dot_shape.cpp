#include "backend_cuda/dot_shape.h"

#include <algorithm>

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

// The tensor core reads whole panels: rows of at least 32 bytes, and columns of a group that begin where a panel does.
bool admits_wgmma(const ir::Op& op, const DotShape& shape, const Target& target) {
  const std::int64_t columns = shape.warp_columns(target.warps);
  const bool is_whole = columns == shape.columns || columns % 64 == 0;
  return target.capability == 90 && target.warps % 4 == 0 && is_half(op.operand(0)) && shape.rows >= 64 &&
         shape.warp_rows % 4 == 0 && columns <= 256 && is_whole && shape.columns >= 16 && shape.depth >= 16;
}

}  // namespace

std::int64_t DotShape::warp_columns(int warps) const {
  return columns / std::min<std::int64_t>(warps / warp_rows, columns / 8);
}

DotShape dot_shape(const ir::Op& op, const Target& target) {
  const auto& a = op.operand(0)->type().shape();
  const auto& d = op.result()->type().shape();
  const std::size_t rank = d.size();
  DotShape shape;
  shape.batch = rank == 3 ? d[0] : 1;
  shape.rows = d[rank - 2];
  shape.columns = d[rank - 1];
  shape.depth = a[rank - 1];
  const int step = mma_step(kind_of(op.operand(0)), kind_of(op.operand(1)), op.integer_attribute("inputPrecision", 2),
                            target.capability);
  const ScalarKind kind_d = kind_of(op.result());
  const bool fits = step != 0 && rank == 2 && shape.rows >= 16 && shape.columns >= 8 && shape.depth >= step &&
                    (kind_d == ScalarKind::f32 || kind_d == ScalarKind::i32);
  if (!fits) return shape;
  shape.kind = DotKind::mma;
  shape.step = step;
  shape.warp_rows = static_cast<int>(std::min<std::int64_t>(target.warps, shape.rows / 16));
  if (admits_wgmma(op, shape, target)) shape.kind = DotKind::wgmma;
  return shape;
}

Layout dot_layout(const ir::Op& op, const Target& target) {
  const DotShape shape = dot_shape(op, target);
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
