// Calls of Python functions that kernels know: isinstance, getattr, range, tl.condition and others.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

Value call_host(LoweringContext& in, const std::string& name, const std::vector<Value>& positional,
                const KeywordArguments& keywords);

}  // namespace lockstep::frontend
