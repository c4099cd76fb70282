// Byte runs: the different bytes of an access as ranges, and how many units of memory (sectors, cache lines) they lie
// in: the only code that counts them. Invariant of runs: rising, none empty, none adjacent to the next. Units: bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "memory_model/view.h"

namespace lockstep::memory_model {

inline constexpr std::uint64_t kSectorBytes = 32, kLineBytes = 128;  // what GPUs move, and what their caches hold

/// Sorts ranges and joins those that overlap or meet. Precondition: none is empty.
void join_runs(std::vector<Extent>& ranges);
/// Aligned units of `unit` bytes that the runs lie in, each counted once.
std::uint64_t units_of(const std::vector<Extent>& runs, std::uint64_t unit);
/// Bytes of all runs.
std::uint64_t bytes_of_runs(const std::vector<Extent>& runs);

}  // namespace lockstep::memory_model
