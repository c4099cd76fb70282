// Reversals: orders of programs that reverse two atomics on one address, one pair per order. A search for orders that
// matter tries them first (a small form of dynamic partial-order reduction). Invariant: the same launch has the same
// list. Not here: how the scheduler follows an order (interpreter/scheduler/scheduler.h).
#pragma once

#include <cstdint>
#include <vector>

#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Runs the launch in grid order, silently, and records atomics of different programs that follow each other on an
/// address, if one changes it and some program uses the old value, or if they add floats. For RunRequest::schedule;
/// each pair of ops takes its turn. Memory is as the launch leaves it. Empty: there are none, or the launch could not
/// run.
std::vector<std::uint64_t> find_reversals(const LaunchContext& context, double timeout_seconds);

}  // namespace lockstep::sanitizer
