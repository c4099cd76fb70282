// The rows of gathers that concurrent programs stored, a bit for each: a log of ranges (access_log.h) would have an
// entry for each row. Invariant: chunks_overlap() is false only if no chunk touched a byte that another one wrote, in
// either log. Not here: loads; stores that may be undone; tiles whose rows lie at uneven distances, or far apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/access/access_log.h"

namespace lockstep::interpreter {

/// Rows of `run` bytes that a chunk stored, each at origin + (place << shift) + column, where a place has room for it.
struct LoggedRows {
  std::uint64_t origin = 0, column = 0, run = 0;
  unsigned shift = 0;
  std::uint32_t chunk = 0;
  std::uint64_t first = 0;            // place of the lowest bit, a multiple of 64
  std::vector<std::uint64_t> places;  // a bit for each place, the lowest one first; neither end is 0

  std::uint64_t begin() const;  // of all bytes
  std::uint64_t end() const;
};

/// The entries of one worker.
class RowLog {
 public:
  /// Stores of a chunk: rows of `run` bytes at `addresses`, in a view that begins at `origin`. False: none is.
  bool note(std::uint64_t origin, std::uint64_t run, std::uint32_t chunk, std::span<const std::uint64_t> addresses);
  const std::vector<LoggedRows>& entries() const { return entries_; }

 private:
  LoggedRows* known(const LoggedRows& rows, std::uint64_t offset, std::uint64_t apart);

  std::vector<LoggedRows> entries_;
};

/// Whether chunks overlap, of all workers' entries. Changes both.
bool chunks_overlap(std::vector<LoggedRange>& log, std::vector<LoggedRows>& rows);

}  // namespace lockstep::interpreter
