// What a kernel's modules ask about the machine and the libraries while they are imported, answered as on a machine
// with the GPU that is compiled for: torch.cuda.get_device_capability(), triton.runtime's current target, versions,
// sys, platform, packaging.version, operator. Only what decides which kernels and constants a module defines; every
// other question stays unknown. Never looks at this machine (environment variables are host_functions' os.getenv).
// Source: documentation of torch 2.11, Triton 3.6, packaging 25.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// Whether `name` ("torch", "torch.cuda", "packaging.version") is a module that is answered here.
bool is_environment_module(std::string_view name);
/// Attribute of such a module; nullopt if it has none that is known. `capability`: 10 * major + minor.
std::optional<Value> environment_attribute(const std::string& space, const std::string& attribute, int capability);
bool is_environment_function(std::string_view name);
ValueResult call_environment(const std::string& name, const std::vector<Value>& arguments, int capability);
/// Python's order of two tuples of compile-time values, as versions and capabilities are compared.
ValueResult compare_tuples(ast::CompareOperator op, const Value& left, const Value& right);

}  // namespace lockstep::frontend
