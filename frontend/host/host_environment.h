// Answers to a kernel's modules about the machine and the libraries during their import, as on a machine with the
// target GPU: torch.cuda.get_device_capability(), triton.runtime's current target, versions, sys, platform,
// packaging.version, operator. Only questions that decide which kernels and constants a module defines have answers;
// others stay unknown. Never reads this machine (environment variables are host_functions' os.getenv). Source:
// documentation of torch 2.11, Triton 3.6, packaging 25.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// Whether this file answers for module `name` ("torch", "torch.cuda", "packaging.version").
bool is_environment_module(std::string_view name);
/// Attribute of such a module; nullopt without a known one. `capability`: 10 * major + minor.
std::optional<Value> environment_attribute(const std::string& space, const std::string& attribute, int capability);
bool is_environment_function(std::string_view name);
ValueResult call_environment(const std::string& name, const std::vector<Value>& arguments, int capability);
/// Python's order of two tuples of compile-time values, for versions and capabilities.
ValueResult compare_tuples(ast::CompareOperator op, const Value& left, const Value& right);

}  // namespace lockstep::frontend
