// Comparing an output with a reference: exact for integers; for floats |a - b| <= atol + rtol*|b| evaluated with outward
// rounding (Boost.Interval, the only user is compare/interval.cpp), or a ULP distance. NaN equals NaN; infinities must match.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/scalar.h"

namespace lockstep::compare {

struct Tolerance {
  std::optional<double> rtol, atol;
  std::optional<std::int64_t> ulp;
  /// The default by type: exact for integers and f8; f16 rtol 2^-9, bf16 2^-6, f32 1.3e-6*8, f64 1e-12 ... see tolerance.cpp.
  static Tolerance default_for(ScalarKind kind);
  std::string to_string() const;          // "rtol 1e-05, atol 1e-06"
};

struct Difference {
  std::int64_t element = 0;               // flat index
  double actual = 0, expected = 0;
  double absolute = 0;
  std::int64_t ulp = 0;
};

struct Comparison {
  bool is_equal = true;                   // within the tolerance everywhere
  std::uint64_t compared = 0, outside = 0;
  std::optional<Difference> first, worst; // of those outside
  double max_absolute = 0;                // over all finite elements
  std::int64_t max_ulp = 0;
};

/// Both sides C-order, the same count, the same kind.
Comparison compare(ScalarKind kind, const void* actual, const void* expected, std::uint64_t count, const Tolerance& tolerance);
/// Distance in units in the last place of `kind` (0 for equal bits, NaN-NaN and +0/-0); INT64_MAX for NaN against number.
std::int64_t ulp_distance(ScalarKind kind, std::uint64_t a_bits, std::uint64_t b_bits);

}  // namespace lockstep::compare
