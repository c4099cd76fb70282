// Elementwise math ops that have no vector kernel: which scalar function computes each in each type. Complements
// elementwise_ops.cpp, which asks here first. Invariant: the bytes do not depend on the instruction set, because
// nothing here is compiled per instruction set. f16, bf16 and f8 compute in f64 and round once.
#pragma once

#include "interpreter/evaluators/elementwise.h"

namespace lockstep::interpreter {

/// Fills arity and kernel of `made`, whose operand and result types are set. False: not an op of this file, or not in
/// these types.
bool fill_math(Elementwise& made, const ir::Op& op);

}  // namespace lockstep::interpreter
