// Exploration: tries a launch whose programs may see each other in several orders of its programs. Memory and the
// report are those of the grid's order; the other orders add findings that it did not have, and the results that depend
// on the order (LS310). Invariant: the same seed tries the same orders. Not here: how the scheduler follows an order
// (interpreter/scheduler/scheduler.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// `launch`: runs the launch once. It is called as often as the options say if the order may matter; else once.
/// `time_left`: seconds for the whole launch; 0: no limit.
std::optional<interpreter::LaunchReport> launch_schedules(
    const LaunchContext& context,
    const std::function<std::optional<interpreter::LaunchReport>(const interpreter::RunRequest&)>& launch,
    const std::function<double()>& time_left);

/// RunRequest::schedule for the one order that the options name (only_schedule); 0: the grid's. Finding some orders
/// takes a launch in the grid's order; memory is then as before.
std::uint64_t chosen_schedule(const LaunchContext& context);

}  // namespace lockstep::sanitizer
