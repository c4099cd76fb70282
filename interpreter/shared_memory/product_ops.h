// Products whose operands lie in buffers: of a warp group (wgmma) and of the tensor core (tcgen05), whose result lies
// in tensor memory. They are computed as tt.dot is, when they complete (flights.h). Until then the result of a warp
// group's product is a stand-in, which an op may not use (LS419).
#pragma once

#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// Ops that use results of the kernel's asynchronous products are planned with a check, earlier ones of a loop's body, too.
void guard_products(PlanBuilder& builder, const ir::Op& function);

// Hooks of rows.
bool evaluate_warp_group_dot(PlanBuilder& builder, const ir::Op& op);
bool evaluate_warp_group_dot_wait(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tensor_copy(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tensor_product(PlanBuilder& builder, const ir::Op& op);
bool evaluate_scaled_product(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
