// Shape ops: views wherever a tile's form allows it (splat, broadcast, expand_dims, trans, split and reshape of
// contiguous tiles copy nothing), copies where it does not.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_splat(PlanBuilder& builder, const ir::Op& op);
bool evaluate_unsplat(PlanBuilder& builder, const ir::Op& op);
bool evaluate_broadcast(PlanBuilder& builder, const ir::Op& op);
bool evaluate_expand_dims(PlanBuilder& builder, const ir::Op& op);
bool evaluate_reshape(PlanBuilder& builder, const ir::Op& op);
bool evaluate_trans(PlanBuilder& builder, const ir::Op& op);
bool evaluate_join(PlanBuilder& builder, const ir::Op& op);
bool evaluate_split(PlanBuilder& builder, const ir::Op& op);
bool evaluate_cat(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
