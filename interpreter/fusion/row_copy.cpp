#include "interpreter/fusion/row_copy.h"

#include "interpreter/access/access_part.h"
#include "interpreter/access/access_rows.h"

namespace lockstep::interpreter {

namespace {

Lanes lanes_of(const Machine& machine, const Step& step, const Access& access) {
  Lanes lanes;
  lanes.pointer = &machine.slots[step.operand[0]];
  lanes.mask = mask_of(machine, &step, access);
  return lanes;
}

}  // namespace

const Step* step_copy_rows(Machine& machine, const Step* step) {
  const auto& copy = *static_cast<const RowCopy*>(step->record);
  const auto& load = *static_cast<const Access*>(copy.load.record);
  const auto& store = *static_cast<const Access*>(copy.store.record);
  const Lanes from = lanes_of(machine, copy.load, load), to = lanes_of(machine, copy.store, store);
  if (copy_rows(machine, load, from, store, to)) {
    if (machine.launch.is_ordered) machine.note_change();
    machine.release_dead(copy.load);
    machine.release_dead(copy.store);
  } else {
    copy.load.run(machine, &copy.load);
    copy.store.run(machine, &copy.store);
  }
  return step + 1;
}

}  // namespace lockstep::interpreter
