// Descriptor: the rules of the GPU's tensor memory unit for tensor descriptors, from a kernel (descriptor.cpp) and from
// the host (prepared.cpp). Source: CUDA driver API, cuTensorMapEncodeTiled.
#pragma once

#include <cstdint>

#include "interpreter/access/block.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// The unit's objections to a descriptor with elements of this size, as bits for BlockRecord::faults; 0: none.
std::uint32_t descriptor_faults(const BlockRecord& record, int element_bytes);

// Hooks of rows.
bool evaluate_make_tensor_descriptor(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_store(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_reduce(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_gather(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_scatter(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
