// Compares a launch with the same one of another kernel text, for a lesson's check. Not here: findings.
#pragma once

#include <string>
#include <vector>

#include "debugger/dap/transport/launcher.h"
#include "driver/launch/prepared_launch.h"

namespace lockstep::debugger {

/// Runs the launch of `session` again with the kernel of that name in `solution`, on memory of its own, and compares
/// the present memory of `session` with the results, within the tolerances. `outputs`: empty: all tensors, each by its
/// type's tolerance. The error is the diagnostics' text.
Expected<std::vector<dap::Launched::Compared>, std::string> compare_with_solution(
    const driver::PreparedLaunch& session, const dap::LaunchWish::SourceText& solution,
    const std::vector<dap::Launched::Output>& outputs);

}  // namespace lockstep::debugger
