// Runs one checker alone over a launch: it answers a question in runs of its own, apart from those of `--check`.
// Invariant: it prints nothing, and memory is as the launch leaves it.
#pragma once

#include <optional>

#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Runs the launch of context.request with steps for this checker, on one thread; the caller calls its begin() and
/// end(). `hoists`: loop-invariant ops may run once before their loop, for all its iterations. nullopt: planning or
/// binding fails.
std::optional<interpreter::LaunchReport> run_alone(Checker& checker, const LaunchContext& context, bool hoists);

}  // namespace lockstep::sanitizer
