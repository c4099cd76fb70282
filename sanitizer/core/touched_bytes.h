// How many different bytes a launch wrote, from its touched ranges. Where that is as many as it stored, no byte was
// stored twice: not by two programs, not by two ops, not by two lanes. Invariant: an answer is exact.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/access/access_log.h"

namespace lockstep::sanitizer {

/// Of a range, counted as often as its rows overlap.
std::uint64_t bytes_of(const interpreter::LoggedRange& range);
/// Its rows share bytes with each other.
bool overlaps_itself(const interpreter::LoggedRange& range);

/// Different bytes in the ranges that are writes; `ranges` by rising begin. nullopt: too many rows to look at.
std::optional<std::uint64_t> count_written_bytes(const std::vector<interpreter::LoggedRange>& ranges);

}  // namespace lockstep::sanitizer
