// Integer ops with two results: sum and carry, difference and borrow, the halves of a product. One step computes both
// with the elementwise kernels, so that it supports their tile forms and widths.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_extended(PlanBuilder& builder, const ir::Op& op);  // integer ops with two results

}  // namespace lockstep::interpreter
