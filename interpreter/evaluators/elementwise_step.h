// The step of an element-wise op: the quickest one that its types allow. Not here: the steps (affine_step.h,
// structure_step.h, scalar_step.h, elementwise.h).
#pragma once

#include "interpreter/evaluators/elementwise.h"

namespace lockstep::interpreter {

/// Step function for an Elementwise record.
StepFunction elementwise_step(const Elementwise& op);
/// True for the step functions of Elementwise records on tiles.
bool is_elementwise_step(StepFunction run);

}  // namespace lockstep::interpreter
