// Trials: launches of a kernel that meet its contract, small ones, run to try a statement: those that meet its conditions
// must be clean, and one that does not, and fails, refutes. Deterministic. Not here: the statement (prove/statement.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/launch/launch_spec.h"
#include "driver/proving/asked.h"
#include "driver/proving/trial_launch.h"
#include "prove/evaluate.h"

namespace lockstep::driver {

struct Tried {
  std::size_t met = 0;                // launches that meet all conditions and were run
  bool is_possible = false;           // numbers were found that meet the contract and all conditions:
  prove::Numbers witness{};
  std::optional<std::size_t> in_the_way{};  // no such numbers were found: the condition that was given up last
  std::vector<Boundary> boundaries{};  // of each condition of a statement that has nothing undecided
  std::vector<Trial> clean{};          // those that meet all conditions
  std::vector<Trial> contradictions;  // launches that meet all conditions and fail
  std::vector<Trial> refutations;     // launches of the contract that do not meet a condition on memory, and fail
};

Tried try_statement(const LaunchSpec& options, Asked& asked, const prove::Statement& statement);

}  // namespace lockstep::driver
