#include "sanitizer/core/touched_bytes.h"

#include <algorithm>

namespace lockstep::sanitizer {

namespace {

using interpreter::LoggedRange;

constexpr std::uint64_t kMaxRows = 1u << 22;

struct Run {
  std::uint64_t begin = 0, end = 0;
};

/// Row by row, for ranges that overlap as wholes.
bool add_rows(const LoggedRange& range, std::vector<Run>& runs) {
  if (runs.size() + range.rows > kMaxRows) return false;
  if (range.rows == 1) {
    runs.push_back({range.begin, range.end});
    return true;
  }
  for (std::uint32_t i = 0; i < range.rows; ++i) {
    const std::uint64_t begin = range.begin + i * range.stride;
    runs.push_back({begin, begin + range.run});
  }
  return true;
}

std::uint64_t count_runs(std::vector<Run>& runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
  std::uint64_t bytes = 0, end = 0;
  for (const Run& run : runs) {
    const std::uint64_t begin = std::max(run.begin, end);
    if (run.end <= begin) continue;
    bytes += run.end - begin;
    end = run.end;
  }
  return bytes;
}

}  // namespace

std::uint64_t bytes_of(const LoggedRange& range) {
  return range.rows == 1 ? range.end - range.begin : range.rows * range.run;
}

bool overlaps_itself(const LoggedRange& range) { return range.rows > 1 && range.stride < range.run; }

std::optional<std::uint64_t> count_written_bytes(const std::vector<LoggedRange>& ranges) {
  std::uint64_t bytes = 0;
  std::vector<Run> runs;
  for (std::size_t i = 0; i < ranges.size();) {
    std::size_t last = i;  // of a group of ranges, each of which overlaps what came before it
    std::uint64_t end = ranges[i].end;
    while (last + 1 < ranges.size() && ranges[last + 1].begin < end) end = std::max(end, ranges[++last].end);
    const bool is_plain = last == i && !overlaps_itself(ranges[i]);
    if (is_plain) {
      bytes += ranges[i].is_write ? bytes_of(ranges[i]) : 0;
    } else {
      runs.clear();
      for (std::size_t k = i; k <= last; ++k) {
        if (ranges[k].is_write && !add_rows(ranges[k], runs)) return std::nullopt;
      }
      bytes += count_runs(runs);
    }
    i = last + 1;
  }
  return bytes;
}

}  // namespace lockstep::sanitizer
