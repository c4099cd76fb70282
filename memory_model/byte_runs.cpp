#include "memory_model/byte_runs.h"

#include <algorithm>

namespace lockstep::memory_model {

void join_runs(std::vector<Extent>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (const Extent range : ranges) {
    if (kept > 0 && range.begin <= ranges[kept - 1].end) {
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
}

std::uint64_t units_of(const std::vector<Extent>& runs, std::uint64_t unit) {
  std::uint64_t units = 0, next = 0;  // next: the first unit that was not counted
  for (const Extent& run : runs) {
    const std::uint64_t first = std::max(run.begin / unit, next);
    const std::uint64_t end = (run.end - 1) / unit + 1;
    if (end <= first) continue;
    units += end - first;
    next = end;
  }
  return units;
}

std::uint64_t bytes_of_runs(const std::vector<Extent>& runs) {
  std::uint64_t bytes = 0;
  for (const Extent& run : runs) bytes += run.bytes();
  return bytes;
}

}  // namespace lockstep::memory_model
