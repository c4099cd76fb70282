// Constants, program ids, ranges, and ops that compute nothing.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_constant(PlanBuilder& builder, const ir::Op& op);
bool evaluate_poison(PlanBuilder& builder, const ir::Op& op);
bool evaluate_program_info(PlanBuilder& builder, const ir::Op& op);
bool evaluate_make_range(PlanBuilder& builder, const ir::Op& op);
bool evaluate_nothing(PlanBuilder& builder, const ir::Op& op);  // barriers and assumptions: no step

}  // namespace lockstep::interpreter
