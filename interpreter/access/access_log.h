// What programs that ran side by side touched in written storages, and the proof from it that they did not see each
// other. Invariant: chunks_overlap() says no only if no byte that one chunk wrote was touched by another. Programs of
// one chunk run one after the other and may touch what they like.
#pragma once

#include <cstdint>
#include <utility>
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
  bool is_read_again = false;         // a write: its chunk read some of it afterwards
};

/// The entries of one worker. A range that makes one rectangle with an entry of its chunk, or that such an entry
/// covers, joins it; looked at are the entries that are next in turn, as accesses come in the order of the last ones.
class AccessLog {
 public:
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 22;
  /// False: the log is full, and the range is not in it.
  bool note(const LoggedRange& range);
  const std::vector<LoggedRange>& entries() const { return entries_; }
  /// Gives them away and begins anew.
  std::vector<LoggedRange> take() {
    chunk_begin_ = cursor_ = 0;
    return std::exchange(entries_, {});
  }

 private:
  bool joins(std::size_t entry, const LoggedRange& range);

  std::vector<LoggedRange> entries_;
  std::size_t chunk_begin_ = 0, cursor_ = 0;
};

/// By begin.
void sort_log(std::vector<LoggedRange>& log);
/// chunks_overlap() of two chunks' logs, each sorted.
bool logs_overlap(const std::vector<LoggedRange>& a, const std::vector<LoggedRange>& b);

/// Looks at whole ranges first; where those overlap, at rectangles of rows and columns if their strides agree, and else
/// at every run. Sorts the log. More than a few million runs to look at count as an overlap.
bool chunks_overlap(std::vector<LoggedRange>& log);

/// How many entries had to be taken apart into their runs since the process began: what costs time. For tests.
std::uint64_t entries_taken_apart();

}  // namespace lockstep::interpreter
