// Reversals: orders of programs in which two atomics that met on an address come the other way round, one pair an
// order: what a search for orders that matter tries first (a small form of dynamic partial-order reduction). Invariant:
// the same launch has the same list. Not here: how an order is carried out (interpreter/scheduler/scheduler.h).
#pragma once

#include <cstdint>
#include <vector>

#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Runs the launch in grid order, silently, and notes which atomics of different programs follow each other on an
/// address where one changes it and somebody looks at what it was, or floats are added. For RunRequest::schedule; each
/// pair of ops takes its turn. Memory is left as the launch leaves it. Empty: there are none, or it could not be run.
std::vector<std::uint64_t> find_reversals(const LaunchContext& context, double timeout_seconds);

}  // namespace lockstep::sanitizer
