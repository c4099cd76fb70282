// Products with the bits of a tensor core, for ops that are marked for it (gpu_bits/marks.h).
#pragma once

#include <cstdint>

#include "interpreter/plan/plan_builder.h"

namespace lockstep::interpreter {

/// Hook of the row: evaluate_dot, or the tensor core's bits where the op is marked for them.
bool evaluate_dot_or_bits(PlanBuilder& builder, const ir::Op& op);

/// As append_dot and plan_dot (buffer_steps.h), whose rules it has; `products`: the mark's. False: diagnosed.
Step& append_dot_bits(PlanBuilder& builder, const ir::Op& op);
bool plan_dot_bits(PlanBuilder& builder, const ir::Op& op, Step& step, std::int64_t products);

}  // namespace lockstep::interpreter
