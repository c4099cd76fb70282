// Asynchronous copies between global memory and buffers: by threads (cp.async, in groups), and of blocks of a tensor
// descriptor (TMA, counted by a barrier or in groups). They take effect where they are issued.
#pragma once

#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

// Hooks of rows.
bool evaluate_async_copy(PlanBuilder& builder, const ir::Op& op);
bool evaluate_commit_group(PlanBuilder& builder, const ir::Op& op);
bool evaluate_async_wait(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tma_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tma_store(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tma_reduce(PlanBuilder& builder, const ir::Op& op);
bool evaluate_store_wait(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
