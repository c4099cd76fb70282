// Steps of element-wise ops whose operands mostly are scalars, ranges, pointers and masks: they first try the algebra
// of forms in place on the slots. Invariant: if the algebra refuses, the step is the general one (step_elementwise);
// the values are the same either way. Not here: the algebra (structure.h), elements.
#pragma once

#include "interpreter/evaluators/elementwise.h"

namespace lockstep::interpreter {

/// The step of an op that keeps forms; null if its rule keeps none.
StepFunction structured_step(const Elementwise& op);
/// The step of an op on integers of rank 0 that needs no kernel; null for others.
StepFunction integer_step(const Elementwise& op);

}  // namespace lockstep::interpreter
