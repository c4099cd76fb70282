// Ops that move elements between shapes: the bounds move with them.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

bool enclose_shape(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
