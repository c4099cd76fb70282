// TracePage: one HTML file with the page (debugger/web) and a recorded run in it, that opens without a server. A policy
// lets the browser run only the page's own script, by its hash; the recorded run is not a script.
#pragma once

#include <string>

#include "support/result.h"

namespace lockstep::debugger::trace {

/// `container`: from recorder.h. The error names the file of the page that does not fit.
Expected<std::string, std::string> trace_page(const std::string& container);

}  // namespace lockstep::debugger::trace
