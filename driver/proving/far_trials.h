// Far trials: a condition that no small launch misses, such as (B - 1)*T <= 2147483647, is tried where it ends: the least
// launch beyond it, in which the programs at the corners of the grid run, and the greatest within it. Deterministic: work is
// counted. Memory that nobody touches costs nothing. Not here: small launches (trials.h).
#pragma once

#include <functional>
#include <vector>

#include "driver/proving/trial_launch.h"

namespace lockstep::driver {

struct FarQuestion {
  const Asked& asked;
  const prove::Statement& statement;
  const TrialLauncher& launcher;
  const std::vector<prove::AtomId>& free;  // numbers that a launch may choose
  /// Sets what arguments of no given size own; false: they cannot.
  std::function<bool(prove::Numbers&)> own_enough;
};

/// Whether it speaks of numbers that wrap.
bool is_of_numbers(const prove::Condition& condition);
Boundary find_far_boundary(const FarQuestion& question, std::size_t which);

}  // namespace lockstep::driver
