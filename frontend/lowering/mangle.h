// Names of function instances.
#pragma once

#include <string>
#include <vector>

#include "frontend/eval/python_module.h"

namespace lockstep::frontend {

/// Mangled name of an instance: module.name__types__constants.
std::string mangle(const JitFunction& function, const std::vector<Value>& arguments);

}  // namespace lockstep::frontend
