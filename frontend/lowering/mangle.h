// Names of function instances.
#pragma once

#include <string>
#include <vector>

#include "frontend/eval/python_module.h"

namespace lockstep::frontend {

/// Mangled name of an instance: module.name__types__constants.
/// `partition_warps`: warps of the partition of a Gluon kernel that calls it; 0 outside of partitions.
std::string mangle(const JitFunction& function, const std::vector<Value>& arguments, int partition_warps = 0);

}  // namespace lockstep::frontend
