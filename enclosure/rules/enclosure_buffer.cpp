#include "enclosure/rules/enclosure_buffer.h"

#include "enclosure/rules/dot.h"

namespace lockstep::enclosure {

namespace {

/// What the view holds from here on.
void write(EncloseContext& context, const ir::Value& view, const ir::Value& tile) {
  if (context.is_point(tile)) return context.keep_point(view);
  context.set(view, context.rounded(tile));
}

/// Of an i1: a hull of both where it is not decided.
Interval condition(EncloseContext& context, const ir::Value& value) {
  return context.is_point(value) ? context.bounds(value)->at(0) : kEither;
}
bool is_true(const Interval& value) { return value.low != 0; }
bool is_false(const Interval& value) { return value.low == 0 && value.high == 0; }

/// Operands 0 and 1 times each other, plus `start`; null: of a type without bounds.
BoundsRef buffer_product(EncloseContext& context, const ir::Op& op, BoundsRef start, ScalarKind kind) {
  const ir::Value &a = *op.operand(0), &b = *op.operand(1);
  const bool is_tf32 = kind_of(a) == ScalarKind::f32 && op.operand(2)->type().is_memdesc();  // has no inputPrecision
  if (!is_float(kind) || is_tf32) return nullptr;
  const std::vector<std::int64_t> left = shape_of(a), right = shape_of(b);
  if (left.size() != 2) return nullptr;
  return enclosed_product(context, op,
                          {context.rounded(a), context.rounded(b), kind_of(a), {left[0], right[1], left[1]}, 1},
                          *start, kind);
}

BoundsRef zeros(std::int64_t count) {
  auto made = std::make_shared<Bounds>(count);
  for (std::int64_t i = 0; i < count; ++i) made->set(i, {0, 0});
  return made;
}

}  // namespace

bool enclose_view(EncloseContext& context, const ir::Op& op) {
  for (const ir::Value* value : op.operands()) {
    if (!value->type().is_memdesc() && !context.is_point(*value)) return context.access_memory(op);  // which buffer?
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) context.keep_point(*op.result(i));
  return true;
}

bool enclose_new_buffer(EncloseContext& context, const ir::Op& op) {
  for (std::size_t i = 0; i < op.result_count(); ++i) context.keep_point(*op.result(i));
  return true;
}

bool enclose_buffer_load(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  context.set(*op.result(0), context.bounds(*op.operand(0)));
  for (std::size_t i = 1; i < op.result_count(); ++i) context.keep_point(*op.result(i));
  return true;
}

bool enclose_buffer_store(EncloseContext& context, const ir::Op& op) {
  write(context, *op.operand(1), *op.operand(0));
  return true;
}

bool enclose_tmem_store(EncloseContext& context, const ir::Op& op) {
  const Interval acts = condition(context, *op.operand_group(3)[0]);
  const ir::Value& view = *op.operand(0);
  if (is_true(acts)) {
    write(context, view, *op.operand_group(2)[0]);
  } else if (!is_false(acts)) {
    context.set(view, unbounded_bounds(count_of(view), context.cause(op)));
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) context.keep_point(*op.result(i));
  return true;
}

bool enclose_buffer_copy(EncloseContext& context, const ir::Op& op) {
  for (std::size_t i = 0; i < op.result_count(); ++i) context.keep_point(*op.result(i));
  context.access_memory(op);
  return true;
}

bool enclose_dot_wait(EncloseContext& context, const ir::Op& op) {
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const ir::Value& value = *op.operand(i);
    if (value.type().is_memdesc() || context.is_point(value)) {
      context.keep_point(*op.result(i));
    } else {
      context.set(*op.result(i), context.bounds(value));
    }
  }
  return true;
}

bool enclose_warp_group_dot(EncloseContext& context, const ir::Op& op) {
  const ir::Value* is_used = op.operand_or_null(3);
  const Interval uses = is_used != nullptr ? condition(context, *is_used) : kTrue;
  if (!is_true(uses) && !is_false(uses)) return false;
  const ir::Value& result = *op.result(0);
  const BoundsRef start = is_true(uses) ? context.rounded(*op.operand(2)) : zeros(count_of(result));
  const BoundsRef made = buffer_product(context, op, start, kind_of(result));
  if (made == nullptr) return false;
  context.set(result, made);
  return true;
}

bool enclose_tensor_product(EncloseContext& context, const ir::Op& op) {
  const ir::Value& sum = *op.operand(2);
  const Interval adds = condition(context, *op.operand_group(4)[0]), acts = condition(context, *op.operand_group(5)[0]);
  for (std::size_t i = 0; i < op.result_count(); ++i) context.keep_point(*op.result(i));
  if (is_false(acts)) return true;
  BoundsRef made;
  if (is_true(acts) && (is_true(adds) || is_false(adds)))
    made = buffer_product(context, op, is_true(adds) ? context.rounded(sum) : zeros(count_of(sum)), kind_of(sum));
  context.set(sum, made != nullptr ? made : unbounded_bounds(count_of(sum), context.cause(op)));
  return true;
}

bool enclose_scaled_product(EncloseContext& context, const ir::Op& op) {
  const ir::Value& sum = *op.operand(2);
  for (std::size_t i = 0; i < op.result_count(); ++i) context.keep_point(*op.result(i));
  if (!is_false(condition(context, *op.operand_group(7)[0])))
    context.set(sum, unbounded_bounds(count_of(sum), context.cause(op)));
  return true;
}

}  // namespace lockstep::enclosure
