// tt.dot_scaled: each operand becomes f16 or bf16, is multiplied by its groups' scales in that type, and then they are
// multiplied and added in the manner of an H200's tensor core. Source: Triton 3.6's code for sm_90, which has no such
// instruction (S-74).
#pragma once

#include <cstdint>

#include "interpreter/plan/plan.h"
#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_dot_scaled(PlanBuilder& builder, const ir::Op& op);

/// A step that makes operand `index` (0 or 1) of a scaled product of sm_100 from the tiles of its elements and of its
/// scales, which are dead afterwards: a slot of f32 (8-bit exponents as PTX has them: 0 is 2^-127, 255 NaN).
/// `outer`: M or N. kNoSlot: diagnosed. Source: PTX ISA, tcgen05.mma with .block_scale.
Slot append_scaled_factor(PlanBuilder& builder, const ir::Op& op, std::size_t index, Slot value, Slot scales,
                          std::int64_t outer);

}  // namespace lockstep::interpreter
