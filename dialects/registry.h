// The registry of all rows, for a Context of Triton's IR.
#pragma once

#include "ir/op_registry.h"

namespace lockstep::dialects {

const ir::OpRegistry& registry();

}  // namespace lockstep::dialects
