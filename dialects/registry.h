// The registry of all rows of ops/: what a Context of Triton's IR is made with.
#pragma once

#include "ir/op_registry.h"

namespace lockstep::dialects {

const ir::OpRegistry& registry();

}  // namespace lockstep::dialects
