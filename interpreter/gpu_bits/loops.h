// The loops of elementwise ops that are marked for the GPU's bits (marks.h), instead of those that their rows name.
#pragma once

#include "interpreter/evaluators/elementwise.h"
#include "ir/op.h"

namespace lockstep::interpreter::gpu_bits {

/// Replaces the loop of `made`, which is filled, where a model of the op on f32, f16 or bf16 is known. False: there is
/// none, the loop stays.
bool choose_loop(Elementwise& made, const ir::Op& op);

/// Whether choose_loop knows the op and its types.
bool has_loop(const ir::Op& op);

}  // namespace lockstep::interpreter::gpu_bits
