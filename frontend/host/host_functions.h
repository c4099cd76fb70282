// Python builtins and math functions on compile-time values, shared by module-level code, kernels and constexpr
// functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// len, int, float, bool, str, abs, min, max, sum, tuple, list, round, isinstance, math.sqrt ... on compile-time
/// values.
ValueResult call_host_function(const std::string& name, const std::vector<Value>& arguments);
/// Whether call_host_function knows the name.
bool is_host_function(const std::string& name);
/// math.pi, math.inf ...; nullopt if math has no such value.
std::optional<Value> math_attribute(const std::string& name);

}  // namespace lockstep::frontend
