// CheckCoverage of a launch: from its report, and from the kernel's text where that says how often each access ran.
// Invariant: nothing is run, and nothing is asked of a launch while it runs. Not here: words (findings/check_coverage.h).
#pragma once

#include "findings/check_coverage.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// After the launch, with its memory as it left it.
CheckCoverage covered_by(const LaunchContext& context, const interpreter::LaunchReport& report,
                   const NotLookedFor& missed = {});

}  // namespace lockstep::sanitizer
