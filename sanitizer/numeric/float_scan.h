// FloatScan: whether floats in memory are NaN or infinite; several threads scan at the speed of memory. The floats
// checker scans the written memory after a launch. Invariant: an answer is exact. Not here: where the values came from.
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
  /// The written part of a float view: by ranges if there are few, else all of it. Null: unknown.
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
