#include "interpreter/plan/plan_builder.h"

#include <algorithm>

#include "interpreter/access/block_record.h"
#include "interpreter/fusion/fused_group.h"
#include "interpreter/plan/shared_steps.h"
#include "interpreter/ptx/asm_facts.h"
#include "interpreter/shared_memory/block_slot.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "support/check.h"

namespace lockstep::interpreter {

PlanBuilder::PlanBuilder(const ir::Module& module, DiagnosticSink& sink, TargetProfile profile, const Tuning& tuning)
    : PlanWriter(module, sink, profile, tuning), module_(module) {}
PlanBuilder::~PlanBuilder() = default;

bool is_pure(const ir::Op& op) {
  const ir::OpDef& def = op.def();
  if (def.effects != ir::Effects::pure || def.is_terminator || !op.regions().empty() || op.result_count() == 0)
    return false;
  return !op.attribute("asm_string") || !depends_on_program(op);
}

bool PlanBuilder::is_launch_invariant(const ir::Op& op) {
  if (keeps_all() || !is_pure(op) || ir::is_program_id(op) || (watched_ && watched_(op))) return false;
  return std::all_of(op.operands().begin(), op.operands().end(),
                     [&](const ir::Value* value) { return slots().is_invariant(slots().find(value)); });
}

bool PlanBuilder::plan_op(const ir::Op& op) {
  if (op.def().evaluate == nullptr) return messages().unsupported_op(op, op.def().evaluate_reason);
  if (!handles_blocks(op)) return unsupported(op, "block pointers and tensor descriptors are");
  if (!guards_.empty()) plan_guards(op);
  const Section before = write_to(is_launch_invariant(op) ? Section::prologue : section());
  const ExchangeMatch* exchange = networks_.at(op);
  const bool planned = (before_ && before_(op)) ||
                       (exchange != nullptr ? plan_exchange(*this, op, *exchange) : op.def().evaluate(*this, op));
  if (planned && after_) after_(op);
  if (planned && tuning().fuses && exchange == nullptr && !steps().empty() &&
      plan().sites[steps().back().site].op == &op)
    note_op(*this, op, op_notes_[steps().back().site]);
  write_to(before);
  if (!planned && !messages().has_errors()) return messages().unsupported_op(op, "");
  return planned;
}

ir::EvaluateHook PlanBuilder::guard_of(ir::Type type) const {
  const auto known = std::find_if(guards_.begin(), guards_.end(), [&](const auto& one) { return one.first == type; });
  return known == guards_.end() ? nullptr : known->second;
}

void PlanBuilder::guard(ir::Type type, ir::EvaluateHook hook) {
  if (guard_of(type) == nullptr) guards_.emplace_back(type, hook);
}

void PlanBuilder::plan_guards(const ir::Op& op) {
  for (const ir::Value* value : op.operands()) {
    const ir::EvaluateHook guard = guard_of(value->type());
    if (guard == nullptr) continue;
    guard(*this, op);
    return;
  }
}

bool PlanBuilder::plan_ahead(const ir::Op& op) {
  if (!plan_op(op)) return false;
  ahead_.insert(&op);
  for (std::size_t i = 0; i < op.result_count(); ++i) slots().keep(slot_of(op.result(i)));
  return true;
}

bool PlanBuilder::plan_block(const ir::Block& block) {
  if (++region_depth_ > kMaxRegionDepth) return error(*block.parent_op(), "regions are nested too deeply");
  last_uses().find(block);
  if (tuning().fuses) networks_.find(block);
  bool planned = true;
  for (const auto& op : block.ops()) {
    if (networks_.is_absorbed(*op)) continue;
    if (!is_planned_ahead(*op) && !plan_op(*op)) {
      planned = false;
      break;
    }
    release_after(*op);
    if (draft().is_too_large) {
      planned = error(*op, "the kernel needs more than " + std::to_string(kMaxSteps) + " steps");
      break;
    }
  }
  --region_depth_;
  return planned;
}

PlanBuilder::Label PlanBuilder::label_of(const ir::Block* block) {
  auto& labels = frame().block_labels;
  if (const auto known = labels.find(block); known != labels.end()) return known->second;
  return labels[block] = new_label();
}

bool PlanBuilder::plan_cfg(const ir::Region& region) {
  std::size_t order = 0;
  for (const auto& block : region.blocks()) frame().block_order[block.get()] = order++;
  for (const auto& block : region.blocks()) {
    for (const auto& argument : block->arguments()) {
      if (slot_of(argument.get()) == kNoSlot) return false;
    }
  }
  for (const auto& block : region.blocks()) {
    place(label_of(block.get()));
    if (!plan_block(*block)) return false;
  }
  return true;
}

void PlanBuilder::forget(const ir::Op& function) {
  for (const auto& region : function.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& argument : block->arguments()) slots().forget(argument.get());
      for (const auto& op : block->ops()) {
        ahead_.erase(op.get());
        for (std::size_t i = 0; i < op->result_count(); ++i) slots().forget(op->result(i));
        if (!op->regions().empty()) forget(*op);
      }
    }
  }
}

bool PlanBuilder::inline_call(const ir::Op& call, const ir::Op& callee) {
  const bool recursive =
      std::any_of(frames_.begin(), frames_.end(), [&](const auto& f) { return f->function == &callee; });
  if (recursive) return unsupported(call, "recursive calls are");
  if (frames_.size() >= kMaxCallDepth) return error(call, "calls are nested too deeply");
  const ir::Region& body = callee.region();
  if (body.empty()) return error(call, "the called function has no body");
  forget(callee);
  std::vector<Move> moves;
  for (std::size_t i = 0; i < call.operand_count(); ++i) {
    const Slot from = operand(call, i);
    if (from == kNoSlot) return false;
    if (slots().is_invariant(from)) {
      slots().bind(body.front().argument(i), from);
      continue;
    }
    const Slot to = slot_of(body.front().argument(i));
    moves.push_back({from, to, dies_at(call.operand(i), call)});
  }
  append_moves(std::move(moves), call);
  auto made = std::make_unique<Frame>();
  made->function = &callee;
  made->exit = new_label();
  for (std::size_t i = 0; i < call.result_count(); ++i) {
    made->results.push_back(result(call, i));
    if (made->results.back() == kNoSlot) return false;
  }
  const Label exit = made->exit;
  frames_.push_back(std::move(made));
  messages().enter(call);
  const bool planned = plan_cfg(body);
  messages().leave();
  frames_.pop_back();
  place(exit);
  return planned;
}

std::optional<PlanBuilder::SubPlan> PlanBuilder::plan_sub_region(const ir::Region& region, const ir::Op& op) {
  SubPlan sub;
  sub.entry = new_label();
  for (const auto& argument : region.front().arguments()) {
    sub.arguments.push_back(slot_of(argument.get()));
    if (sub.arguments.back() == kNoSlot) return std::nullopt;
  }
  const Label after = new_label();
  set_target(append_bare(step_jump, op), after);
  place(sub.entry);
  sub_plans_.push_back(&sub);
  const bool planned = region.blocks().size() == 1 ? plan_block(region.front()) : plan_cfg(region);
  sub_plans_.pop_back();
  place(after);
  if (!planned) return std::nullopt;
  return sub;
}

void PlanBuilder::end_sub_region(const ir::Op& terminator) {
  LOCKSTEP_CHECK(!sub_plans_.empty(), "a region terminator outside of its region");
  std::vector<Slot>& results = sub_plans_.back()->results;
  if (!results.empty() && results.size() != terminator.operand_count()) {
    error(terminator, "the region returns different numbers of values");
    return;
  }
  std::vector<Move> moves;
  for (std::size_t i = 0; i < terminator.operand_count(); ++i) {
    const Slot from = operand(terminator, i);
    if (i == results.size()) results.push_back(new_slot(plan().slot_types[from]));
    if (plan().slot_types[from] != plan().slot_types[results[i]]) {
      error(terminator, "the region returns values of different types");
      return;
    }
    moves.push_back({from, results[i], dies_at(terminator.operand(i), terminator)});
  }
  append_moves(std::move(moves), terminator);
  append_bare(step_end, terminator);
}

std::unique_ptr<Plan> PlanBuilder::build(const ir::Op& function) {
  start();
  const ir::Region& body = function.region();
  if (body.empty()) {
    error(function, "the kernel has no body");
    return nullptr;
  }
  for (const auto& argument : body.front().arguments()) {
    const Slot slot = slot_of(argument.get());
    if (slot == kNoSlot) return nullptr;
    slots().set_invariant(slot, true);
    plan().arguments.push_back(slot);
  }
  frames_.push_back(std::make_unique<Frame>());
  frames_.back()->function = &function;
  plan_block_state(*this, function);
  const bool planned = plan_cfg(body);
  frames_.pop_back();
  if (!planned || messages().has_errors()) return nullptr;
  PlanDraft& written = draft();
  if (tuning().fuses) fuse_groups(plan(), written.prologue, {written.body, written.labels, written.targets}, op_notes_);
  return finish();
}

}  // namespace lockstep::interpreter
