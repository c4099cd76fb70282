// LintRoofline: an upper bound for the speed of a launch on a GPU, from the memory that must move once and the
// arithmetic by unit. It divides counts by data-sheet rates and models no cache, latency or occupancy, so that a kernel
// never beats the bound.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/lint/lint_traffic.h"
#include "support/gpu_model.h"

namespace lockstep::sanitizer {

/// Floating-point operations by the unit that executes them.
struct Flops {
  double plain = 0, tf32 = 0, f16 = 0, small = 0;  // small: products of 8 bits and less
  double all() const { return plain + tf32 + f16 + small; }
  /// The time at the rates of the data sheet.
  double seconds(const GpuModel& model) const;
  Flops& operator+=(const Flops& other);
};

/// Floating-point arithmetic; other ops count nothing.
bool is_arithmetic(const ir::Op& op);
/// The operations of one execution of such an op.
Flops flops_of(Execution& run);

class LintRoofline {
 public:
  explicit LintRoofline(const LaunchContext& context);

  void count_access(const std::vector<ByteRun>& runs);
  void count_arithmetic(const Flops& flops) { flops_ += flops; }
  /// One line.
  std::string text(const GpuModel& model) const;

 private:
  struct Touched {  // sectors of a storage
    std::uint64_t begin = 0, end = 0;
    std::vector<bool> sectors;
    std::uint64_t count = 0;
  };

  std::vector<Touched> storages_;  // by rising begin
  std::uint64_t sectors_ = 0, bytes_ = 0;
  Flops flops_;
};

}  // namespace lockstep::sanitizer
