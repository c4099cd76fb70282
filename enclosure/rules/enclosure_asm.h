// tt.elementwise_inline_asm: straight lines of f32 arithmetic, comparisons and predicates, one element at a time, are
// followed statement by statement; assembly of certain integers computes the same on every GPU. Anything else (other
// types, packed elements, memory, special registers) is unknown. Source: PTX ISA 8.7 (errors of the approximations).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

bool enclose_inline_asm(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
