#include "interpreter/access/access_log.h"

#include <algorithm>
#include <atomic>
#include <span>

namespace lockstep::interpreter {

namespace {

std::atomic<std::uint64_t> taken_apart{0};

/// The furthest end among the ranges so far, and the furthest one among those of other chunks.
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

bool begins_before(const LoggedRange& a, const LoggedRange& b) { return a.begin < b.begin; }

/// Whole ranges, given by begin.
class Sweep {
 public:
  /// True if it overlaps an earlier one of another chunk, and one of the two is a write.
  bool add(const LoggedRange& range) {
    if (writes_.reaches(range) || (range.is_write && reads_.reaches(range))) return true;
    (range.is_write ? writes_ : reads_).add(range);
    return false;
  }

 private:
  Furthest writes_, reads_;
};

bool ranges_overlap(std::vector<LoggedRange>& log) {
  sort_log(log);
  Sweep sweep;
  return std::any_of(log.begin(), log.end(), [&sweep](const LoggedRange& range) { return sweep.add(range); });
}

bool sorted_ranges_overlap(const std::vector<LoggedRange>& a, const std::vector<LoggedRange>& b) {
  Sweep sweep;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool is_first = j == b.size() || (i < a.size() && begins_before(a[i], b[j]));
    if (sweep.add(is_first ? a[i++] : b[j++])) return true;
  }
  return false;
}

using Entries = std::span<const LoggedRange>;

/// Every run as a separate range; false if they are too many.
bool expand(Entries entries, std::vector<LoggedRange>& runs) {
  constexpr std::size_t kMaxRuns = std::size_t{1} << 23;
  std::size_t count = 0;
  for (const LoggedRange& range : entries) count += range.rows;
  if (count > kMaxRuns) return false;
  taken_apart.fetch_add(entries.size(), std::memory_order_relaxed);
  runs.reserve(count);
  for (const LoggedRange& range : entries) {
    if (range.rows == 1) runs.push_back(range);
    for (std::uint32_t i = 0; range.rows > 1 && i < range.rows; ++i) {
      const std::uint64_t begin = range.begin + i * range.stride;
      runs.push_back({begin, begin + range.run, range.chunk, range.is_write});
    }
  }
  return true;
}

/// The distance between the rows of all entries with several rows; 0: the distances differ, or rows overlap.
std::uint64_t common_stride(Entries entries) {
  std::uint64_t stride = 0;
  for (const LoggedRange& range : entries) {
    if (range.rows == 1) continue;
    if ((stride != 0 && range.stride != stride) || range.run > range.stride) return 0;
    stride = range.stride;
  }
  return stride;
}

/// Columns [begin, end) of the rows [first_row, end_row) of a matrix.
struct Rectangle {
  std::uint64_t begin, end, first_row, end_row;
  std::uint32_t chunk;
  bool is_write;
};

/// Memory from `origin` on as rows of `pitch` bytes: entries become one rectangle, or several if they wrap.
std::vector<Rectangle> rectangles_of(Entries entries, std::uint64_t origin, std::uint64_t pitch) {
  std::vector<Rectangle> made;
  made.reserve(entries.size() + entries.size() / 4);
  for (const LoggedRange& range : entries) {
    const auto add = [&](std::uint64_t begin, std::uint64_t end, std::uint64_t row, std::uint64_t rows) {
      if (begin < end && rows > 0) made.push_back({begin, end, row, row + rows, range.chunk, range.is_write});
    };
    const std::uint64_t row = (range.begin - origin) / pitch, column = (range.begin - origin) % pitch;
    const std::uint64_t run = range.rows > 1 ? range.run : range.end - range.begin;
    const std::uint64_t head = std::min(run, pitch - column), whole = (run - head) / pitch;
    add(column, column + head, row, range.rows);
    add(0, pitch, row + 1, whole);
    add(0, (run - head) % pitch, row + 1 + whole, range.rows);
  }
  return made;
}

/// May report an overlap if overlapping columns share rows only through a third rectangle.
bool rectangles_overlap(std::vector<Rectangle> all) {
  std::sort(all.begin(), all.end(), [](const Rectangle& a, const Rectangle& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.first_row < b.first_row;
  });
  std::vector<LoggedRange> rows;
  std::uint64_t end = 0;
  for (const Rectangle& one : all) {
    if (one.begin >= end) {
      if (ranges_overlap(rows)) return true;
      rows.clear();
    }
    end = std::max(end, one.end);
    rows.push_back({one.first_row, one.end_row, one.chunk, one.is_write});
  }
  return ranges_overlap(rows);
}

/// For entries whose ranges overlap.
bool runs_overlap(Entries entries) {
  const auto has_rows = [](const LoggedRange& range) { return range.rows > 1; };
  if (std::none_of(entries.begin(), entries.end(), has_rows)) return true;
  const std::uint64_t pitch = common_stride(entries);
  if (pitch != 0 && !rectangles_overlap(rectangles_of(entries, entries.front().begin, pitch))) return false;
  std::vector<LoggedRange> runs;
  return !expand(entries, runs) || ranges_overlap(runs);
}

bool covers(const LoggedRange& range, const LoggedRange& other) {
  if (other.begin < range.begin || other.end > range.end) return false;
  if (range.rows == 1) return true;
  if (other.rows > 1 && other.stride != range.stride) return false;
  const std::uint64_t run = other.rows > 1 ? other.run : other.end - other.begin;
  return (other.begin - range.begin) % range.stride + run <= range.run;
}

/// True: `known` was extended by `range` on its right.
bool extend(LoggedRange& known, const LoggedRange& range) {
  if (known.rows == 1) {
    if (known.end != range.begin) return false;
  } else {
    const bool follows = known.stride == range.stride && known.begin + known.run == range.begin;
    if (!follows || known.run + range.run > known.stride) return false;
    known.run += range.run;
  }
  known.end = range.end;
  return true;
}

}  // namespace

std::uint64_t entries_taken_apart() { return taken_apart.load(); }

bool AccessLog::joins(std::size_t entry, const LoggedRange& range) {
  LoggedRange& known = entries_[entry];
  if (range.is_write && !known.is_write) return false;
  bool is_in = covers(known, range);
  if (!is_in && known.is_write == range.is_write && known.rows == range.rows) is_in = extend(known, range);
  if (!is_in) return false;
  known.is_read_again |= known.is_write && !range.is_write;
  cursor_ = entry;
  return true;
}

std::size_t AccessLog::first_recent() const {
  constexpr std::size_t kRecent = 4;
  return std::max(chunk_begin_, entries_.size() - std::min(entries_.size(), kRecent));
}

bool AccessLog::note(const LoggedRange& range) {
  if (chunk_begin_ < entries_.size() && entries_[chunk_begin_].chunk != range.chunk) {
    chunk_begin_ = cursor_ = entries_.size();
  }
  if (chunk_begin_ < entries_.size()) {
    const std::size_t next = cursor_ + 1 < entries_.size() ? cursor_ + 1 : chunk_begin_;
    if (joins(cursor_, range) || joins(next, range)) return true;
    // Of several tensors' halves in turn, as a program's first accesses make them.
    for (std::size_t i = entries_.size(); i > first_recent();)
      if (joins(--i, range)) return true;
  }
  if (entries_.size() == kMaxEntries) return false;
  cursor_ = entries_.size();
  entries_.push_back(range);
  return true;
}

std::pair<std::uint64_t, std::uint64_t> AccessLog::touched_around(const LoggedRange& range) const {
  for (std::size_t i = first_recent(); i < entries_.size(); ++i) {
    const LoggedRange& known = entries_[i];
    const bool is_whole = known.rows == 1 || known.run == known.stride;
    if (is_whole && known.chunk == range.chunk && known.begin <= range.begin && range.end <= known.end)
      return {known.begin, known.end};
  }
  return {0, 0};
}

void sort_log(std::vector<LoggedRange>& log) {
  if (!std::is_sorted(log.begin(), log.end(), begins_before)) std::sort(log.begin(), log.end(), begins_before);
}

bool logs_overlap(const std::vector<LoggedRange>& a, const std::vector<LoggedRange>& b) {
  if (!sorted_ranges_overlap(a, b)) return false;
  std::vector<LoggedRange> both = a;
  both.insert(both.end(), b.begin(), b.end());
  return chunks_overlap(both);
}

bool chunks_overlap(std::vector<LoggedRange>& log) {
  if (!ranges_overlap(log)) return false;
  for (std::size_t first = 0, next = 0; first < log.size(); first = next) {
    std::uint64_t end = log[first].end;
    for (next = first + 1; next < log.size() && log[next].begin < end; ++next) end = std::max(end, log[next].end);
    const Entries entries(log.data() + first, next - first);
    std::vector<LoggedRange> together(entries.begin(), entries.end());
    if (ranges_overlap(together) && runs_overlap(entries)) return true;
  }
  return false;
}

}  // namespace lockstep::interpreter
