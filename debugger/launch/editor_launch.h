// A launch for an editor or a page, from the words of DAP's `launch` request, which are those of `lockstep debug`.
#pragma once

#include <memory>
#include <string>

#include "debugger/dap/transport/launcher.h"

namespace lockstep::debugger {

/// For dap::Offer. Enters the wish's folder, for the whole process. The error is the diagnostics' text.
Expected<std::unique_ptr<dap::Launched>, std::string> launch_for_editor(
    const dap::LaunchWish& wish);

}  // namespace lockstep::debugger
