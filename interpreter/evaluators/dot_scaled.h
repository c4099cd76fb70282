// tt.dot_scaled: each operand becomes f16 or bf16, is multiplied by its groups' scales in that type, and then they are
// multiplied and added in the manner of an H200's tensor core. Source: Triton 3.6's code for sm_90, which has no such
// instruction (S-74).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_dot_scaled(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
