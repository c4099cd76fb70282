// The answer of `lockstep prove` as SARIF 2.1.0, for code scanning and editors: what holds is `pass`, a launch that was run
// and fails `fail`, what is not decided `open`, a condition `informational`, each at its line of the source. Not here: the
// findings of launches (findings/report_file.h).
#pragma once

#include <string>

#include "driver/launch/launch_spec.h"
#include "driver/proving/asked.h"
#include "driver/proving/trials.h"

namespace lockstep::driver {

/// version: of Lockstep.
std::string proof_sarif(const std::string& version, const LaunchSpec& options, const Asked& asked,
                        const prove::Statement& statement, const Tried& tried);

}  // namespace lockstep::driver
