// Binding the arguments of a call to the parameters of a jit function.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

/// Puts keywords and defaults into `positional`, one value a parameter. False: reported.
bool bind_call(LoweringContext& in, const JitFunction& callee, std::vector<Value>& positional,
               const KeywordArguments& keywords);

}  // namespace lockstep::frontend
