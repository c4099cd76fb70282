// The value of a name in a kernel.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

Value lower_name(LoweringContext& in, const ast::Name& node);

}  // namespace lockstep::frontend
