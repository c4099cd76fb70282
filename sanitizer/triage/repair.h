// Repair: which single change of a kernel makes its outputs what is expected of them? Changes are those that mistakes
// are made of: a neighbour's mask, another `other`, another axis, strides or programs' axes exchanged, a tile
// transposed, operands exchanged or taken from elsewhere, a factor left out or too much. Each is made on a copy of the
// kernel, verified, launched from the same bytes and judged by all expectations; where it takes nearly all of the distance away and
// leaves some, also by what f64 makes of it (exact_launch.h), because the numbers then lie apart by rounding that no
// change mends: tf32, small formats. Invariant: what is called a repair was run and met every expectation, as it is or
// in f64; what the launch may write is anything when search() returns. Not here: which of
// several repairs is the one that was meant (they are in the order of plausibility, and are held against each other on
// further inputs), repairs of two changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sanitizer/core/checker.h"
#include "sanitizer/core/storage_bytes.h"
#include "sanitizer/triage/expectation.h"

namespace lockstep::sanitizer {

/// What a change leaves that meets every expectation in f64 alone.
struct RoundingLeft {
  std::vector<Outside> outside;  // by expectation, as it runs
  std::string cause;             // ", 96 % of that in line 17 (a dot in tf32)"; "": no single op makes most of it
};

/// A change that was run and met every expectation.
struct Repair {
  bool is_axis = false;        // of axes, strides, layouts: LS802; else arithmetic: LS608
  const ir::Op* op = nullptr;  // of the kernel
  std::string text;            // "with axis=0 in place of axis=1"
  double distance = 0;         // the largest that any output is still from its expectation
  std::string diff;            // "- old\n+ new" of the user's source; "": it cannot be told there
  std::string cause;           // what is wrong without it; "": no more is known
  /// On further inputs it leaves what the first repair leaves; nullopt: it is the first one, or there were no further
  /// inputs.
  std::optional<bool> is_as_first{};
  std::optional<RoundingLeft> left{};  // nullopt: it meets them as it runs
};

struct RepairSearch {
  std::vector<Repair> repairs;  // the most plausible first
  std::size_t tried = 0, possible = 0;
};

/// `lanes`: lanes of float ops in one program, a measure of the launch's cost; the search tries fewer changes of long
/// launches.
RepairSearch search_repairs(const LaunchContext& context, const StorageBytes& before,
                            const std::vector<Expectation>& expectations, std::uint64_t lanes);

}  // namespace lockstep::sanitizer
