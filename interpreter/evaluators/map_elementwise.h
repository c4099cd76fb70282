// tt.map_elementwise: a region on scalars run for every pack of `pack` neighbours (row-major) of the operands; argument
// i * pack + j is element j of operand i, and results are grouped alike. Regions of element-wise ops and scf.if run on
// whole tiles, others element by element.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_map_elementwise(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
