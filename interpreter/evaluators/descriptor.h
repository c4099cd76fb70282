// Descriptor: what a tensor descriptor must be for the GPU's tensor memory unit, for those that a kernel makes
// (descriptor.cpp) and those that the host passes (prepared.cpp). Source: CUDA driver API, cuTensorMapEncodeTiled.
#pragma once

#include <cstdint>

#include "interpreter/access/block.h"

namespace lockstep::interpreter {

/// What the unit would refuse of a descriptor with elements of this size, as bits for BlockRecord::faults; 0: nothing.
std::uint32_t descriptor_faults(const BlockRecord& record, int element_bytes);

}  // namespace lockstep::interpreter
