// CheckCoverage of a launch: from its report, and from the kernel's text where that says how often each access ran.
// Invariant: it runs nothing, and asks nothing of a running launch. Not here: texts (findings/check_coverage.h).
#pragma once

#include "findings/check_coverage.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Call it after the launch, with memory as the launch left it.
CheckCoverage covered_by(const LaunchContext& context, const interpreter::LaunchReport& report,
                   const NotLookedFor& missed = {});

}  // namespace lockstep::sanitizer
