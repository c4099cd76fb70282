// The slot of a program's BlockState: made before the first op of a function whose ops use buffers, and reset there. The
// slots of tiles in flight (flights.h) follow it.
#pragma once

#include "interpreter/plan/plan.h"

namespace lockstep::interpreter {

class PlanWriter;

void plan_block_state(PlanWriter& writer, const ir::Op& function);
/// Before the end of the kernel: completes what is in flight.
void plan_end_of_block(PlanWriter& writer, const ir::Op& end);
/// kNoSlot: the function has none.
Slot block_slot(PlanWriter& writer);

}  // namespace lockstep::interpreter
