// Rewrites of Triton's combine pass that change the computed or read values (probed on 3.6): an addition whose operand
// is a dot on a zero accumulator becomes the accumulator (one use, no imprecise accumulation limit); select(c, load(p,
// splat c, x), y) becomes load(p, splat c, y); sum over axis 1 of a[:, :, None] * b[None, :, :] in f32 becomes a tf32
// dot on zeros. Triton applies the last one whatever the reduced axis (a wrong result for axes 0 and 2); here only axis
// 1 is rewritten.
#include "ir/builder.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_registry.h"
#include "ir/passes/passes.h"

namespace lockstep::ir::passes {
namespace {

/// The op of the value, if the test holds for it; else null.
Op* made_by(const Value* value, bool (*test)(const Op&)) {
  Op* op = value->defining_op();
  return op != nullptr && test(*op) ? op : nullptr;
}
bool is_broadcast(const Op& op) { return moves_as(op, Movement::broadcast); }
bool is_expansion(const Op& op) { return moves_as(op, Movement::expand_dims); }

/// A dot on zeros that only this addition uses, with unlimited accumulation.
Op* foldable_dot(Value* value, bool is_float) {
  Op* dot = made_by(value, is_matrix_product);
  if (dot == nullptr || value->uses().size() != 1) return nullptr;
  const auto zero = splat_bits(dot->operand(2));
  if (!zero || *zero != 0) return nullptr;
  return is_float && dot->integer_attribute("maxNumImpreciseAcc", 0) != 0 ? nullptr : dot;
}

bool is_available_before(const Value* value, const Op& op) {
  if (value->defining_op() == nullptr || value->defining_op()->block() != op.block()) return true;
  for (auto it = value->defining_op()->position(); it != op.block()->ops().end(); ++it) {
    if (it->get() == &op) return true;
  }
  return false;
}

bool combine_dot_add(Op& add, Builder& builder) {
  const bool is_float = is_float_sum(add);
  if (!is_float && !is_integer_sum(add)) return false;
  for (const std::size_t side : {1U, 0U}) {  // of a sum of two dots the right one takes the left one as accumulator
    Op* dot = foldable_dot(add.operand(side), is_float);
    if (dot == nullptr) continue;
    Value* accumulator = add.operand(1 - side);
    builder.set_insertion_point_before(add);
    builder.set_location(add.location());
    Op* fused = builder.create(dot->def(), {dot->operand(0), dot->operand(1), accumulator}, {add.result()->type()},
                               dot->attributes());
    add.result()->replace_all_uses_with(fused->result());
    add.erase();
    if (!dot->result()->has_uses()) dot->erase();
    return true;
  }
  return false;
}

bool combine_select_load(Op& select) {
  Op* load = is_selection(select) ? made_by(select.operand(1), is_pointer_load) : nullptr;
  if (load == nullptr) return false;
  Value* mask = load->operand_or_null(1);
  if (mask == nullptr || made_by(mask, is_splat) == nullptr || load->result()->uses().size() != 1) return false;
  const Value* condition = select.operand(0);
  const bool is_same = condition == mask || condition == mask->defining_op()->operand(0);
  if (!is_same || !is_available_before(select.operand(2), *load)) return false;
  if (select.operand(2)->type() != load->result()->type()) return false;
  load->set_operands({load->operand(0), mask, select.operand(2)});
  load->set_operand_segments({1, 1, 1});
  select.result()->replace_all_uses_with(load->result());
  select.erase();
  return true;
}

/// The matrix behind broadcast(expand_dims(matrix, axis)), or null.
Value* broadcast_matrix(Value* value, std::int64_t axis) {
  const Op* spread = made_by(value, is_broadcast);
  Op* expand = spread != nullptr ? made_by(spread->operand(0), is_expansion) : nullptr;
  if (expand == nullptr) return nullptr;
  if (expand->integer_attribute("axis", -1) != axis || expand->operand(0)->type().shape().size() != 2) return nullptr;
  return expand->operand(0);
}

bool sums_in_f32(const Op& reduce) {
  const Block& body = reduce.region().front();
  if (body.ops().size() != 2 || !is_float_sum(*body.ops().front())) return false;
  return reduce.result_count() == 1 && reduce.operand_count() == 1 &&
         reduce.result()->type().element().scalar_kind() == ScalarKind::f32;
}

bool combine_multiply_sum(Op& reduce, Builder& builder, const EnumSpec* precision) {
  if (!is_reduction(reduce) || !sums_in_f32(reduce) || reduce.integer_attribute("axis", -1) != 1) return false;
  const Op* product = made_by(reduce.operand(0), is_float_product);
  if (product == nullptr) return false;
  Value* a = broadcast_matrix(product->operand(0), 2);
  Value* b = broadcast_matrix(product->operand(1), 0);
  if (a == nullptr || b == nullptr || precision == nullptr) return false;
  std::int64_t tf32 = 0;
  for (const EnumCase& entry : precision->cases) {
    if (entry.name == "tf32") tf32 = entry.value;
  }
  Context& context = builder.context();
  builder.set_insertion_point_before(reduce);
  builder.set_location(reduce.location());
  Value* zero = builder.constant(reduce.result()->type(), 0);
  Op* dot = builder.create("tt.dot", {a, b, zero}, {reduce.result()->type()}, {{"inputPrecision", context.i32(tf32)}});
  reduce.result()->replace_all_uses_with(dot->result());
  reduce.erase();
  return true;
}

const EnumSpec* precision_names(const Context& context) {
  for (const AttributeSpec& spec : context.ops().row("tt.dot").attributes) {
    if (spec.name == "inputPrecision") return spec.enumeration;
  }
  return nullptr;
}

bool visit(Block& block, Builder& builder, const EnumSpec* precision) {
  bool changed = false;
  for (auto it = block.ops().begin(); it != block.ops().end();) {
    Op& op = **it++;
    for (const auto& region : op.regions()) {
      for (const auto& inner : region->blocks()) changed = visit(*inner, builder, precision) || changed;
    }
    changed = combine_dot_add(op, builder) || combine_select_load(op) || combine_multiply_sum(op, builder, precision) ||
              changed;
  }
  return changed;
}

}  // namespace

void combine(Module& module) {
  Builder builder(module.context());
  const EnumSpec* precision = precision_names(module.context());
  bool changed = true;
  while (changed) {
    changed = false;
    for (Op* function : module.functions()) {
      for (const auto& block : function->region().blocks()) changed = visit(*block, builder, precision) || changed;
    }
  }
}

void run_ttir_pipeline(Module& module) {
  simplify_blocks(module);  // the front end leaves an unreachable block after each return: a body must be one block to
                            // be inlined into a region
  inline_calls(module);
  simplify_blocks(module);
  fold_constants(module);
  remove_dead_code(module);
  combine(module);
  merge_common_subexpressions(module);
  remove_dead_code(module);
}

}  // namespace lockstep::ir::passes
