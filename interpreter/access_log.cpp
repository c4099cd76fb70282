#include "interpreter/access_log.h"

#include <algorithm>

namespace lockstep::interpreter {

namespace {

/// The furthest end among ranges seen so far, and that among those of other chunks than the furthest one's.
struct Furthest {
  std::uint64_t end = 0, other_end = 0;
  std::uint32_t chunk = 0;

  bool reaches(const LoggedRange& range) const { return (range.chunk == chunk ? other_end : end) > range.begin; }
  void add(const LoggedRange& range) {
    if (range.chunk == chunk) {
      end = std::max(end, range.end);
    } else if (range.end > end) {
      other_end = end;
      end = range.end;
      chunk = range.chunk;
    } else {
      other_end = std::max(other_end, range.end);
    }
  }
};

bool ranges_overlap(std::vector<LoggedRange>& log) {
  const auto by_begin = [](const LoggedRange& a, const LoggedRange& b) { return a.begin < b.begin; };
  if (!std::is_sorted(log.begin(), log.end(), by_begin)) std::sort(log.begin(), log.end(), by_begin);
  Furthest writes, reads;
  for (const LoggedRange& range : log) {
    if (writes.reaches(range) || (range.is_write && reads.reaches(range))) return true;
    (range.is_write ? writes : reads).add(range);
  }
  return false;
}

/// Every run as a range of its own; false if they are too many.
bool expand(std::vector<LoggedRange>& log) {
  constexpr std::size_t kMaxRuns = std::size_t{1} << 23;
  std::size_t runs = 0;
  for (const LoggedRange& range : log) runs += range.rows;
  if (runs > kMaxRuns) return false;
  std::vector<LoggedRange> expanded;
  expanded.reserve(runs);
  for (const LoggedRange& range : log) {
    if (range.rows == 1) expanded.push_back(range);
    for (std::uint32_t i = 0; range.rows > 1 && i < range.rows; ++i) {
      const std::uint64_t begin = range.begin + i * range.stride;
      expanded.push_back({begin, begin + range.run, range.chunk, range.is_write});
    }
  }
  log = std::move(expanded);
  return true;
}

}  // namespace

bool chunks_overlap(std::vector<LoggedRange>& log) {
  if (!ranges_overlap(log)) return false;
  const bool has_rows = std::any_of(log.begin(), log.end(), [](const LoggedRange& range) { return range.rows > 1; });
  return !has_rows || !expand(log) || ranges_overlap(log);
}

}  // namespace lockstep::interpreter
