// TracePage: one HTML file with the page (debugger/web) and a recorded run in it, that opens without a server. The
// browser is told to run no script but the page's own, by its hash; the recorded run is no script.
#pragma once

#include <string>

#include "support/result.h"

namespace lockstep::debugger::trace {

/// `container`: recorder.h's. The error says which file of the page cannot be put in.
Expected<std::string, std::string> trace_page(const std::string& container);

}  // namespace lockstep::debugger::trace
