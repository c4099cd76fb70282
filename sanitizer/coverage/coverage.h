// Coverage: which elements of an output a launch wrote, from the ranges that it touched. Invariant: `never` and `twice`
// are facts of the launch; where the ranges are not known there is no Coverage. Private to the checker `coverage`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sanitizer/core/checker.h"
#include "findings/covered.h"
#include "interpreter/access/access_log.h"
#include "memory_model/view.h"

namespace lockstep::sanitizer {

/// Elements of a view in row-major order: first and last of each run.
struct ElementRuns {
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;
  std::int64_t count = 0;
  void add(std::int64_t element);
};

struct Coverage {
  std::int64_t elements = 0;            // distinct ones
  ElementRuns never, twice;             // twice: by more than one program
  bool tells_programs = false;          // twice is known
  std::uint32_t first = 0, second = 0;  // programs that both wrote the first element of `twice`
};

/// nullopt: too many elements to look at. `tells_programs`: chunks are programs' numbers.
std::optional<Coverage> coverage_of(const memory_model::View& view,
                                    const std::vector<interpreter::LoggedRange>& touched, bool tells_programs);

/// Accesses, assertions: what a fault stopped has left out its part. What checkers found has changed nothing.
bool has_faulted(const interpreter::LaunchReport& report);
/// Of each output of a completed launch, where what was touched is known.
std::vector<CoveredOutput> covered_outputs(const LaunchContext& context, const interpreter::LaunchReport& report);

/// What is left out, in the terms of the tensor: "out[64..127]", "elements 31, 63, 95 of each row".
struct Pattern {
  bool is_tail = false;  // what was written is a box that begins at the first element
  std::string text;
};
Pattern pattern_of(const memory_model::View& view, const ElementRuns& elements);

}  // namespace lockstep::checkers
