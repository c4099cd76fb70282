// CheckCoverage: the checks of a launch, and how much of it ran, so that silence differs from not checking. Plain data;
// sanitizer/coverage/covered_by.h fills it. Invariant: numbers are facts of the launch; unknown ones are absent, never
// guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Bytes of memory that loads (or stores) would have touched with every lane on, and those that no lane touched because
/// a mask or the shape of a block excluded them. Atomics count as both.
struct CoveredAccesses {
  std::uint64_t bytes = 0, off = 0;
};

/// An argument that the kernel writes and never reads.
struct CoveredOutput {
  std::string name;
  std::int64_t elements = 0, never = 0;  // never: written by no program
};

struct CheckCoverage {
  std::optional<CoveredAccesses> loads, stores;  // nullopt: how often they ran hangs on what programs computed
  std::vector<CoveredOutput> outputs;            // those of which it is known
  /// Checkers by what they examined: every execution of their ops; the memory that programs touched; only the text and
  /// the arguments, which rule everything out.
  std::vector<std::string> by_steps, by_ranges, by_text;
  /// Checkers that were on and did not run because of their cost: in no launch like this one; in an earlier one.
  std::vector<std::string> left_out, earlier;
};

/// Lines for people, indented by two; empty without facts.
std::string covered_text(const CheckCoverage& covered);
/// A JSON object.
std::string covered_json(const CheckCoverage& covered);

}  // namespace lockstep
