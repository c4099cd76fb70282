// The outputs of a launch that the checkers `coverage` and `tiles` examine. Invariant: they report nothing on a launch
// that a fault stopped. Not here: which elements were written (coverage_map.h).
#pragma once

#include <vector>

#include "findings/check_coverage.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// A fault (an access or an assertion) stopped the launch, so that part of it is missing. Findings of checkers stop
/// nothing.
bool has_faulted(const interpreter::LaunchReport& report);
/// Each output of a completed launch whose touched ranges are known.
std::vector<CoveredOutput> covered_outputs(const LaunchContext& context, const interpreter::LaunchReport& report);

}  // namespace lockstep::sanitizer
