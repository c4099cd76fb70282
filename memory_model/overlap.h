// Groups of ranges that overlap, found with Boost's interval containers; the room's only user of them. Private to the
// room. Ranges that only touch do not overlap; empty ranges overlap nothing. Source: Boost.ICL 1.74 documentation,
// interval_map.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory_model/view.h"

namespace lockstep::memory_model {

/// Connected groups of positions of `extents` (a chain a-b, b-c is one group), each sorted, by first member; a range
/// that overlaps nothing is a group of its own; empty ranges are left out.
std::vector<std::vector<std::int32_t>> overlap_groups(std::span<const Extent> extents);

}  // namespace lockstep::memory_model
