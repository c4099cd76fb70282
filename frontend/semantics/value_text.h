// Values as texts: for messages, and as Python and kernels print them.
#pragma once

#include <string>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// For messages: "fp32[64]", "constexpr[3]", "(fp32, constexpr[1])", "function 'f'".
std::string describe(const Value& value);
/// An unwrapped value in Python's printed form.
std::string python_str(const Value& value);
/// A value's printed form inside a kernel, where tuples and tensors are Triton's own classes: static_print, f-strings.
std::string kernel_str(const Value& value);

}  // namespace lockstep::frontend
