// Asynchronous copies between global memory and buffers: by threads (cp.async, in groups), and of blocks of a tensor
// descriptor (TMA, counted by a barrier or in groups).
#pragma once

#include <cstdint>

#include "interpreter/shared_memory/block_layout.h"
#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;
struct Machine;

/// The running group waits until at most `pending` of its operations in the queue are running; completes and sees the
/// others. False: the program must stop.
bool wait_for_queue(Machine& machine, Slot block, Queue queue, std::uint64_t pending);

// Hooks of rows.
bool evaluate_async_copy(PlanBuilder& builder, const ir::Op& op);
bool evaluate_commit_group(PlanBuilder& builder, const ir::Op& op);
bool evaluate_async_wait(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tma_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tma_store(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tma_reduce(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tma_gather(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tma_scatter(PlanBuilder& builder, const ir::Op& op);
bool evaluate_fence(PlanBuilder& builder, const ir::Op& op);
bool evaluate_store_wait(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
