// Ahead plan: the steps by which a program takes what was computed for it ahead (ahead_part.h). Invariant: it computes
// the same itself where nothing was, so that only speed depends on it. Not here: who computes ahead, and when
// (scheduler/ahead.h).
#pragma once

#include "interpreter/batching/ahead_part.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// Before build(): each op that the part keeps is first looked up. `part` outlives the build.
void plan_lookups(PlanBuilder& builder, const AheadPart& part);

}  // namespace lockstep::interpreter
