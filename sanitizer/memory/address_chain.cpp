#include "sanitizer/memory/address_chain.h"

#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/lanes/lane_values.h"

namespace lockstep::sanitizer {

using ir::Opcode;

namespace {

bool is_index_cast(Opcode code) {
  return code == Opcode::arith_extsi || code == Opcode::arith_extui || code == Opcode::arith_index_cast ||
         code == Opcode::arith_index_castui;
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
    const ir::Op* around = value.owner_block()->parent_op();
    if (around == nullptr || !ir::is_counted_loop(*around) || value.index() == 0) return;
    add(around->operand(2 + value.index()));
    const ir::Op* yield = around->region().front().terminator();
    if (yield != nullptr && value.index() <= yield->operand_count()) add(yield->operand(value.index() - 1));
    return;
  }
  const Opcode code = op->def().opcode;
  if (is_wrapping_op(*op)) {
    arithmetic_.push_back(op);
    add(op->operand(0));
    add(op->operand(1));
  } else if (is_index_cast(code)) {
    add(op->operand(0));
  } else if (ir::moves_lanes(*op)) {
    for (const ir::Value* operand : op->operands()) add(operand);
  } else if (code == Opcode::arith_select) {
    add(op->operand(1));
    add(op->operand(2));
  } else if (code == Opcode::scf_for || code == Opcode::scf_if) {
    for (const auto& region : op->regions()) {
      const ir::Op* yield = region->empty() ? nullptr : region->front().terminator();
      if (yield != nullptr && value.index() < yield->operand_count()) add(yield->operand(value.index()));
    }
    if (code == Opcode::scf_for) add(op->operand(3 + value.index()));
  }
}

}  // namespace lockstep::checkers
