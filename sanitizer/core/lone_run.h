// One checker alone over a launch: what answers a question about it in runs of its own, beside those of `--check`.
// Invariant: nothing is printed, and memory is left as the launch leaves it.
#pragma once

#include <optional>

#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Makes the launch of context.request with steps for this checker, on one thread; its begin() and end() are the
/// caller's. `hoists`: loop-invariant ops may run before their loop, once for all its iterations. nullopt: it cannot be
/// planned or bound.
std::optional<interpreter::LaunchReport> run_alone(Checker& checker, const LaunchContext& context, bool hoists);

}  // namespace lockstep::sanitizer
