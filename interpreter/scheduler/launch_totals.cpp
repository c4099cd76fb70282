#include "interpreter/scheduler/launch_totals.h"

namespace lockstep::interpreter {

void LaunchTotals::keep_touched(std::vector<LoggedRange> ranges, bool has_lost_some) {
  has_lost_touched |= has_lost_some;
  if (touched.empty()) {
    touched = std::move(ranges);
  } else {
    touched.insert(touched.end(), ranges.begin(), ranges.end());
  }
}

void LaunchTotals::collect_touched(Machine& machine) {
  const bool has_lost_some = std::exchange(machine.kept_overflow, false);
  keep_touched(machine.kept.take(), has_lost_some);
}

}  // namespace lockstep::interpreter
