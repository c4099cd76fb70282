// Calls of functions that module-level code can name. Kernels' own calls: lowering/lower_call.h.
#pragma once

#include <vector>

#include "frontend/eval/python_module.h"

namespace lockstep::frontend {

/// The call of a Python function, lambda, method or class; opaque if its result is unknown.
Value call_value(Modules& modules, const Value& callee, const std::vector<Value>& arguments,
                 const NamedValues& keywords);

}  // namespace lockstep::frontend
