// A result that differs from what was expected of it, and where in the kernel it went wrong: LS608 where its digits
// were lost or its arithmetic is another, LS802 where an axis or a stride is. Two kinds of evidence, both made by
// running: the result in f64 (error_origin.h), which tells rounding from arithmetic; and the launch again with one
// change of the kernel (repair.h), after which every output is as expected. Invariant: memory is left as the launch
// left it. Not here: what counts as equal, reading expectations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sanitizer/core/checker.h"
#include "sanitizer/core/storage_bytes.h"
#include "sanitizer/triage/expectation.h"

namespace lockstep::sanitizer {

/// The name of the row of --check under which this runs.
inline constexpr std::string_view kExpectationChecker = "expectation";

/// That row: it needs nothing of the launch itself.
class ExpectationChecker : public Checker {
  Requirements needs(const LaunchContext&) const override { return {}; }
};

/// The f64 result is what was expected, as far as `got` is not.
bool explains(double exact, double got, double expected);

/// The storages that the launch may write, before it; null: none of it, or more than can be copied for a look back.
std::unique_ptr<StorageBytes> keep_for_mismatch(const LaunchContext& context);

/// After a launch that completed and left an expectation unmet: findings, nothing where all are met.
std::vector<Finding> locate_mismatch(const LaunchContext& context, const StorageBytes& before,
                                     const std::vector<Expectation>& expectations);

}  // namespace lockstep::sanitizer
