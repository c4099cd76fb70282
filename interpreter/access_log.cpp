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

}  // namespace

bool chunks_overlap(std::vector<LoggedRange>& log) {
  const auto by_begin = [](const LoggedRange& a, const LoggedRange& b) { return a.begin < b.begin; };
  if (!std::is_sorted(log.begin(), log.end(), by_begin)) std::sort(log.begin(), log.end(), by_begin);
  Furthest writes, reads;
  for (const LoggedRange& range : log) {
    if (writes.reaches(range) || (range.is_write && reads.reaches(range))) return true;
    (range.is_write ? writes : reads).add(range);
  }
  return false;
}

}  // namespace lockstep::interpreter
