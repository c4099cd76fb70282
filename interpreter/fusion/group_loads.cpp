// Which loads a group makes itself: those right before it whose values nothing else reads, if the group keeps only what
// it stores. Then only the stored part is needed, and it is read in place. And which load becomes one step with the
// store of its value (row_copy.h). Invariant: a load comes to stand after other loads and pure steps only, none of which
// changes what it reads.
#include <algorithm>
#include <unordered_set>

#include "interpreter/batching/batch_plan.h"
#include "interpreter/fusion/group_graph.h"
#include "interpreter/fusion/row_copy.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/shared_steps.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

namespace {

/// A way back through steps that earlier loads may move behind.
class LoadWalk {
 public:
  explicit LoadWalk(const GroupFacts& facts) : facts_(facts) {}

  /// A load of a tile of data that `is_reader` alone reads, and that may move to where the walk began.
  template <typename Readers>
  bool can_move_load(const Step& step, Readers&& is_reader) const {
    const OpNote* note = step.run == step_fused_group || step.run == step_copy_rows ? nullptr : facts_.note_of(step);
    if (note == nullptr || !ir::is_pointer_load(*note->op) || !note->op->operand(0)->type().is_tensor()) return false;
    if (step.type->kind == ScalarKind::i1 || step.type->kind == ScalarKind::pointer || !step.type->is_strided())
      return false;
    if (static_cast<const Access*>(step.record)->is_observed) return false;
    const auto& uses = note->op->result(0)->uses();
    return std::all_of(uses.begin(), uses.end(), is_reader) &&
           std::none_of(note->reads.begin(), note->reads.end(), [&](Slot slot) { return changed_.contains(slot); });
  }

  /// False: an earlier load may not move behind the step.
  bool pass(const Step& step) {
    if (step.run == step_fused_group || step.run == step_copy_rows) return false;
    const OpNote* note = facts_.note_of(step);
    if (step.run != step_release && !is_batch_check(step.run)) {
      if (note == nullptr) return false;
      const ir::OpDef& def = note->op->def();
      if (def.effects != ir::Effects::pure && !def.access.is_plain_load()) return false;
      changed_.insert(note->writes.begin(), note->writes.end());
      for (std::size_t i = 0; i < note->reads.size(); ++i) {
        if (note->dies[i]) changed_.insert(note->reads[i]);
      }
    }
    for (std::size_t i = 0; i < step.operand_count; ++i) {
      if ((step.dies >> i & 1) != 0) changed_.insert(step.operand[i]);
    }
    if (step.result != kNoSlot) changed_.insert(step.result);
    return true;
  }

 private:
  const GroupFacts& facts_;
  std::unordered_set<Slot> changed_;
};

class LoadTaker {
 public:
  LoadTaker(const GroupFacts& facts, FusedGroup& group) : walk_(facts), group_(group) {
    for (const Step& step : group.steps) members_.insert(facts.note_of(step)->op);
    for (const FusedGroup::Input& input : group.inputs) inputs_.insert(input.slot);
  }

  void take(std::vector<Step>& out, std::size_t first) {
    for (std::size_t at = out.size(); at-- > first;) {
      if (can_take(out[at])) {
        group_.loads.push_back(out[at]);
        out.erase(out.begin() + static_cast<std::ptrdiff_t>(at));
      } else if (!walk_.pass(out[at])) {
        break;
      }
    }
    std::reverse(group_.loads.begin(), group_.loads.end());
    for (const Step& load : group_.loads) {
      const auto same = [&](const FusedGroup::Input& input) { return input.slot == load.result; };
      const auto at = std::find_if(group_.inputs.begin(), group_.inputs.end(), same) - group_.inputs.begin();
      group_.load_inputs.push_back(static_cast<std::uint8_t>(at));
      group_.loaded_inputs |= std::uint32_t{1} << at;
    }
  }

 private:
  bool can_take(const Step& step) const {
    return inputs_.contains(step.result) && step.type->shape == group_.type->shape &&
           walk_.can_move_load(step, [&](const ir::Use& use) { return members_.contains(use.user); });
  }

  LoadWalk walk_;
  FusedGroup& group_;
  std::unordered_set<const ir::Op*> members_;
  std::unordered_set<Slot> inputs_;
};

}  // namespace

void take_loads(const GroupFacts& facts, std::vector<Step>& steps, std::size_t first, FusedGroup& group) {
  if (group.outputs.empty() && !group.stores.empty()) LoadTaker(facts, group).take(steps, first);
}

std::shared_ptr<const RowCopy> join_with_load(const GroupFacts& facts, std::vector<Step>& steps, std::size_t first) {
  const Step store = steps.back();
  const ir::Op* op = facts.note_of(store)->op;
  LoadWalk walk(facts);
  for (std::size_t at = steps.size() - 1; at-- > first;) {
    if (steps[at].result != store.operand[1]) {
      if (!walk.pass(steps[at])) return nullptr;
      continue;
    }
    const Step load = steps[at];
    const auto is_stored = [&](const ir::Use& use) { return use.user == op && use.operand == 1; };
    if (load.type->rank() < 2 || !walk.can_move_load(load, is_stored)) return nullptr;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at));
    const auto made = std::make_shared<RowCopy>(RowCopy{load, store});
    steps.back().run = step_copy_rows;
    steps.back().record = made.get();
    return made;
  }
  return nullptr;
}

}  // namespace lockstep::interpreter
