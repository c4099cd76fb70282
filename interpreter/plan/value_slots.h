// ValueSlots: which slot holds which value while a plan is written, and facts about the slots: whether all programs of
// a launch share the value, its constant, whether it outlives its last use. Not here: making slots (plan_writer.h).
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interpreter/plan/plan.h"
#include "ir/op.h"

namespace lockstep::interpreter {

class ValueSlots {
 public:
  /// A slot was added to the plan.
  void add() { invariant_.push_back(false); }
  /// kNoSlot: none yet, or one that could not be made.
  Slot find(const ir::Value* value) const;
  void bind(const ir::Value* value, Slot slot) { slots_[value] = slot; }
  /// The value gets a new slot at the next request.
  void forget(const ir::Value* value) { slots_.erase(value); }

  /// All programs of a launch have the same value in it; false for kNoSlot.
  bool is_invariant(Slot slot) const { return slot != kNoSlot && invariant_[slot]; }
  void set_invariant(Slot slot, bool is_invariant) { invariant_[slot] = is_invariant; }
  void set_constant(Slot slot, const Tile& tile);
  /// Null: the value is not constant.
  const Tile* constant(const ir::Value* value) const;
  /// No use of its value is the last.
  void keep(Slot slot) { kept_.insert(slot); }
  /// The slot's value may be released after its last use.
  bool may_die(const ir::Value* value) const;

 private:
  std::unordered_map<const ir::Value*, Slot> slots_;
  std::unordered_map<Slot, Tile> constants_;
  std::vector<bool> invariant_;  // by slot
  std::unordered_set<Slot> kept_;
};

}  // namespace lockstep::interpreter
