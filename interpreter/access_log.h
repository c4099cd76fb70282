// What programs that ran side by side touched in written storages, and the proof from it that they did not see each
// other. Invariant: chunks_overlap() says no only if no byte that one chunk wrote was touched by another. Programs of
// one chunk run one after the other and may touch what they like.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::interpreter {

/// A byte range touched by a chunk of programs.
struct LoggedRange {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t chunk = 0;
  bool is_write = false;
};

/// Sorts the log.
bool chunks_overlap(std::vector<LoggedRange>& log);

}  // namespace lockstep::interpreter
