#include "backend_cuda/dot_shape.h"

#include <algorithm>

#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::backend_cuda {
namespace {

bool is_nvidia_float8(ScalarKind kind) { return kind == ScalarKind::f8E4M3FN || kind == ScalarKind::f8E5M2; }

// K of the mma m16n8 instruction for operands of this kind; 0: there is none.
int mma_step(ScalarKind a, ScalarKind b, std::int64_t precision, int capability) {
  constexpr std::int64_t kIeee = 2, kBf16x3 = 3;
  if (is_nvidia_float8(a) && is_nvidia_float8(b)) return capability >= 89 ? 32 : 0;
  if (a != b) return 0;
  switch (a) {
    case ScalarKind::f16:
    case ScalarKind::bf16: return 16;
    case ScalarKind::i8: return 32;
    case ScalarKind::f32: return precision == kIeee ? 0 : precision >= kBf16x3 ? 16 : 8;
    default: return 0;
  }
}

// tt.dot_scaled multiplies in f16 if an operand is fp16, else in bf16; two e2m1 share a byte.
ScalarKind compute_kind(const ir::Op& op) {
  constexpr std::int64_t kFp16 = 6;
  const bool is_f16 =
      op.integer_attribute("a_elem_type", 0) == kFp16 || op.integer_attribute("b_elem_type", 0) == kFp16;
  return is_f16 ? ScalarKind::f16 : ScalarKind::bf16;
}

bool packs_along_k(const ir::Op& op) {
  constexpr std::int64_t kE2m1 = 4;
  return op.integer_attribute("a_elem_type", 0) == kE2m1 && op.integer_attribute("lhs_k_pack", 1) != 0;
}

}  // namespace

DotShape dot_shape(const ir::Op& op, const Target& target) {
  const auto& a = op.operand(0)->type().shape();
  const auto& d = op.result()->type().shape();
  const std::size_t rank = d.size();
  DotShape shape;
  shape.batch = rank == 3 ? d[0] : 1;
  shape.rows = d[rank - 2];
  shape.columns = d[rank - 1];
  shape.depth = a[rank - 1];
  const bool is_scaled = op.def().opcode == ir::Opcode::tt_dot_scaled;
  if (is_scaled && packs_along_k(op)) shape.depth *= 2;
  const ScalarKind kind_a = is_scaled ? compute_kind(op) : *op.operand(0)->type().element().scalar_kind();
  const ScalarKind kind_b = is_scaled ? kind_a : *op.operand(1)->type().element().scalar_kind();
  const ScalarKind kind_d = *op.result()->type().element().scalar_kind();
  const int step = mma_step(kind_a, kind_b, op.integer_attribute("inputPrecision", 2), target.capability);
  const bool fits = step != 0 && rank == 2 && shape.rows >= 16 && shape.columns >= 8 && shape.depth >= step &&
                    (kind_d == ScalarKind::f32 || kind_d == ScalarKind::f16 || kind_d == ScalarKind::bf16 ||
                     kind_d == ScalarKind::i32);
  if (!fits) return shape;
  shape.kind = DotKind::mma;
  shape.step = step;
  shape.warp_rows = static_cast<int>(std::min<std::int64_t>(target.warps, shape.rows / 16));
  return shape;
}

Layout dot_layout(const ir::Op& op, const Target& target) {
  const DotShape shape = dot_shape(op, target);
  if (shape.kind == DotKind::mma) return mma_layout(shape.rows, shape.columns, shape.warp_rows, target.warps);
  const auto& extents = op.result()->type().shape();
  std::vector<int> order(extents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(order.size() - 1 - i);
  const std::int64_t share = std::max<std::int64_t>(op.result()->type().element_count() / target.threads(), 1);
  return blocked_layout(extents, order, static_cast<int>(std::min<std::int64_t>(share, 4)), target.warps);
}

}  // namespace lockstep::backend_cuda
