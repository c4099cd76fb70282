// A launch beside the same one of another kernel text: what a lesson's check asks. Not here: findings.
#pragma once

#include <string>
#include <vector>

#include "cli/run_session.h"
#include "debugger/dap/transport/launcher.h"

namespace lockstep::cli {

/// Makes the launch of `session` once more with the kernel of that name in `solution`, on memory of its own, and holds
/// what `session` has in its memory now against the results, within the tolerances. `outputs`: empty: all tensors,
/// each by its type's tolerance. The error is the diagnostics' text.
Expected<std::vector<debugger::dap::Launched::Compared>, std::string> compare_with_solution(
    const RunSession& session, const debugger::dap::LaunchWish::SourceText& solution,
    const std::vector<debugger::dap::Launched::Output>& outputs);

}  // namespace lockstep::cli
