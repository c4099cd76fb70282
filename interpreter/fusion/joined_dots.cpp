#include "interpreter/fusion/joined_dots.h"

#include "interpreter/batching/effects.h"
#include "interpreter/gpu_bits/marks.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

namespace {

/// A dot whose result is a chain of S-42.
bool is_dot(const ir::Op& op) { return ir::is_matrix_product(op) && gpu_bits::marked_products(op) <= 0; }

bool are_alike(const ir::Op& dot, const ir::Op& other) {
  return &dot.def() == &other.def() && dot.operand(0)->type() == other.operand(0)->type() &&
         dot.operand(1)->type() == other.operand(1)->type();
}

/// The only reader of a value; null: there are none or several.
const ir::Use* only_use(const ir::Value& value) {
  const ir::Use* found = nullptr;
  for (const ir::Use& use : value.uses()) {
    if (found != nullptr) return nullptr;
    found = &use;
  }
  return found;
}

}  // namespace

const ir::Op* last_of_sum(const ir::Op& loop, std::size_t index) {
  if (!ir::is_counted_loop(loop) || may_observe_others(loop)) return nullptr;  // programs do not give way inside
  const ir::Block& body = loop.region().front();
  const ir::Op *first = nullptr, *last = nullptr;
  for (const ir::Value* value = body.argument(1 + index);; value = last->result()) {
    const ir::Use* use = only_use(*value);
    if (use == nullptr || use->user->block() != &body) return nullptr;
    if (use->user == body.terminator()) return use->operand == index ? last : nullptr;
    if (!is_dot(*use->user) || use->operand != 2) return nullptr;
    last = use->user;
    if (first == nullptr) first = last;
    if (!are_alike(*first, *last)) return nullptr;
  }
}

bool is_factor_alone(const ir::Value& value) {
  const ir::Use* use = only_use(value);
  return use != nullptr && use->operand < 2 && is_dot(*use->user);
}

const ir::Value* sum_joined_by(const ir::Op& dot) {
  const ir::Op* loop = dot.parent_op();
  if (loop == nullptr || !ir::is_counted_loop(*loop)) return nullptr;
  const ir::Value* value = dot.operand(2);
  while (value->defining_op() != nullptr && value->defining_op()->block() == dot.block() &&
         is_dot(*value->defining_op()))
    value = value->defining_op()->operand(2);
  const ir::Block& body = loop->region().front();
  for (std::size_t i = 0; i + 1 < body.arguments().size(); ++i)
    if (body.argument(1 + i) == value) return last_of_sum(*loop, i) != nullptr ? value : nullptr;
  return nullptr;
}

}  // namespace lockstep::interpreter
