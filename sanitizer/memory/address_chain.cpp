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
  for (const ir::Op* comparison : comparisons) {
    for (const ir::Value* operand : comparison->operands()) add(operand);
  }
  for_each_op(module, function, [&](const ir::Op& op) {
    if (ir::is_displacement(op)) {
      has_pointers_ = true;
      add(op.operand(1));
    }
  });
  while (!open_.empty()) {
    const ir::Value* value = open_.back();
    open_.pop_back();
    add_sources(*value);
  }
}

void AddressChain::add(const ir::Value* value) {
  if (values_.insert(value).second) open_.push_back(value);
}

void AddressChain::add_sources(const ir::Value& value) {
  const ir::Op* op = value.defining_op();
  if (op == nullptr) {
    for (const ir::Value* carried : {ir::initial_value(value), ir::yielded_value(value)}) {
      if (carried != nullptr) add(carried);
    }
    return;
  }
  if (is_wrapping_op(*op)) {
    arithmetic_.push_back(op);
    add(op->operand(0));
    add(op->operand(1));
  } else if (is_index_cast(*op)) {
    add(op->operand(0));
  } else if (ir::moves_lanes(*op)) {
    for (const ir::Value* operand : op->operands()) add(operand);
  } else if (ir::is_selection(*op)) {
    add(op->operand(1));
    add(op->operand(2));
  } else if (ir::is_counted_loop(*op) || ir::is_choice(*op)) {
    for (const ir::Value* incoming : ir::incoming_values(value)) add(incoming);
  }
}

}  // namespace lockstep::sanitizer
