// Control flow: scf regions and cf blocks as jumps, inlined calls, moves between slots, and the work at back-edges.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_if(PlanBuilder& builder, const ir::Op& op);
bool evaluate_for(PlanBuilder& builder, const ir::Op& op);
bool evaluate_while(PlanBuilder& builder, const ir::Op& op);
bool evaluate_yield(PlanBuilder& builder, const ir::Op& op);   // also scf.condition: planned by the op around it
bool evaluate_branch(PlanBuilder& builder, const ir::Op& op);  // cf.br, cf.cond_br
bool evaluate_call(PlanBuilder& builder, const ir::Op& op);
bool evaluate_return(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
