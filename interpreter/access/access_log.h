// The memory that concurrent programs touched in written storages, and the proof from it that they did not see each
// other. Invariant: chunks_overlap() is false only if no chunk touched a byte that another one wrote. Programs of one
// chunk run one after the other and may touch anything.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace lockstep::interpreter {

/// A byte range touched by a chunk of programs: all of it, or `rows` runs of `run` bytes, `stride` apart, the first at
/// the start and the last at the end.
struct LoggedRange {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t chunk = 0;
  bool is_write = false;
  std::uint32_t rows = 1;
  std::uint64_t run = 0, stride = 0;  // where there are more rows than one
  bool is_read_again = false;         // a write: its chunk read some of it afterwards
};

/// The entries of one worker. A range joins an entry of its chunk if they form one rectangle, or if the entry covers
/// it; the log only checks the entries next in turn and the last few, because accesses repeat the order of the last ones.
class AccessLog {
 public:
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 22;
  /// False: the log is full, and the range is not in it.
  bool note(const LoggedRange& range);
  const std::vector<LoggedRange>& entries() const { return entries_; }
  /// The bytes [begin, end) of one of the last entries of the running chunk, if it covers `range` and has no gaps; begin
  /// == end: there is none.
  std::pair<std::uint64_t, std::uint64_t> touched_around(const LoggedRange& range) const;
  /// Gives them away and starts again.
  std::vector<LoggedRange> take() {
    chunk_begin_ = cursor_ = 0;
    return std::exchange(entries_, {});
  }

 private:
  bool joins(std::size_t entry, const LoggedRange& range);
  std::size_t first_recent() const;

  std::vector<LoggedRange> entries_;
  std::size_t chunk_begin_ = 0, cursor_ = 0;
};

/// By begin.
void sort_log(std::vector<LoggedRange>& log);
/// chunks_overlap() of two chunks' logs, each sorted.
bool logs_overlap(const std::vector<LoggedRange>& a, const std::vector<LoggedRange>& b);

/// Compares whole ranges first; if those overlap, rectangles of rows and columns if their strides agree, else every
/// run. Sorts the log. More than a few million runs count as an overlap.
bool chunks_overlap(std::vector<LoggedRange>& log);

/// How many entries were split into their runs since the process began, which costs time. For tests.
std::uint64_t entries_taken_apart();

}  // namespace lockstep::interpreter
