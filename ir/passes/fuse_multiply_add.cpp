// Contraction as in Triton's default build: a product added to or subtracted from something in the same block becomes a
// math.fma, one rounding instead of two. Only `run --fp-fusion on` asks for it. Source: Triton 3.6's PTX for sm_90
// (LLVM's contraction in its aggressive form: the product may have other uses, which then compute it again; of two
// products the one with fewer uses is folded, or else the first).
#include <array>

#include "ir/builder.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/passes/passes.h"

namespace lockstep::ir::passes {
namespace {

bool is_contracted(const Op& op) {
  if (!is_float_sum(op) && !is_float_difference(op)) return false;
  const auto kind = op.result()->type().element().scalar_kind();
  return kind && (*kind == ScalarKind::f16 || *kind == ScalarKind::bf16 || *kind == ScalarKind::f32 ||
                  *kind == ScalarKind::f64);
}

bool is_product(const Op& sum, std::size_t side) {
  const Op* op = sum.operand(side)->defining_op();
  return op != nullptr && is_float_product(*op) && op->block() == sum.block();
}

/// Which operand of the sum is the product to fold; 2: none.
std::size_t product_side(const Op& sum) {
  const bool first = is_product(sum, 0), second = is_product(sum, 1);
  if (!first) return second ? 1 : 2;
  return second && sum.operand(1)->uses().size() < sum.operand(0)->uses().size() ? 1 : 0;
}

Value* negated(Builder& builder, Value* value) {
  return builder.create("arith.negf", {value}, {value->type()})->result();
}

void contract(Op& sum, std::size_t side, Builder& builder) {
  Op* product = sum.operand(side)->defining_op();
  Value *a = product->operand(0), *b = product->operand(1), *c = sum.operand(1 - side);
  builder.set_insertion_point_before(sum);
  builder.set_location(sum.location());
  if (is_float_difference(sum) && side == 0) c = negated(builder, c);
  if (is_float_difference(sum) && side == 1) a = negated(builder, a);
  Op* fused = builder.create("math.fma", {a, b, c}, {sum.result()->type()});
  fused->set_span(sum.span());
  sum.result()->replace_all_uses_with(fused->result());
  sum.erase();
  if (!product->result()->has_uses()) product->erase();
}

void contract_block(Block& block, Builder& builder) {
  for (auto it = block.ops().begin(); it != block.ops().end();) {
    Op& op = **it++;
    for (const auto& region : op.regions()) {
      for (const auto& inner : region->blocks()) contract_block(*inner, builder);
    }
    if (!is_contracted(op)) continue;
    if (const std::size_t side = product_side(op); side < 2) contract(op, side, builder);
  }
}

}  // namespace

void fuse_multiply_add(Module& module) {
  Builder builder(module.context());
  contract_block(module.body(), builder);
}

}  // namespace lockstep::ir::passes
