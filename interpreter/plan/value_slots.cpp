#include "interpreter/plan/value_slots.h"

namespace lockstep::interpreter {

Slot ValueSlots::find(const ir::Value* value) const {
  const auto known = slots_.find(value);
  return known == slots_.end() ? kNoSlot : known->second;
}

void ValueSlots::set_constant(Slot slot, const Tile& tile) {
  invariant_[slot] = true;
  constants_[slot] = tile;
}

const Tile* ValueSlots::constant(const ir::Value* value) const {
  const auto slot = slots_.find(value);
  if (slot == slots_.end()) return nullptr;
  const auto known = constants_.find(slot->second);
  return known == constants_.end() ? nullptr : &known->second;
}

bool ValueSlots::may_die(const ir::Value* value) const {
  const Slot slot = find(value);
  return slot != kNoSlot && !invariant_[slot] && !kept_.contains(slot);
}

}  // namespace lockstep::interpreter
