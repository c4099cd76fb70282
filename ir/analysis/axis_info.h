// AxisInfo: what is known about the integers and addresses of a tile along each dimension: how long runs of consecutive
// elements are (contiguity), what a run's first element is divisible by (divisibility; bytes for pointers), how long
// runs of equal elements are (constancy). All are powers of two, at least 1, and bounds that always hold, as long as no
// signed sum or product of the kernel overflows. From them follow vectorised and coalesced accesses. Source of the
// seeds: tt.divisibility and its like on arguments and ops. Not here: values, the analysis (axis_analysis.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::ir {

struct AxisInfo {
  std::vector<std::int64_t> contiguity, divisibility, constancy;  // per dimension; one entry for a scalar
  std::optional<std::int64_t> constant;
  bool is_not_negative = false;

  /// Makes it hold for both. False: it did.
  bool join(const AxisInfo& other);
  friend bool operator==(const AxisInfo&, const AxisInfo&) = default;
};

}  // namespace lockstep::ir
