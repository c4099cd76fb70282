// Ops on barriers of a block (mbarrier). Their state is in barriers.h; who waits in groups.h.
#pragma once

#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

// Hooks of rows.
bool evaluate_init_barrier(PlanBuilder& builder, const ir::Op& op);
bool evaluate_inval_barrier(PlanBuilder& builder, const ir::Op& op);
bool evaluate_barrier_expect(PlanBuilder& builder, const ir::Op& op);
bool evaluate_arrive_barrier(PlanBuilder& builder, const ir::Op& op);
bool evaluate_wait_barrier(PlanBuilder& builder, const ir::Op& op);
bool evaluate_copies_arrive(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tensor_commit(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
