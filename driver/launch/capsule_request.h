// A capsule's launch as an interpreter's request: arguments in memory, bound to a TTIR function. Not here: reading
// capsules (driver/files/capsule.h), parsing TTIR, what a command line may change of a launch
// (driver/launch/prepared_launch.h).
#pragma once

#include <vector>

#include "driver/files/capsule.h"
#include "interpreter/launch/launch.h"
#include "ir/module.h"

namespace lockstep::driver {

/// The parameters of a TTIR function for the host room; unnamed ones are arg0, arg1 ...
std::vector<TtirParameter> ttir_parameters(const ir::Op& function);

/// A bound parameter as an interpreter's argument.
interpreter::Argument argument_of(const BoundParameter& bound);

/// Fills arguments, grid, GPU profile and reach (storages, as on a GPU) of a request whose function is set and whose
/// memory has no storage yet. False: diagnosed.
bool fill_from_capsule(const Capsule& capsule, interpreter::LaunchRequest& request, DiagnosticSink& sink);

}  // namespace lockstep::driver
