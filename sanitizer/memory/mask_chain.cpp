#include "sanitizer/memory/mask_chain.h"

#include "interpreter/access/access_lanes.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::sanitizer {

namespace {

// Predicates of arith.cmpi.
constexpr std::int64_t kLess = 2, kLessOrEqual = 3, kGreater = 4, kGreaterOrEqual = 5;

bool is_ordered_comparison(const ir::Op& op) {
  const std::int64_t predicate = op.integer_attribute("predicate", -1);
  return ir::is_integer_comparison(op) && predicate >= kLess && predicate <= kGreaterOrEqual;
}

bool combines(const ir::Op& op) {
  return ir::is_bitwise(op) || ir::is_selection(op) || ir::moves_lanes(op);
}

}  // namespace

MaskChain::MaskChain(const ir::Module& module, const ir::Op& function) {
  for_each_op(module, function, [&](const ir::Op& op) {
    if (!interpreter::touches_memory(op)) return;
    if (const ir::Value* mask = interpreter::access_mask(op); mask != nullptr) add(*mask);
  });
}

bool MaskChain::add(const ir::Value& value) {
  const ir::Op* op = value.defining_op();
  if (op == nullptr || without_.contains(&value)) return false;
  if (ops_.contains(op)) return true;
  bool is_in = is_ordered_comparison(*op);
  if (is_in) {
    comparisons_.push_back(op);
  } else if (combines(*op)) {
    for (const ir::Value* operand : op->operands()) is_in |= add(*operand);
  }
  if (is_in) {
    ops_.insert(op);
  } else {
    without_.insert(&value);
  }
  return is_in;
}

bool compare_signed(const ir::Op& comparison, Wide a, Wide b) {
  switch (comparison.integer_attribute("predicate", -1)) {
    case kLess: return a < b;
    case kLessOrEqual: return a <= b;
    case kGreater: return a > b;
    default: return a >= b;
  }
}

}  // namespace lockstep::sanitizer
