// What programs that ran side by side touched in written storages, and the proof from it that they did not see each
// other. Invariant: chunks_overlap() says no only if no byte that one chunk wrote was touched by another. Programs of
// one chunk run one after the other and may touch what they like.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::interpreter {

/// A byte range touched by a chunk of programs: all of it, or `rows` runs of `run` bytes, `stride` apart, the first at
/// the begin and the last at the end.
struct LoggedRange {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t chunk = 0;
  bool is_write = false;
  std::uint32_t rows = 1;
  std::uint64_t run = 0, stride = 0;  // where there are more rows than one
};

/// Looks at whole ranges first, and at the runs within them only where those overlap. Sorts the log and may replace its
/// entries by their runs. More than a few million runs count as an overlap.
bool chunks_overlap(std::vector<LoggedRange>& log);

}  // namespace lockstep::interpreter
