// tt.dot with the bits of a tensor core, for ops that are marked for it (gpu_bits/marks.h).
#pragma once

#include "interpreter/plan/plan_builder.h"

namespace lockstep::interpreter {

/// Hook of the row: evaluate_dot, or the tensor core's bits where the op is marked for them.
bool evaluate_dot_or_bits(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
