// How many different bytes a launch wrote, from its touched ranges. If that equals the number of bytes stored, no byte
// was stored twice: not by two programs, two ops or two lanes. Invariant: an answer is exact.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/access/access_log.h"

namespace lockstep::sanitizer {

/// The bytes of a range; bytes in overlapping rows count for each row.
std::uint64_t bytes_of(const interpreter::LoggedRange& range);
/// The rows of the range share bytes.
bool overlaps_itself(const interpreter::LoggedRange& range);

/// Different bytes in the ranges that are writes; `ranges` by ascending begin. nullopt: too many rows.
std::optional<std::uint64_t> count_written_bytes(const std::vector<interpreter::LoggedRange>& ranges);

}  // namespace lockstep::sanitizer
