// Which pages of a range were ever touched, from the system: so a tensor larger than memory can be saved and copied at
// the cost of its written part. Only for memory that was zeros when it was mapped (storages that an AddressSpace
// allocated). Does not touch a page itself. Source: /proc/self/pagemap, Linux (pagemap.rst of its documentation);
// elsewhere unknown. Units: bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory_model/view.h"

namespace lockstep::memory_model {

/// Parts of `extent` that may hold other bytes than zeros, rising, as large as possible, none overlapping. nullopt:
/// unknown, so every byte counts.
std::optional<std::vector<Extent>> touched_ranges(const Extent& extent);

/// Memory that the machine could still give without swapping; 0: unknown.
std::uint64_t available_memory();
/// The process's present share of it; 0: unknown.
std::uint64_t resident_memory();

}  // namespace lockstep::memory_model
