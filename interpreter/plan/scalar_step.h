// Steps on two numbers of rank 0 that need no vector kernel: integer arithmetic and float32 additions and products, by
// the processor's own instruction. Invariant: the bits of the op's kernel; if C++ leaves the result open or a NaN must
// be chosen (division by 0 or of negative numbers, wide shifts, NaN), the step calls the kernel. Not here: conversions
// and selections (elementwise.cpp), additions and comparisons that are part of the algebra (structure_step.h).
#pragma once

#include "interpreter/evaluators/elementwise.h"

namespace lockstep::interpreter {

/// The step of a binary op on scalars; null if there is none here.
StepFunction scalar_step(const Elementwise& op);

}  // namespace lockstep::interpreter
