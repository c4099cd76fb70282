// Calls in a kernel. Not here: builtins, call_builtin.h; Python functions, call_host.h; jit functions,
// LoweringContext::call_function().
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

Value lower_call(LoweringContext& in, const ast::Call& node);

}  // namespace lockstep::frontend
