// The finding about programs that wait for something that no program can change any more (LS901): who waits where for
// what, who changed it last, and what would have to be resident. Invariant: all of it comes from the programs' states.
// Not here: detecting that no program can move (cooperative.h).
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

using LivePrograms = std::vector<const ProgramState*>;

struct DeadlockFacts {
  bool is_proven = true;            // else: nothing changed for so many rounds
  std::uint64_t rounds = 0;         // see above
  std::uint64_t never_started = 0;  // programs that had no room (RunRequest::resident)
};

/// Adds LS901. Precondition: `waiting` is not empty.
void report_deadlock(Machine& machine, const LivePrograms& waiting, const DeadlockFacts& facts);

}  // namespace lockstep::interpreter
