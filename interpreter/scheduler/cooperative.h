// Programs in order, on one thread, as Scheduler says: one that only waits gives way, and a state in which nobody can
// ever move again is a proven deadlock.
#pragma once

#include <cstdint>

#include "interpreter/scheduler/program_runner.h"

namespace lockstep::interpreter {

/// Runs the programs from `first` on, of an ordered launch. False: those that are left wait for each other for ever,
/// which is reported (LS901).
bool run_cooperatively(ProgramRunner& runner, Machine& machine, std::uint64_t first);

}  // namespace lockstep::interpreter
