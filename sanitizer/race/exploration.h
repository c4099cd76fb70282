// Exploration: a launch whose programs may see each other, tried in several orders of its programs. What the launch
// leaves in memory and in its report is the grid's order's; of the others come findings that it did not have, and what
// of the results depends on the order (LS310). Invariant: the same seed tries the same orders. Not here: how an order
// is carried out (interpreter/scheduler/scheduler.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// `launch`: makes the launch once. As many times as the options say where the order may show; else once. `time_left`:
/// in seconds, for the launch as a whole; 0: no limit.
std::optional<interpreter::LaunchReport> launch_schedules(
    const LaunchContext& context,
    const std::function<std::optional<interpreter::LaunchReport>(const interpreter::RunRequest&)>& launch,
    const std::function<double()>& time_left);

/// RunRequest::schedule of the order that the options name alone (only_schedule); 0: the grid's. It takes a launch in
/// the grid's order to find some of them; memory is as before.
std::uint64_t chosen_schedule(const LaunchContext& context);

}  // namespace lockstep::sanitizer
