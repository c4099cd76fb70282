// Coverage: which elements of an output a launch wrote, from the ranges that it touched, and a text for a set of
// elements. Invariant: `never` and `twice` are facts of the launch; where the ranges are unknown there is no Coverage.
// Not here: which outputs are examined, what is reported (coverage.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

/// nullopt: too many elements. `tells_programs`: chunks are programs' numbers.
std::optional<Coverage> coverage_of(const memory_model::View& view,
                                    const std::vector<interpreter::LoggedRange>& touched, bool tells_programs);

/// The missing elements in the terms of the tensor: "out[64..127]", "elements 31, 63, 95 of each row".
struct Pattern {
  bool is_tail = false;  // what was written is a box that begins at the first element
  std::string text;
};
Pattern pattern_of(const memory_model::View& view, const ElementRuns& elements);

}  // namespace lockstep::sanitizer
