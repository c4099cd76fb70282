// Products whose operands lie in buffers: of a warp group (wgmma) and of the tensor core (tcgen05), whose result lies
// in tensor memory. They are computed as tt.dot is, where they are issued.
#pragma once

#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

// Hooks of rows.
bool evaluate_warp_group_dot(PlanBuilder& builder, const ir::Op& op);
bool evaluate_warp_group_dot_wait(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tensor_product(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
