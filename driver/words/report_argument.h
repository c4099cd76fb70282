// Reports a problem of a whole argument, with its text underlined: for errors found after parsing.
#pragma once

#include <string>

#include "driver/arguments/arguments.h"

namespace lockstep::driver {

void report_argument(const ArgumentText& argument, DiagnosticCode code, std::string message, std::string hint,
                     DiagnosticSink& sink);

}  // namespace lockstep::driver
