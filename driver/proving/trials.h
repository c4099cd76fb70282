// Trials: launches of a kernel that meet its contract, small ones, run to try a statement: those that meet its conditions
// must be clean, and one that does not, and fails, refutes. Deterministic. Not here: the statement (prove/statement.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/launch/launch_spec.h"
#include "driver/proving/asked.h"
#include "prove/evaluate.h"

namespace lockstep::driver {

/// A finding, in words: it outlives the launch's module.
struct TrialFailure {
  std::string code, place, message;
};

struct Trial {
  std::vector<std::string> words;  // of `lockstep run`, after the target
  std::string grid;
  bool meets_conditions = false;
  bool has_run = false;
  std::vector<TrialFailure> failures;  // accesses out of bounds
};

/// A launch that meets all conditions but one, which it misses by the least that was found, and fails.
struct Boundary {
  std::optional<Trial> beyond;  // nullopt: none was found or run
  bool is_exact = false;        // all launches just beyond that were run fail
};

struct Tried {
  std::size_t met = 0;                // launches that meet all conditions and were run
  bool is_possible = false;           // numbers were found that meet the contract and all conditions:
  prove::Numbers witness{};
  std::vector<Boundary> boundaries{};  // of each condition of a statement that has nothing undecided
  std::vector<Trial> contradictions;  // launches that meet all conditions and fail
  std::vector<Trial> refutations;     // launches of the contract that do not meet a condition on memory, and fail
};

Tried try_statement(const LaunchSpec& options, Asked& asked, const prove::Statement& statement);
/// "lockstep run FILE.py::KERNEL --grid 2 n=65 ...".
std::string command_text(const LaunchSpec& options, const Trial& trial);

}  // namespace lockstep::driver
