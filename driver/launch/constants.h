// Compile-time values from the command line (constexpr parameters, --global NAME=VALUE) for the front end.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/arguments/binding.h"
#include "frontend/compile.h"

namespace lockstep::driver {

/// NAME=VALUE texts. nullopt: diagnosed (LS2209: a tensor, or an integer above 2^63).
std::optional<std::map<std::string, ConstantValue>> parse_constants(const std::vector<std::string>& texts,
                                                                              DiagnosticSink& sink);

}  // namespace lockstep::driver
