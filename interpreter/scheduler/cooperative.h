// Runs programs on one thread in Scheduler's order: one that only waits gives way, and a state in which no program can
// ever move again is a proven deadlock.
#pragma once

#include <cstdint>

#include "interpreter/scheduler/program_runner.h"

namespace lockstep::interpreter {

/// Runs the programs of an ordered launch from `first` on. False: the remaining ones wait for each other forever, which
/// is reported (LS901).
bool run_cooperatively(ProgramRunner& runner, Machine& machine, std::uint64_t first);

}  // namespace lockstep::interpreter
