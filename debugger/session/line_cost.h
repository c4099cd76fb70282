// The costs of a launch by lines of its text.
#pragma once

#include <cstdint>
#include <vector>

#include "debugger/session/session.h"

namespace lockstep::debugger {

struct LineCost {
  Place place;
  std::uint64_t executions = 0, sectors = 0, bytes = 0;
  double flops = 0, seconds = 0;
  void add(const LineCost& other);  // all but the place
};

/// In the order of the ops; ops without a known line share one.
std::vector<LineCost> costs_by_line(const LaunchCost& cost, const DebugKernel& kernel);

}  // namespace lockstep::debugger
