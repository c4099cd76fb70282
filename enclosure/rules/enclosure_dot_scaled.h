// tt.dot_scaled (S-74): every element is converted to f16 or bf16, multiplied by its group's scale in that type, and
// the product is tt.dot's. Scales and packed elements must be certain; an element that is not finite makes its row or
// column unbounded (for an infinite f8E5M2 on a GPU see S-75).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

bool enclose_dot_scaled(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
