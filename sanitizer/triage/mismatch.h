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

/// The name of this checker's row in --check.
inline constexpr std::string_view kExpectationChecker = "expectation";

/// That row: it needs nothing from the launch itself.
class ExpectationChecker : public Checker {
  Requirements needs(const LaunchContext&) const override { return {}; }
};

/// The f64 result equals the expected one where `got` does not.
bool explains(double exact, double got, double expected);

/// The storages that the launch may write, before it; null: none, or too large to copy.
std::unique_ptr<StorageBytes> keep_for_mismatch(const LaunchContext& context);

/// After a launch that completed with an unmet expectation: findings; empty if all are met.
std::vector<Finding> locate_mismatch(const LaunchContext& context, const StorageBytes& before,
                                     const std::vector<Expectation>& expectations);

}  // namespace lockstep::sanitizer
