// AheadRun: a machine's results of AheadPart::kept for some programs. Not here: who computes them (scheduler/ahead.h).
#pragma once

#include <cstdint>

namespace lockstep::interpreter {

struct BatchPlan;
struct ProgramState;

struct AheadRun {
  std::uint64_t first = 0;     // program
  std::uint32_t programs = 0;  // 0: none
  const BatchPlan* plan = nullptr;
  const ProgramState* state = nullptr;  // after the plan

  bool holds(std::uint64_t program) const { return program - first < programs; }
};

}  // namespace lockstep::interpreter
