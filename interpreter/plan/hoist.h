// Loop-invariant work, done once per loop. Ops of a loop's body, and of the bodies of loops that run inside it, are
// planned before the loop when they are pure and everything they read is made outside of it. Invariant: a hoisted value
// lives until its slot is written again, so no step in the loop may take it over. Branches inside the body keep their
// ops: what is not taken costs nothing there.
#pragma once

#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// Plans what the loop computes anew in every iteration though it always comes out the same; PlanBuilder::plan_block
/// leaves it out later. Only pure ops: nothing shows that they ran, even if the loop does not. Call it before the
/// loop's first step. False: diagnosed.
bool hoist_invariants(PlanBuilder& builder, const ir::Op& loop);

}  // namespace lockstep::interpreter
