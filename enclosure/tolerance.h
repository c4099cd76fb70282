// Comparing an output with a reference: exact for integers; for floats |a - b| <= atol + rtol*|b| computed with outward
// rounding (Boost.Interval, the only user is enclosure/interval.cpp), or a ULP distance. NaN equals NaN; infinities
// must match.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/scalar.h"

namespace lockstep::enclosure {

struct Tolerance {
  std::optional<double> rtol, atol;
  std::optional<std::int64_t> ulp;
  /// The default by type: exact for integers and bool; see the table in tolerance.cpp for floats.
  static Tolerance default_for(ScalarKind kind);
  /// The user's tolerance, with the type's default for missing parts: `ulp` alone if given; else rtol and atol, each
  /// with the other's default (and with that of 8-bit floats, whose default is in ULP: inside by either). Integers have
  /// no defaults: missing parts allow nothing.
  static Tolerance given(ScalarKind kind, std::optional<double> rtol, std::optional<double> atol,
                         std::optional<std::int64_t> ulp);
  bool is_exact() const { return !rtol && !atol && !ulp; }
  std::string to_string() const;  // "rtol 1e-05, atol 1e-05", "2 ULP", "exact", "1 ULP or rtol 0.1, atol 0"
};

struct Difference {
  std::int64_t element = 0;  // flat index
  double actual = 0, expected = 0;
  double absolute = 0;  // infinity when only one side is NaN, or infinities do not match
  std::int64_t ulp = 0;
  std::uint64_t actual_bits = 0, expected_bits = 0;  // zero-extended
};

struct Comparison {
  bool is_equal = true;  // within the tolerance everywhere
  std::uint64_t compared = 0, outside = 0;
  std::optional<Difference> first, worst;  // of those outside; worst: largest absolute, the first of equals
  double max_absolute = 0;                 // over all finite elements
  std::int64_t max_ulp = 0;
};

/// Both sides C-order, the same count, the same kind. `is_unsigned`: integers are read without a sign. With `ulp` next
/// to rtol or atol, an element that meets one of them is inside; an element is outside only if it certainly is, for any
/// rounding of the bound.
Comparison compare(ScalarKind kind, const void* actual, const void* expected, std::uint64_t count,
                   const Tolerance& tolerance, bool is_unsigned = false);
/// Distance in units in the last place of `kind` (0 for equal bits, NaN-NaN and +0/-0); INT64_MAX for NaN against
/// number. Integers: the distance of their signed values. Larger distances stop at INT64_MAX.
std::int64_t ulp_distance(ScalarKind kind, std::uint64_t a_bits, std::uint64_t b_bits);

/// The verdict for people: one line if equal ("out: 1000 elements agree ..."), else how many differ and the first and
/// the worst with index, values, absolute difference and ULP. Ends with a newline. `shape`: of the tensor, C order.
std::string report_text(const std::string& name, const Comparison& comparison, ScalarKind kind, bool is_unsigned,
                        const std::vector<std::int64_t>& shape, const Tolerance& tolerance);

}  // namespace lockstep::enclosure
