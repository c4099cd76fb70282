// tt.load and tt.store: which step an access is planned as. Scalars take a step of their own, plain rectangles those of
// access_step.h, all else the general one (load_store.h).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_store(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
