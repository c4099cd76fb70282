// A launch for an editor or a page: what a `launch` request of DAP becomes, by the words of `lockstep debug`.
#pragma once

#include <memory>
#include <string>

#include "debugger/dap/transport/launcher.h"

namespace lockstep::debugger {

/// For dap::Offer. Enters the wish's folder, for the whole process. The error is what was diagnosed.
Expected<std::unique_ptr<dap::Launched>, std::string> launch_for_editor(
    const dap::LaunchWish& wish);

}  // namespace lockstep::debugger
