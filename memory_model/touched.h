// Which pages of a range were ever touched, as the system knows it: what lets a tensor larger than memory be saved and
// copied at the cost of what was written to it. Only for memory that was zeros when it was mapped (storages that an
// AddressSpace allocated). Does not touch a page itself. Source: /proc/self/pagemap, Linux (pagemap.rst of its
// documentation); elsewhere nothing is known. Units: bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory_model/view.h"

namespace lockstep::memory_model {

/// Parts of `extent` that may hold other bytes than zeros, rising, as large as possible, none overlapping. nullopt: the
/// system does not tell; every byte counts.
std::optional<std::vector<Extent>> touched_ranges(const Extent& extent);

/// Memory that the machine could still give without swapping; 0: unknown.
std::uint64_t available_memory();
/// What this process holds of it now; 0: unknown.
std::uint64_t resident_memory();

}  // namespace lockstep::memory_model
