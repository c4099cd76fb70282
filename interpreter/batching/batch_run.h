// BatchRun: a machine's state for a batch of programs that run as one (batch_plan.h). Invariant: a batch with anything
// uncertain is abandoned or its effects are overwritten: its programs run again one by one, in order, with the ordinary
// plan, which is harmless because they read nothing that they write. So a batch never has a finding.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::interpreter {

/// Bytes of a storage that the programs of a batch stored to: program p to [low + p * stride, high + p * stride).
struct BatchStore {
  std::int32_t storage = -1;
  std::uint64_t low = 0, high = 0;
  std::int64_t stride = 0;
};

struct BatchRun {
  std::uint32_t programs = 0;                       // that run as one; 0: an ordinary program runs
  bool has_failed = false;                          // its programs must run one by one
  std::uint64_t bytes_read = 0, bytes_written = 0;  // counted before an access that all programs make alike
  std::vector<BatchStore> stores;                   // where the order of stores must be proved (batch_plan.cpp)
};

}  // namespace lockstep::interpreter
