// Contraction as LLVM makes it of Triton's code: which product of a sum is joined with it. `--bits` asks for it;
// fuse_multiply_add (passes.h) is the simple rule of --fp-fusion.
// Source: NVPTX's combination of fadd and fmul, and the ranks by which LLVM's Reassociate orders a sum's operands; held
// against launches that an H100 made (tests/differential/bits.py).
#pragma once

#include "ir/module.h"

namespace lockstep::ir::passes {

/// Products added or subtracted in their block become math.fma, also through splat, expand_dims and broadcast.
void contract_as_compiled(Module& module);

}  // namespace lockstep::ir::passes
