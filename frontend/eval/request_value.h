// Compile-time values between the public door (compile.h) and the evaluator.
#pragma once

#include <optional>

#include "frontend/semantics/value.h"
#include "support/constant_value.h"

namespace lockstep::frontend {

/// nullopt: not a constant or tuple of constants, or an integer beyond 64 bits.
std::optional<ConstantValue> to_request(const Value& value);
Value from_request(const ConstantValue& value);

/// "sm_90" -> 90; also "sm_90a", "90". 0 if it is not a target.
int capability_of(std::string_view target);

}  // namespace lockstep::frontend
