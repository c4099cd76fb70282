// tt.elementwise_inline_asm. Elements are packed as in Triton 3.6 (seen in its PTX): the operands of one run of the asm
// are `packed_element` neighbours of each argument; those narrower than 32 bits share a register, as many as fit, the
// first in the low bits; elements narrower than their register are zero-extended. Neighbours are in row-major order,
// where a GPU takes a thread's own elements. interpreter/ptx runs the string itself.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_inline_asm(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
