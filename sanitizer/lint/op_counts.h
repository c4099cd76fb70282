// How often a launch executes each op, as far as the text, the grid and the arguments say. Invariant: it runs nothing
// and reads no array; a count that depends on computed values is a guess and says so. Not here: an execution's cost
// (check_budget.h), its touched bytes (covered_by.h).
#pragma once

#include <functional>

#include "sanitizer/core/checker.h"
#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {

/// Executions by all programs together.
struct OpCount {
  Wide times = 0;        // at most 2^62
  bool is_exact = true;  // false: loops of unknown length count as 16 turns, unknown branches as both sides
};

/// All ops that programs reach, in the order of the text, once for each call path; not those in the regions of
/// reductions, scans and maps, which belong to their op.
void for_each_count(const LaunchContext& context, const std::function<void(const ir::Op&, const OpCount&)>& visit);

}  // namespace lockstep::sanitizer
