// Tells a launch without races from one that needs a close look, before any step runs: the effects of the kernel on its
// arguments, and the bytes that the launch touched. Invariant: where the answer is no race, there was none that the
// race checker would report. Not here: finding them (race_engine.h).
#pragma once

#include <vector>

#include "interpreter/batching/effects.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Facts about a kernel, whatever its arguments.
struct RaceFacts {
  interpreter::MemoryEffects effects;
  bool has_fences = false;     // inline assembly that orders memory, which is not modelled: nothing is judged
  bool has_acquirers = false;  // accesses that may learn what others released
  bool mixes_atomics = false;  // of several widths, or of a scope smaller than the grid
};
RaceFacts race_facts(const ir::Module& module, const ir::Op& function);

/// How closely to examine a launch.
struct RaceLook {
  Checker::Requirements needs;
  // By storage:
  std::vector<bool> is_watched;   // programs may meet there other than by atomics that agree
  std::vector<bool> is_followed;  // those, and where atomics may order programs
};
RaceLook race_look(const LaunchContext& context, const RaceFacts& facts);

/// After a launch without steps that recorded the touched ranges.
bool may_have_raced(const LaunchContext& context, const RaceLook& look, const interpreter::LaunchReport& report);

}  // namespace lockstep::sanitizer
