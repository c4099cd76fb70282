// Ahead: before a program of an ordered launch starts, the chains that it and its neighbours can compute without each
// other are computed side by side (batching/ahead_part.h). Invariant: nothing but speed depends on it: a run that does
// not succeed leaves no trace, and the programs compute everything in their turns. One per ordered launch.
#pragma once

#include <cstdint>

#include "interpreter/launch/machine.h"
#include "interpreter/scheduler/program_runner.h"

namespace lockstep::interpreter {

class Ahead {
 public:
  Ahead(ProgramRunner& runner, Machine& machine)
      : runner_(runner), machine_(machine), plan_(runner.launch().ahead) {}
  ~Ahead() { machine_.ahead = {}; }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  /// The program is about to start.
  void before_start(std::uint64_t program) {
    if (plan_ != nullptr && !machine_.ahead.holds(program)) run_from(program);
  }

 private:
  void run_from(std::uint64_t program);

  ProgramRunner& runner_;
  Machine& machine_;
  const BatchPlan* plan_;  // null: none, or it failed
  ProgramState state_;
};

}  // namespace lockstep::interpreter
