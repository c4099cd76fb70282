// Tensormap: descriptors that a kernel of TTGIR makes itself, in scratch memory. Source: Triton's
// TritonNvidiaGPUOps.td, ttng.tensormap_create.
#pragma once

#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

// Hooks of rows.
/// TTGIR: ttng.tensormap_create writes what later uses of the same scratch memory take as a descriptor. Only memory of
/// one descriptor, named directly: no rings of them.
bool evaluate_scratch_of_descriptor(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tensormap_create(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tensormap_acquire(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tensormap_use(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
