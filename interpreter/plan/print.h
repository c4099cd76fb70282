// tt.print and tt.assert. Lines look like the GPU's printf of Triton 3.6 (measured: "pid (0, 0, 0) idx (1) val:
// -2.000000"), one line per element, in order; the GPU repeats lines for every thread that holds a copy, Lockstep does
// not. Kernels that print run in program order. A failed assert is finding LS120; the program continues.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_print(PlanBuilder& builder, const ir::Op& op);
bool evaluate_assert(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
