// tt.load and tt.store: the step for an access. Scalars have their own step, plain rectangles those of access_step.h,
// all others the general one (load_store.h).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_store(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
