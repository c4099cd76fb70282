// The modules that Lockstep itself provides: triton, triton.language and its parts, math.
#pragma once

#include <optional>
#include <string>

#include "frontend/eval/python_module.h"

namespace lockstep::frontend {

/// "triton.language" for the modules that Lockstep itself provides; "" for others.
std::string builtin_namespace(const std::string& dotted_name);
/// Attribute of a built-in namespace ("triton.language", "load"); nullopt if it has none.
std::optional<Value> namespace_attribute(Modules& modules, const std::string& space, const std::string& attribute);
/// hasattr() of Triton 3.6: additions of newer versions are missing, though kernels can use them.
bool namespace_has(Modules& modules, const std::string& space, const std::string& attribute);

}  // namespace lockstep::frontend
