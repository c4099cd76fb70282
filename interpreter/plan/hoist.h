// Loop-invariant work, done once per loop. Ops of a loop's body, and of the bodies of loops inside it, are planned
// before the loop if they are pure and all of their operands are made outside of it. Invariant: a hoisted value lives
// until its slot is written again, so no step in the loop may take it over. Branches inside the body keep their ops: an
// untaken branch costs nothing.
#pragma once

#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// Plans the ops whose result is the same in every iteration; PlanBuilder::plan_block leaves them out later. Only pure
/// ops: their execution has no other effect, even if the loop does not run. Call it before the loop's first step.
/// False: diagnosed.
bool hoist_invariants(PlanBuilder& builder, const ir::Op& loop);

}  // namespace lockstep::interpreter
