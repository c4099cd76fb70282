// A launch beside the same one of another kernel text: what a lesson's check asks. Not here: findings.
#pragma once

#include <string>
#include <vector>

#include "debugger/dap/transport/launcher.h"
#include "driver/launch/prepared_launch.h"

namespace lockstep::debugger {

/// Makes the launch of `session` once more with the kernel of that name in `solution`, on memory of its own, and holds
/// what `session` has in its memory now against the results, within the tolerances. `outputs`: empty: all tensors,
/// each by its type's tolerance. The error is the diagnostics' text.
Expected<std::vector<dap::Launched::Compared>, std::string> compare_with_solution(
    const driver::PreparedLaunch& session, const dap::LaunchWish::SourceText& solution,
    const std::vector<dap::Launched::Output>& outputs);

}  // namespace lockstep::debugger
