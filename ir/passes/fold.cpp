// Constant folding and identities. Every fold gives the bits that evaluating the op would give; float arithmetic is
// done in double and rounded once, which is exact rounding for f32 and narrower (53 >= 2*24 + 2). Functions of
// constants are folded with the C library as MLIR's folder does, so that source and Triton's `.ttir` see the same
// constant.
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <unordered_map>

#include "ir/builder.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/passes/fold_scalar.h"
#include "ir/passes/passes.h"
#include "support/check.h"

namespace lockstep::ir::passes {

bool has_opposite_limits(const Op& clamp) {
  const auto kind = clamp.result()->type().element().scalar_kind();
  if (kind != ScalarKind::f32 && kind != ScalarKind::f16) return false;
  const Value *low = clamp.operand(1), *high = clamp.operand(2);
  const std::uint64_t sign = kind == ScalarKind::f32 ? 0x80000000 : 0x8000;
  const auto low_bits = splat_bits(low), high_bits = splat_bits(high);
  if (low_bits && high_bits) return *low_bits == (*high_bits ^ sign);
  const Op* negation = low->defining_op();
  if (negation == nullptr || !is_float_difference(*negation) || negation->operand(1) != high) return false;
  return splat_bits(negation->operand(0)) == 0U;
}

std::optional<std::uint64_t> splat_bits(const Value* value) {
  const Op* op = value->defining_op();
  if (op == nullptr || !is_constant(*op)) return std::nullopt;
  const Attribute attribute = op->attribute("value");
  if (!attribute) return std::nullopt;
  const auto kind = value->type().element().scalar_kind();
  if (!kind) return std::nullopt;
  if (attribute.is_integer()) return static_cast<std::uint64_t>(attribute->integer) & width_mask(bit_width(*kind));
  if (attribute.is_float()) return attribute->float_bits;
  if (!attribute.is_dense() || !attribute->is_splat) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < attribute->data.size() && i < 8; ++i) {
    bits |= static_cast<std::uint64_t>(attribute->data[i]) << (8 * i);
  }
  return bits;
}

namespace {

bool is_number(Type type) {
  const auto kind = type.element().scalar_kind();
  return kind && *kind != ScalarKind::pointer;
}

std::optional<std::uint64_t> folded_bits(const Op& op) {
  if (op.result_count() != 1 || op.operand_count() == 0 || op.operand_count() > 3 || !is_number(op.result()->type()))
    return {};
  std::uint64_t bits[3] = {};
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const auto constant = splat_bits(op.operand(i));
    if (!constant) return std::nullopt;
    bits[i] = *constant;
  }
  if (reshapes(op)) return bits[0];  // of a splat constant
  const auto operand_kind = *op.operand(0)->type().element().scalar_kind();
  const auto result_kind = *op.result()->type().element().scalar_kind();
  if (is_selection(op)) return bits[0] != 0 ? bits[1] : bits[2];
  const std::int64_t predicate = op.integer_attribute("predicate", 0);
  if (op.operand_count() == 2) return fold_binary(op.spelling(), operand_kind, predicate, bits[0], bits[1]);
  if (op.operand_count() == 1) return fold_unary(op.spelling(), operand_kind, result_kind, bits[0]);
  return std::nullopt;
}

/// The operand that the op's result always equals bit for bit, or null.
Value* identity(const Op& op) {
  const std::string_view name = op.spelling();
  if (op.result_count() != 1 || op.operand_count() == 0) return nullptr;
  if (op.operand_count() == 1) {
    const bool keeps_bits = moves_as(op, Movement::broadcast) || op.def().arithmetic == Arithmetic::reinterpretation;
    return keeps_bits && op.operand(0)->type() == op.result()->type() ? op.operand(0) : nullptr;
  }
  if (is_selection(op)) {
    if (op.operand(1) == op.operand(2)) return op.operand(1);
    const auto condition = splat_bits(op.operand(0));
    return condition ? op.operand(*condition != 0 ? 1 : 2) : nullptr;
  }
  if (op.operand_count() != 2) return nullptr;
  const bool commutes = is_integer_sum(op) || is_integer_product(op) ||
                        op.def().arithmetic == Arithmetic::conjunction || op.def().arithmetic == Arithmetic::disjunction;
  if (commutes) {
    const auto left = splat_bits(op.operand(0));
    if (left && is_neutral(name, *op.result()->type().element().scalar_kind(), *left)) return op.operand(1);
  }
  const auto right = splat_bits(op.operand(1));
  const auto kind = op.operand(0)->type().element().scalar_kind();
  return right && kind && is_neutral(name, *kind, *right) ? op.operand(0) : nullptr;
}

class Folder {
 public:
  explicit Folder(Module& module) : builder_(module.context()) {}

  bool visit(Block& block) {
    bool changed = false;
    for (auto it = block.ops().begin(); it != block.ops().end();) {
      Op& op = **it++;
      for (const auto& region : op.regions()) {
        for (const auto& inner : region->blocks()) changed = visit(*inner) || changed;
      }
      changed = visit(op) || changed;
    }
    return changed;
  }

 private:
  bool visit(Op& op) {
    if (is_choice(op)) return fold_if(op);
    if (!op.regions().empty() || op.def().is_terminator || is_constant(op)) return false;
    if (Value* same = identity(op)) return replace(op, same);
    if (const auto bits = folded_bits(op)) {
      builder_.set_insertion_point_before(op);
      builder_.set_location(op.location());
      return replace(op, builder_.constant(op.result()->type(), *bits));
    }
    return fold_splat_chain(op);
  }

  static bool replace(Op& op, Value* value) {
    op.result()->replace_all_uses_with(value);
    op.erase();
    return true;
  }

  /// expand_dims or broadcast of a splat is a splat.
  bool fold_splat_chain(Op& op) {
    if (!moves_as(op, Movement::expand_dims) && !moves_as(op, Movement::broadcast)) return false;
    const Op* source = op.operand(0)->defining_op();
    if (source == nullptr || !is_splat(*source)) return false;
    builder_.set_insertion_point_before(op);
    builder_.set_location(op.location());
    return replace(op, builder_.create("tt.splat", {source->operand(0)}, {op.result()->type()})->result());
  }

  /// scf.if on a constant: the taken region's ops move before it.
  bool fold_if(Op& op) {
    const auto condition = splat_bits(op.operand(0));
    if (!condition) return false;
    const std::size_t taken = *condition != 0 ? 0 : 1;
    if (taken >= op.regions().size() || op.region(taken).empty()) {
      if (op.result_count() != 0) return false;
      op.erase();
      return true;
    }
    Block& body = op.region(taken).front();
    while (!body.ops().empty()) {
      Op& inner = *body.ops().front();
      if (!inner.def().is_terminator) {
        op.block()->insert(op.position(), inner.detach());
        continue;
      }
      for (std::size_t i = 0; i < op.result_count(); ++i) op.result(i)->replace_all_uses_with(inner.operand(i));
      inner.erase();
    }
    op.erase();
    return true;
  }

  Builder builder_;
};

}  // namespace

void fold_constants(Module& module) {
  Folder folder(module);
  bool changed = true;
  while (changed) {
    changed = false;
    for (Op* function : module.functions()) {
      for (const auto& block : function->region().blocks()) changed = folder.visit(*block) || changed;
    }
  }
}

}  // namespace lockstep::ir::passes
