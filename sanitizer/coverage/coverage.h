// The outputs of a launch that the checkers `coverage` and `tiles` look at. Invariant: nothing is said of a launch that a
// fault stopped. Not here: which elements were written (coverage_map.h).
#pragma once

#include <vector>

#include "findings/check_coverage.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Accesses, assertions: what a fault stopped has left out its part. What checkers found has changed nothing.
bool has_faulted(const interpreter::LaunchReport& report);
/// Of each output of a completed launch, where what was touched is known.
std::vector<CoveredOutput> covered_outputs(const LaunchContext& context, const interpreter::LaunchReport& report);

}  // namespace lockstep::sanitizer
