// LintRoofline: how fast a launch could be on a GPU at most: memory that must move once, arithmetic by unit. Counted,
// then divided by data-sheet rates; no cache, latency or occupancy is modelled, so that a kernel never beats it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checkers/execution.h"
#include "checkers/lint_traffic.h"
#include "support/gpu_model.h"

namespace lockstep::checkers {

class LintRoofline {
 public:
  LintRoofline(const LaunchContext& context, const GpuModel& model);

  void count_access(const std::vector<ByteRun>& runs);
  /// Floating-point arithmetic; other ops count nothing.
  void count_arithmetic(Execution& run);
  /// One line.
  std::string text() const;

  static bool is_arithmetic(const ir::Op& op);

 private:
  struct Touched {  // sectors of a storage
    std::uint64_t begin = 0, end = 0;
    std::vector<bool> sectors;
    std::uint64_t count = 0;
  };

  GpuModel model_;
  std::vector<Touched> storages_;  // by rising begin
  std::uint64_t sectors_ = 0, bytes_ = 0;
  double flops_ = 0, tf32_ = 0, f16_ = 0, small_ = 0;
};

}  // namespace lockstep::checkers
