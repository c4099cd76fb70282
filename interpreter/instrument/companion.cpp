#include "interpreter/instrument/companion.h"

#include <algorithm>

#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

using ir::Opcode;

namespace {

using Values = std::vector<const ir::Value*>;

Values arguments_from(const ir::Block& block, std::size_t first) {
  Values values;
  for (std::size_t i = first; i < block.arguments().size(); ++i) values.push_back(block.argument(i));
  return values;
}

Values results_of(const ir::Op& op) {
  Values values;
  for (std::size_t i = 0; i < op.result_count(); ++i) values.push_back(op.result(i));
  return values;
}

Values operands_from(const ir::Op& op, std::size_t first) {
  return {op.operands().begin() + static_cast<std::ptrdiff_t>(first), op.operands().end()};
}

Values joined(Values a, const Values& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void find_captured(const ir::Op& root, const ir::Op& op, Values& out) {
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) {
        for (const ir::Value* value : inner->operands()) {
          const ir::Block* home =
              value->defining_op() != nullptr ? value->defining_op()->block() : value->owner_block();
          const ir::Op* around = home->parent_op();
          while (around != nullptr && around != &root) around = around->parent_op();
          if (around == nullptr && std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
        }
        find_captured(root, *inner, out);
      }
    }
  }
}

}  // namespace

bool is_control_flow(const ir::Op& op) {
  switch (op.def().opcode) {
    case Opcode::scf_if:
    case Opcode::scf_for:
    case Opcode::scf_while:
    case Opcode::scf_yield:
    case Opcode::scf_condition:
    case Opcode::cf_br:
    case Opcode::cf_cond_br:
    case Opcode::tt_call:
    case Opcode::tt_return: return true;
    default: return false;
  }
}

std::vector<const ir::Value*> captured_values(const ir::Op& op) {
  Values found;
  find_captured(op, op, found);
  return found;
}

void CompanionPlan::accompany(PlanBuilder& builder) {
  builder.accompany(
      [this, &builder](const ir::Op& op) {
        if (!builder.is_in_sub_region()) before(builder, op);
        return false;
      },
      [this, &builder](const ir::Op& op) {
        if (!builder.is_in_sub_region()) after(builder, op);
      });
}

void CompanionPlan::before(PlanBuilder& builder, const ir::Op& op) {
  before_any(builder, op);
  switch (op.def().opcode) {
    case Opcode::scf_if: return decide(builder, op, {op.operand(0)}, &op);
    case Opcode::scf_for: return begin_for(builder, op);
    case Opcode::scf_while:
      decide(builder, op, {}, &op);
      return move(builder, op, {operands_from(op, 0), arguments_from(op.region(0).front(), 0)}, nullptr);
    case Opcode::scf_yield:
    case Opcode::scf_condition: return yield(builder, op);
    case Opcode::cf_br:
    case Opcode::cf_cond_br: return begin_branch(builder, op);
    case Opcode::tt_call: return call(builder, op);
    case Opcode::tt_return:
      if (!calls_.empty()) move(builder, op, {operands_from(op, 0), results_of(*calls_.back())}, nullptr);
      return;
    default: return before_op(builder, op);
  }
}

void CompanionPlan::after(PlanBuilder& builder, const ir::Op& op) {
  if (op.def().opcode == Opcode::tt_call) calls_.pop_back();
  after_op(builder, op);
}

void CompanionPlan::begin_for(PlanBuilder& builder, const ir::Op& op) {
  decide(builder, op, {op.operand(0), op.operand(1), op.operand(2)}, &op);
  const Values start = operands_from(op, 3);
  const Values to = joined(arguments_from(op.region().front(), 1), results_of(op));
  move(builder, op, {joined(start, start), to}, &op);
}

/// What ends a block of scf.if, scf.for or scf.while.
void CompanionPlan::yield(PlanBuilder& builder, const ir::Op& op) {
  const ir::Op& around = *op.parent_op();
  const Values results = results_of(around);
  if (op.def().opcode == Opcode::scf_condition) {
    decide(builder, op, {op.operand(0)}, &around);
    const Values passed = operands_from(op, 1);
    const Values to = joined(arguments_from(around.region(1).front(), 0), results);
    return move(builder, op, {joined(passed, passed), to}, &around);
  }
  const Values given = operands_from(op, 0);
  switch (around.def().opcode) {
    case Opcode::scf_for: {
      const Values to = joined(arguments_from(around.region().front(), 1), results);
      return move(builder, op, {joined(given, given), to}, &around);
    }
    case Opcode::scf_while: return move(builder, op, {given, arguments_from(around.region(0).front(), 0)}, nullptr);
    default: return move(builder, op, {given, results}, &around);
  }
}

void CompanionPlan::begin_branch(PlanBuilder& builder, const ir::Op& op) {
  const bool has_condition = op.def().opcode == Opcode::cf_cond_br;
  if (has_condition) decide(builder, op, {op.operand(0)}, nullptr);
  std::array<HandOver, 2> sides;
  for (std::size_t side = 0; side < op.successors().size() && side < 2; ++side) {
    const std::vector<ir::Value*> from = op.successor_arguments(side);
    const ir::Block& to = *op.successors()[side].block;
    sides[side] = {{from.begin(), from.end()}, arguments_from(to, 0)};
  }
  branch(builder, op, has_condition ? builder.operand(op, 0) : kNoSlot, sides);
}

void CompanionPlan::call(PlanBuilder& builder, const ir::Op& op) {
  calls_.push_back(&op);
  const ir::Attribute callee = op.attribute("callee");
  const ir::Op* function = callee ? builder.find_function(callee->text) : nullptr;
  if (function == nullptr || function->region().empty()) return;
  move(builder, op, {operands_from(op, 0), arguments_from(function->region().front(), 0)}, nullptr);
}

}  // namespace lockstep::interpreter
