#include "enclosure/shadow/shadow_plan.h"

#include <algorithm>
#include <functional>

#include "interpreter/plan/structure.h"
#include "interpreter/shared_memory/plan_places.h"
#include "ir/layouts/encoding.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

using interpreter::Machine;
using interpreter::PlanBuilder;
using interpreter::Slot;
using interpreter::Step;

namespace {

// ---- steps ----

const Step* step_enclose(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const OpRecord*>(step->record);
  SlotContext context(machine, record);
  if (!record.op->def().enclose(context, *record.op)) context.set_unbounded();
  context.carry_models();
  return step + 1;
}

const Step* step_unknown(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const OpRecord*>(step->record);
  SlotContext context(machine, record);
  context.set_unbounded();
  context.carry_models();
  return step + 1;
}

const Step* step_barrier(Machine& machine, const Step* step) {
  shadows_of(machine).order.wait();
  return step + 1;
}

/// The lanes of a load that have bounds, on the values that it loaded.
const Step* step_complete_load(Machine& machine, const Step* step) {
  const ValueRecord& result = static_cast<const OpRecord*>(step->record)->results[0];
  ProgramShadows& shadows = shadows_of(machine);
  if (shadows.pending.empty()) return step + 1;
  BoundsRef loaded = read_slot(machine, result);
  if (loaded->shares_ends()) {
    auto apart = std::make_shared<Bounds>(loaded->count());
    std::copy_n(loaded->low(), loaded->count(), apart->low());
    std::copy_n(loaded->low(), loaded->count(), apart->high());
    loaded = std::move(apart);
  }
  for (const auto& [lane, value] : shadows.pending) loaded->set(lane, value);
  shadows.pending.clear();
  shadows.values[result.id] = std::move(loaded);
  return step + 1;
}

using Moved = std::vector<std::pair<BoundsRef, ModelSet>>;

void put_moved(ProgramShadows& shadows, const std::vector<MoveRecord::Move>& moves, Moved& taken) {
  for (std::size_t i = 0; i < taken.size(); ++i) {
    shadows.values[moves[i].to] = std::move(taken[i].first);
    shadows.models[moves[i].to] = taken[i].second;
  }
}

const Step* step_move_bounds(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const MoveRecord*>(step->record);
  ProgramShadows& shadows = shadows_of(machine);
  const CauseId undecided = record.construct == kNoValue ? 0 : shadows.undecided[record.construct];
  Moved taken;
  taken.reserve(record.moves.size());
  for (const MoveRecord::Move& one : record.moves) {
    taken.emplace_back(undecided != 0 ? unbounded_bounds(one.count, undecided) : shadows.values[one.from],
                       shadows.models[one.from]);
  }
  put_moved(shadows, record.moves, taken);
  return step + 1;
}

const Step* step_decide(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const DecisionRecord*>(step->record);
  ProgramShadows& shadows = shadows_of(machine);
  bool is_decided = true;
  for (const std::uint32_t id : record.conditions) {
    const BoundsRef& condition = shadows.values[id];
    is_decided = is_decided && (condition == nullptr || condition->at(0).is_point());
    run_of(machine).everywhere |= shadows.models[id];
  }
  if (record.construct != kNoValue) shadows.undecided[record.construct] = is_decided ? 0 : record.cause;
  if (is_decided) return step + 1;
  run_of(machine).note(record.cause);
  if (record.has_effects) run_of(machine).lose(record.cause);
  return step + 1;
}

/// ---- kinds of ops ----
const Step* step_check(Machine& machine, const Step* step) {
  constexpr std::size_t kShown = 16;
  const auto& record = *static_cast<const OpRecord*>(step->record);
  ProgramShadows& shadows = shadows_of(machine);
  ShadowRun& run = run_of(machine);
  for (const ValueRecord& result : record.results) {
    const BoundsRef& bounds = shadows.values[result.id];
    if (bounds == nullptr || result.slot == interpreter::kNoSlot) continue;
    const BoundsRef made = read_slot(machine, result);
    for (std::int64_t i = 0; i < bounds->count(); ++i) {
      const Interval known = bounds->at(i), value = made->at(i);
      const bool fits = known.is_unbounded() ||
                        (value.is_nan() ? known.is_nan() : known.low <= value.low && value.high <= known.high);
      if (fits) continue;
      ++run.misfit_count;
      if (run.misfits.size() < kShown) run.misfits.push_back({record.op, machine.program->number, i, value.low, known});
      break;
    }
  }
  return step + 1;
}

const Step* step_observe(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const OpRecord*>(step->record);
  Observer& observer = *run_of(machine).observer;
  const bool is_once = std::less<>()(step, machine.plan->entry);
  if (!observer.has_run(*record.op, machine.program->number, is_once)) return step + 1;
  const ProgramShadows& shadows = shadows_of(machine);
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    const ValueRecord& result = record.results[i];
    if (result.slot == interpreter::kNoSlot) continue;
    Observation seen{record.op, i, result.type->kind, slot_bytes(machine, result), nullptr, shadows.values[result.id]};
    seen.values = read_elements(seen.kind, seen.bytes.data(), result.type->count);
    if (seen.bounds == nullptr) {
      seen.bounds = seen.values;
    } else if (seen.bounds->is_unrounded) {
      seen.bounds = copy_of(*seen.bounds);
      round_bounds(seen.kind, *seen.bounds);
    }
    observer.see(seen);
  }
  return step + 1;
}

// Values that regions, branches and calls carry are not followed: they may reach an addition.

bool has_effects(const ir::Op& op) {
  const ir::Effects effects = op.def().effects;
  if (effects == ir::Effects::write || effects == ir::Effects::read_write || ir::is_call(op))
    return true;
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) {
        if (has_effects(*inner)) return true;
      }
    }
  }
  return false;
}

bool only_moves(const ir::Op& op) {
  return ir::moves_lanes(op) || ir::is_gather(op) || ir::is_selection(op) ||
         op.def().arithmetic == ir::Arithmetic::negation;
}

bool takes_sum(const ir::Op& op) {
  // Where regions, calls and branches carry the value is not followed: it may reach an addition.
  return ir::is_float_sum(op) || ir::is_float_difference(op) || ir::is_call(op) || op.def().is_terminator ||
         !op.regions().empty();
}

/// Products, quotients that a GPU computes by one, and reductions, whose regions may end in one.
bool may_end_in_product(const ir::Op& op) {
  const bool is_quotient = ir::computes(op, ir::Arithmetic::quotient, ir::Numbers::floats);
  return ir::is_float_product(op) || ir::folds_lines(op) || (is_quotient && op.def().bound.gpu_ulp > 0);
}

}  // namespace

bool feeds_sum(const ir::Value& value) {
  return std::any_of(value.uses().begin(), value.uses().end(), [](const ir::Use& use) {
    const ir::Op& op = *use.user;
    if (takes_sum(op)) return true;
    if (!only_moves(op)) return false;
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      if (feeds_sum(*op.result(i))) return true;
    }
    return false;
  });
}

// ---- planning ----

std::uint32_t ShadowPlan::id_of(const ir::Value* value) {
  const auto [entry, is_new] = ids_.try_emplace(value, static_cast<std::uint32_t>(ids_.size()));
  if (is_new) run_.values = ids_.size();
  return entry->second;
}

std::uint32_t ShadowPlan::construct_of(const ir::Op* op) {
  const auto [entry, is_new] = constructs_.try_emplace(op, static_cast<std::uint32_t>(constructs_.size()));
  if (is_new) run_.constructs = constructs_.size();
  return entry->second;
}

CauseId ShadowPlan::cause_of(const ir::Op& op) {
  const auto [entry, is_new] = causes_.try_emplace(&op, static_cast<CauseId>(run_.causes.size() + 1));
  if (is_new) {
    run_.causes.push_back(&op);
    run_.times.push_back(0);
  }
  return entry->second;
}

ValueRecord ShadowPlan::record_of(PlanBuilder& builder, const ir::Value& value) {
  const Slot slot = builder.slot_of(&value);
  const std::size_t known = ids_.size();
  const ValueRecord record{&value, id_of(&value), slot, slot == interpreter::kNoSlot ? nullptr : builder.type(slot), nullptr};
  const bool is_given = run_.is_real && ids_.size() > known && record.type != nullptr && value.owner_block() == run_.entry;
  if (is_given && is_float(kind_of(value)) && record.type->is_scalar()) run_.float_parameters.push_back(record);
  return record;
}

namespace {
/// Of a view that can be accessed as a whole; a ring of buffers cannot.
std::shared_ptr<const interpreter::ViewPlaces> places_of(PlanBuilder& builder, const ir::Op& op, ir::Type type) {
  if (!type.is_memdesc() || type.layout() == nullptr || type.layout()->rank() != type.pointee().shape().size())
    return nullptr;
  auto made = std::make_shared<interpreter::ViewPlaces>();
  return plan_places(builder, op, type, *made) ? made : nullptr;
}
}  // namespace

void ShadowPlan::before_op(PlanBuilder& builder, const ir::Op& op) {
  if (run_.may_store_twice && op.def().joins_threads)
    builder.append_bare(step_barrier, op);
  if (op.result_count() == 0 && op.def().enclose == nullptr) return;
  auto* record = builder.record(OpRecord{});
  record->op = &op;
  record->cause = cause_of(op);
  std::vector<const ir::Value*> used(op.operands().begin(), op.operands().end());
  for (const ir::Value* value : interpreter::captured_values(op)) used.push_back(value);
  for (const ir::Value* value : used) {
    record->operands.push_back(record_of(builder, *value));
    if (record->operands.back().type == nullptr) return;
    record->operands.back().places = places_of(builder, op, value->type());
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    ValueRecord result;
    result.value = op.result(i);
    result.id = id_of(op.result(i));
    result.type = builder.tile_type(op.result(i)->type(), op);
    if (result.type == nullptr) return;
    record->results.push_back(result);
  }
  for (std::size_t i = 0; i < op.result_count(); ++i)
    record->may_contract = record->may_contract || (may_end_in_product(op) && feeds_sum(*op.result(i)));
  record->block = plan_block_lookup(builder, op);
  builder.append_bare(op.def().enclose != nullptr ? step_enclose : step_unknown, op).record = record;
  records_[&op] = record;
}

void ShadowPlan::after_op(PlanBuilder& builder, const ir::Op& op) {
  const auto found = records_.find(&op);
  if (found == records_.end()) return;
  OpRecord* record = found->second;
  for (ValueRecord& result : record->results) result.slot = builder.slot_of(result.value);
  if (ir::is_tile_load(op)) builder.append_bare(step_complete_load, op).record = record;
  if (op.result_count() > 0 && op.operand_count() > 0 && op.result()->type().is_memdesc() &&
      op.operand(0)->type().is_tensor()) {
    record->results[0].places = places_of(builder, op, op.result()->type());
    if (record->results[0].places != nullptr) builder.append_bare(step_fill_buffer, op).record = record;
  }
  if (run_.observer != nullptr && !record->results.empty()) builder.append_bare(step_observe, op).record = record;
  if (run_.checks_itself && !record->results.empty()) builder.append_bare(step_check, op).record = record;
}

void ShadowPlan::move(PlanBuilder& builder, const ir::Op& op, const ValueEdges& values, const ir::Op* construct) {
  MoveRecord record = record_of(values);
  if (record.moves.empty()) return;
  if (construct != nullptr) record.construct = construct_of(construct);
  builder.append_bare(step_move_bounds, op).record = builder.record(std::move(record));
}

MoveRecord ShadowPlan::record_of(const ValueEdges& values) {
  MoveRecord record;
  for (std::size_t i = 0; i < std::min(values.from.size(), values.to.size()); ++i)
    record.moves.push_back({id_of(values.from[i]), id_of(values.to[i]), count_of(*values.to[i])});
  return record;
}

void ShadowPlan::decide(PlanBuilder& builder, const ir::Op& op, const Values& conditions, const ir::Op* construct) {
  DecisionRecord record;
  record.cause = cause_of(op);
  if (construct != nullptr) record.construct = construct_of(construct);
  record.has_effects = construct == nullptr || has_effects(*construct);
  for (const ir::Value* value : conditions) record.conditions.push_back(id_of(value));
  builder.append_bare(step_decide, op).record = builder.record(std::move(record));
}

namespace {

/// For cf.cond_br: the moves of the taken side.
struct BranchRecord {
  Slot condition = interpreter::kNoSlot;
  MoveRecord sides[2];
};

const Step* step_branch_bounds(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const BranchRecord*>(step->record);
  const bool is_first = record.condition == interpreter::kNoSlot || (machine.slots[record.condition].base & 1) != 0;
  ProgramShadows& shadows = shadows_of(machine);
  const MoveRecord& side = record.sides[is_first ? 0 : 1];
  Moved taken;
  for (const MoveRecord::Move& one : side.moves) taken.emplace_back(shadows.values[one.from], shadows.models[one.from]);
  put_moved(shadows, side.moves, taken);
  return step + 1;
}

}  // namespace

void ShadowPlan::branch(PlanBuilder& builder, const ir::Op& op, Slot condition, const std::array<ValueEdges, 2>& sides) {
  const BranchRecord record{condition, {record_of(sides[0]), record_of(sides[1])}};
  builder.append_bare(step_branch_bounds, op).record = builder.record(record);
}

}  // namespace lockstep::enclosure
