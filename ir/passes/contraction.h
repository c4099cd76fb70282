// Products of f32 by parts (tf32x3, bf16x3, bf16x6) as Triton's F32DotTC makes them, and contraction as LLVM makes it of Triton's code: which product of a sum is joined with it. `--bits` asks for it;
// fuse_multiply_add (passes.h) is the simple rule of --fp-fusion.
// ptxas then joins what LLVM cannot see: a division (div.full) is a product with a reciprocal there, with a constant one
// if the divisor is constant, and it is joined with the sums that use it if nothing else does.
// Source: NVPTX's combination of fadd and fmul, and the ranks by which LLVM's Reassociate orders a sum's operands; held
// against launches that an H100 made (tests/differential/bits.py). ptxas 12.8: its code for small PTX texts.
#pragma once

#include <string_view>

#include "ir/module.h"

namespace lockstep::ir::passes {

/// Marks a product with a constant reciprocal, which LLVM does not join with anything.
inline constexpr std::string_view kQuotientMark = "lockstep.quotient";

/// False for a product of a constant and a selection that has a constant, too: LLVM multiplies inside of the selection.
bool stays_a_product(const Op& product);

/// Dots by parts become dots of tf32 or bf16. Products added or subtracted in their block become math.fma, also through splat, expand_dims and broadcast. Then
/// divisions of f32 become products, or inline assembly that divides and adds as ptxas does.
void contract_as_compiled(Module& module);

}  // namespace lockstep::ir::passes
