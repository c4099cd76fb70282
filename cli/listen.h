// Where a server of a command listens: --listen [HOST:]PORT.
#pragma once

#include <string>

#include "debugger/dap/transport/stream.h"
#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::cli {

/// `example`: a port for the hint.
Expected<debugger::dap::HostPort, Status> parse_listen(const std::string& text, const std::string& example);

}  // namespace lockstep::cli
