#include "sanitizer/core/check_plan.h"

#include <algorithm>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::sanitizer {

using interpreter::Machine;
using interpreter::PlanBuilder;
using interpreter::Slot;
using interpreter::Step;

namespace {

const Step* step_before(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const OpRecord*>(step->record);
  Execution run(machine, step, record);
  for (const std::uint32_t i : record.before) {
    run.set_checker(i);
    run_of(machine).checkers[i]->before(run);
  }
  return step + 1;
}

const Step* step_after(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const OpRecord*>(step->record);
  Execution run(machine, step, record);
  for (const std::uint32_t i : record.after) {
    run.set_checker(i);
    run_of(machine).checkers[i]->after(run);
  }
  return step + 1;
}

using Ids = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct MoveRecord {
  Slot condition = interpreter::kNoSlot;
  std::array<Ids, 2> sides;
};

const Step* step_move_states(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const MoveRecord*>(step->record);
  const bool is_first = record.condition == interpreter::kNoSlot || (machine.slots[record.condition].base & 1) != 0;
  const Ids& moves = record.sides[is_first ? 0 : 1];
  ProgramStates& states = states_of(machine);
  const std::size_t checkers = run_of(machine).checkers.size();
  std::vector<std::shared_ptr<void>> taken;
  taken.reserve(moves.size() * checkers);
  for (const auto& [from, to] : moves) {
    for (std::size_t c = 0; c < checkers; ++c) taken.push_back(states.states[from * checkers + c]);
  }
  std::size_t next = 0;
  for (const auto& [from, to] : moves) {
    for (std::size_t c = 0; c < checkers; ++c) states.states[to * checkers + c] = std::move(taken[next++]);
  }
  return step + 1;
}

}  // namespace

std::uint32_t CheckPlan::id_of(const ir::Value* value) {
  return ids_.try_emplace(value, static_cast<std::uint32_t>(ids_.size())).first->second;
}

ValueRecord CheckPlan::record_of(PlanBuilder& builder, const ir::Value& value) {
  const Slot slot = builder.slot_of(&value);
  return {&value, id_of(&value), slot, slot == interpreter::kNoSlot ? nullptr : builder.type(slot)};
}

OpRecord* CheckPlan::plan(PlanBuilder& builder, const ir::Op& op, const std::vector<const ir::Value*>& operands) {
  OpRecord made;
  made.op = &op;
  for (std::uint32_t i = 0; i < checkers_.size(); ++i) {
    const Checker::Interest wish = checkers_[i]->wish(op);
    if (wish.before) made.before.push_back(i);
    if (wish.after) made.after.push_back(i);
  }
  if (made.before.empty() && made.after.empty()) return nullptr;
  for (const ir::Value* value : operands) {
    made.operands.push_back(record_of(builder, *value));
    if (made.operands.back().type == nullptr) return nullptr;
  }
  for (std::size_t i = 0; i < op.result_count() && !ir::is_control_flow(op); ++i) {
    const ir::Value* value = op.result(i);
    made.results.push_back({value, id_of(value), interpreter::kNoSlot, builder.tile_type(value->type(), op)});
    if (made.results.back().type == nullptr) return nullptr;
  }
  for (const ir::Op* at = op.parent_op(); at != nullptr; at = at->block() != nullptr ? at->parent_op() : nullptr) {
    if (!ir::is_counted_loop(*at)) continue;
    made.loops.insert(made.loops.begin(), {at, builder.slot_of(at->region().front().argument(0))});
  }
  made.lanes = plan_lanes(builder, op);
  return builder.record(std::move(made));
}

/// What is found in an execution is counted, once a program.
bool CheckPlan::is_watched(const ir::Op& op) const {
  return std::any_of(checkers_.begin(), checkers_.end(), [&](const Checker* checker) {
    const Checker::Interest wish = checker->wish(op);
    return wish.before || wish.after;
  });
}

void CheckPlan::before_any(PlanBuilder& builder, const ir::Op& op) {
  if (coverage_ != nullptr) coverage_->before(builder, op);
}

void CheckPlan::before_op(PlanBuilder& builder, const ir::Op& op) {
  std::vector<const ir::Value*> used(op.operands().begin(), op.operands().end());
  for (const ir::Value* value : interpreter::captured_values(op)) used.push_back(value);
  OpRecord* record = plan(builder, op, used);
  records_[&op] = record;
  if (record != nullptr && !record->before.empty()) builder.append_bare(step_before, op).record = record;
}

void CheckPlan::after_op(PlanBuilder& builder, const ir::Op& op) {
  const auto found = records_.find(&op);
  if (found == records_.end() || found->second == nullptr || found->second->after.empty()) return;
  OpRecord* record = found->second;
  for (ValueRecord& result : record->results) result.slot = builder.slot_of(result.value);
  builder.append_bare(step_after, op).record = record;
}

void CheckPlan::decide(PlanBuilder& builder, const ir::Op& op, const Values& conditions, const ir::Op*) {
  if (conditions.empty()) return;
  OpRecord* record = plan(builder, op, conditions);
  if (record != nullptr && !record->before.empty()) builder.append_bare(step_before, op).record = record;
}

Ids CheckPlan::ids_of(const ValueEdges& values) {
  Ids made;
  for (std::size_t i = 0; i < std::min(values.from.size(), values.to.size()); ++i)
    made.emplace_back(id_of(values.from[i]), id_of(values.to[i]));
  return made;
}

void CheckPlan::move(PlanBuilder& builder, const ir::Op& op, const ValueEdges& values, const ir::Op*) {
  MoveRecord record;
  record.sides[0] = ids_of(values);
  if (record.sides[0].empty()) return;
  builder.append_bare(step_move_states, op).record = builder.record(std::move(record));
}

void CheckPlan::branch(PlanBuilder& builder, const ir::Op& op, Slot condition, const std::array<ValueEdges, 2>& sides) {
  MoveRecord record{condition, {ids_of(sides[0]), ids_of(sides[1])}};
  builder.append_bare(step_move_states, op).record = builder.record(std::move(record));
}

}  // namespace lockstep::sanitizer
