// Accesses through block pointers, and through descriptors that the kernel makes, as accesses through pointers and masks.
// Source: what Triton 3.6's passes rewrite-tensor-pointer and rewrite-tensor-descriptor-to-pointer do.
#pragma once

#include "ir/module.h"

namespace lockstep::ir::passes {

/// Results keep their bits. Stays as it is: a function with a block pointer or descriptor that may come from two ops or
/// through a branch between blocks; minima and maxima of floats, which pointers have no atomic op for. Modules must verify
/// before and do after.
void rewrite_block_pointers(Module& module);

}  // namespace lockstep::ir::passes
