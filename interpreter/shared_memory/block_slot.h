// The slot of a program's BlockState: made before the first op of a function whose ops use buffers, and reset there.
#pragma once

#include "interpreter/plan/plan.h"

namespace lockstep::interpreter {

class PlanWriter;

void plan_block_state(PlanWriter& writer, const ir::Op& function);
/// kNoSlot: the function has none.
Slot block_slot(PlanWriter& writer);

}  // namespace lockstep::interpreter
