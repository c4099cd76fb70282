// LaunchTotals: the results of a launch's programs, reported by machines and chunks: bytes, findings, good ends,
// touched memory. For one thread at a time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

struct LaunchTotals {
  std::uint64_t bytes_read = 0, bytes_written = 0, bytes_streamed = 0;
  Report findings;
  std::vector<ProgramRange> finished;
  std::vector<LoggedRange> touched;
  bool has_lost_touched = false;  // there was too much to keep

  /// Takes the counts and findings of a machine or of a chunk (commit.h).
  template <typename Source>
  void collect(Source& source) {
    bytes_read += std::exchange(source.bytes_read, 0);
    bytes_written += std::exchange(source.bytes_written, 0);
    bytes_streamed += std::exchange(source.bytes_streamed, 0);
    findings.merge(std::move(source.findings));
    finished.insert(finished.end(), source.finished.begin(), source.finished.end());
    source.finished.clear();
  }
  /// For programs whose run counts.
  void keep_touched(std::vector<LoggedRange> ranges, bool has_lost_some);
  void collect_touched(Machine& machine);
};

}  // namespace lockstep::interpreter
