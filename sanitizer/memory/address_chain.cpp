#include "sanitizer/memory/address_chain.h"

#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "sanitizer/lanes/lane_values.h"

namespace lockstep::sanitizer {

namespace {

/// To more bits, or to index and back; a truncation is none.
bool is_index_cast(const ir::Op& op) {
  return ir::resizes_integer(op) && op.def().numbers != ir::Numbers::integers;
}

}  // namespace

AddressChain::AddressChain(const ir::Module& module, const ir::Op& function,
                           const std::vector<const ir::Op*>& comparisons) {
  for (const ir::Op* comparison : comparisons) values_.add_operands(*comparison);
  for_each_op(module, function, [&](const ir::Op& op) {
    if (ir::is_displacement(op)) {
      has_pointers_ = true;
      values_.add(op.operand(1));
    }
  });
  while (const ir::Value* value = values_.next()) add_sources(*value);
}

void AddressChain::add_sources(const ir::Value& value) {
  const ir::Op* op = value.defining_op();
  if (op == nullptr) {
    values_.add(ir::initial_value(value));
    values_.add(ir::yielded_value(value));
    return;
  }
  if (is_wrapping_op(*op)) arithmetic_.push_back(op);
  if (is_wrapping_op(*op) || is_index_cast(*op) || ir::moves_lanes(*op)) {
    values_.add_operands(*op);
  } else if (ir::is_selection(*op)) {
    values_.add(op->operand(1));
    values_.add(op->operand(2));
  } else if (ir::is_counted_loop(*op) || ir::is_choice(*op)) {
    values_.add_incoming(value);
  }
}

}  // namespace lockstep::sanitizer
