// The additions of @triton.autotune and @triton.heuristics to a launch from the command line, and `lockstep emit
// --list`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/arguments/arguments.h"
#include "frontend/compile.h"
#include "memory_model/view.h"
#include "support/diagnostics/diagnostic.h"
#include "support/diagnostics/status.h"

namespace lockstep::driver {

/// The arguments of `lockstep run` as heuristics see them.
std::map<std::string, frontend::LaunchArgument> launch_arguments(const std::vector<ArgumentText>& arguments,
                                                                 const std::vector<Tensor>& tensors,
                                                                 const memory_model::AddressSpace& memory);

/// --config for a kernel without @triton.autotune.
Status no_configurations(const std::string& kernel);

/// The kernels of a file with parameters, heuristics and configurations.
std::string list_of_kernels(const std::vector<frontend::KernelInfo>& kernels, frontend::TuningRequest request,
                            DiagnosticSink& sink);

}  // namespace lockstep::driver
