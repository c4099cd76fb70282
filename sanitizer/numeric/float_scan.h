// FloatScan: whether floats in memory are NaN or infinite, looked up by several threads at the speed of memory. What
// the floats checker asks after a launch of what was written. Invariant: an answer is exact. Not here: where they came
// from.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/launch/launch.h"
#include "memory_model/view.h"
#include "support/scalar.h"

namespace lockstep::sanitizer {

class FloatScan {
 public:
  /// Elements of a float format, whole ones: [begin, end).
  void add(ScalarKind kind, std::uint64_t begin, std::uint64_t end);
  /// What of a float view was written: by the ranges where they are few, else all of it. Null: not known.
  void add_written(const memory_model::View& view, const std::vector<interpreter::LoggedRange>* touched);
  /// `threads`: at most.
  bool finds_special(unsigned threads) const;

 private:
  struct Part {
    ScalarKind kind{};
    std::uint64_t begin = 0, end = 0;
  };
  struct Search;
  std::vector<Part> parts_;
};

}  // namespace lockstep::sanitizer
