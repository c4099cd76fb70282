// Bounds: the range of the elements of a kernel's value over every legal execution: two numbers an element, in f64.
// Invariant: an element is one of these: an interval (low <= high; the value is a number of it, infinities included),
// *surely NaN* (low > high), or *unbounded* (both NaN: any number or NaN; the payload names the cause). Integers are
// their signed values (i1: 0 or 1), moved outward beyond 2^53. Not here: rules of ops.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include "support/scalar.h"

namespace lockstep::enclosure {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Why a value is unbounded: an index into the causes of a run; 0 is "not said".
using CauseId = std::uint32_t;

/// Ops whose bounds are a model and not a proof: bits of an index into those of a run.
using ModelSet = std::uint64_t;

inline double unbounded(CauseId cause) { return std::bit_cast<double>(std::uint64_t{0x7ff8000000000000} | cause); }
inline CauseId cause_of(double low) { return static_cast<CauseId>(std::bit_cast<std::uint64_t>(low)); }

struct Interval {
  double low = 0, high = 0;
  bool is_unbounded() const { return low != low; }
  bool is_nan() const { return low > high; }
  bool is_point() const { return low == high; }
  bool is_finite() const { return low - low == 0 && high - high == 0; }
  bool contains(double value) const { return low <= value && value <= high; }
};
/// Of a comparison.
inline constexpr Interval kTrue{1, 1}, kFalse{0, 0}, kEither{0, 1};
inline constexpr Interval kSurelyNan{kInfinite, -kInfinite};
inline Interval unbounded_interval(CauseId cause) { return {unbounded(cause), unbounded(cause)}; }
inline Interval point(double value) { return value != value ? kSurelyNan : Interval{value, value}; }

/// The smallest interval that holds both.
inline Interval hull(const Interval& a, const Interval& b) {
  if (a.is_unbounded()) return a;
  if (b.is_unbounded()) return b;
  if (a.is_nan() != b.is_nan()) return unbounded_interval(0);
  if (a.is_nan()) return a;
  return {b.low < a.low ? b.low : a.low, b.high > a.high ? b.high : a.high};
}

/// Uncleared memory, reused through a small store in each thread.
class Doubles {
 public:
  Doubles() = default;
  explicit Doubles(std::int64_t count);
  ~Doubles();
  Doubles(Doubles&& other) noexcept;
  Doubles& operator=(Doubles&& other) noexcept;
  Doubles(const Doubles&) = delete;
  Doubles& operator=(const Doubles&) = delete;
  double* data() const { return data_; }

 private:
  double* data_ = nullptr;
  int size_class_ = -1;
};

/// Row-major. Points may share one array for both ends.
class Bounds {
 public:
  explicit Bounds(std::int64_t count, bool shares_ends = false)
      : count_(count), low_(count), high_(shares_ends ? 0 : count), shares_ends_(shares_ends) {}
  std::int64_t count() const { return count_; }
  double* low() const { return low_.data(); }
  double* high() const { return shares_ends_ ? low_.data() : high_.data(); }
  bool shares_ends() const { return shares_ends_; }
  Interval at(std::int64_t i) const { return {low()[i], high()[i]}; }
  void set(std::int64_t i, const Interval& value) const {
    low()[i] = value.low;
    high()[i] = value.high;
  }
  /// Products: the unrounded value too, because a GPU may contract them into an addition. All ops but additions round
  /// first.
  bool is_unrounded = false;

 private:
  std::int64_t count_;
  Doubles low_, high_;
  bool shares_ends_;
};
using BoundsRef = std::shared_ptr<Bounds>;

/// Every element unbounded.
BoundsRef unbounded_bounds(std::int64_t count, CauseId cause);

/// The range of a float format. Integers have none.
struct Format {
  int precision = 24;         // bits, the leading one included
  int least_exponent = -126;  // of normal numbers
  double largest = 0;
  bool saturates = false;  // on overflow; else infinity
};
Format format_of(ScalarKind kind);
/// The format's unit in the last place at `value` (finite).
double ulp_at(const Format& format, double value);
/// Rounds to the format, to nearest even; infinities and NaN stay.
double round_to(const Format& format, double value);
/// Rounds the ends: the rounding of any number between them is between the rounded ends. In place.
void round_bounds(ScalarKind kind, Bounds& bounds);

/// `count` elements as numbers; a NaN is surely NaN.
BoundsRef read_elements(ScalarKind kind, const void* data, std::int64_t count);
/// One element from its bits.
Interval read_element(ScalarKind kind, std::uint64_t bits);

}  // namespace lockstep::enclosure
