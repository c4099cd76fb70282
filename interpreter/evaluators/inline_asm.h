// tt.elementwise_inline_asm. Elements are packed as Triton 3.6 packs them (seen in the PTX it makes): the operands of
// one run of the asm are `packed_element` neighbours of each argument; those narrower than 32 bits share a register, as
// many as fit, the first in the low bits; what is narrower than its register is zero-extended. Neighbours are taken in
// row-major order, where a GPU takes what one thread holds. The string itself is run by interpreter/ptx.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_inline_asm(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
