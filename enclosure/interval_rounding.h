// The rounding of enclosure/interval.cpp: Boost.Interval on the processor's rounding modes, or, on a processor with one
// mode (WebAssembly), results to nearest that are moved outward. Both give the same bounds, to the last bit. Private to
// that file. `Exact` sets the mode itself; `Fast` and the functions up_* round upward while a Guard lives.
#pragma once

#include <algorithm>
#include <cfenv>
#include <cmath>

#ifndef __wasm__
#include <boost/numeric/interval.hpp>
#else
#include "support/floats/directed_rounding.h"
#endif

namespace lockstep::enclosure {

#ifndef __wasm__

using Exact = boost::numeric::interval<double>;

namespace limits = boost::numeric::interval_lib;

// Rounds upward always (a lower end is the negative of an upper one), and leaves the mode to the caller: one guard
// serves a whole array. Operands that are not finite never reach it.
using Rounding = limits::save_state_nothing<limits::rounded_arith_opp<double>>;
using Fast = boost::numeric::interval<double, limits::policies<Rounding, limits::checking_base<double>>>;

/// Upward while it lives.
class Guard {
 public:
  Guard() : mode_(std::fegetround()) { std::fesetround(FE_UPWARD); }
  ~Guard() { std::fesetround(mode_); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  int mode_;
};

inline double up_add(double x, double y) { return x + y; }
inline double up_multiply(double x, double y) { return x * y; }
inline double up_divide(double x, double y) { return x / y; }

#else

using Software = directed::Arithmetic<double, long double>;

inline double up_add(double x, double y) { return Software::add(directed::Direction::up, x, y); }
inline double up_multiply(double x, double y) { return Software::multiply(directed::Direction::up, x, y); }
inline double up_divide(double x, double y) { return Software::divide(directed::Direction::up, x, y); }

/// Finite ends; a divisor does not hold zero.
class Exact {
 public:
  Exact(double value) : low_(value), high_(value) {}  // NOLINT(google-explicit-constructor): as Boost.Interval has it
  Exact(double low, double high) : low_(low), high_(high) {}
  double lower() const { return low_; }
  double upper() const { return high_; }

  friend Exact operator+(const Exact& a, const Exact& b) {
    return {-up_add(-a.low_, -b.low_), up_add(a.high_, b.high_)};
  }
  friend Exact operator-(const Exact& a, const Exact& b) { return a + Exact(-b.high_, -b.low_); }
  friend Exact operator*(const Exact& a, const Exact& b) { return corners(a, b, up_multiply); }
  friend Exact operator/(const Exact& a, const Exact& b) { return corners(a, b, up_divide); }
  friend Exact sqrt(const Exact& a) {
    return {Software::root(directed::Direction::down, a.low_), Software::root(directed::Direction::up, a.high_)};
  }
  friend Exact abs(const Exact& a) {
    if (a.low_ >= 0) return a;
    return a.high_ <= 0 ? Exact(-a.high_, -a.low_) : Exact(0, std::max(-a.low_, a.high_));
  }
  friend double width(const Exact& a) { return up_add(a.high_, -a.low_); }

 private:
  static Exact corners(const Exact& a, const Exact& b, double (*up)(double, double)) {
    const double high = std::max(std::max(up(a.low_, b.low_), up(a.low_, b.high_)),
                                 std::max(up(a.high_, b.low_), up(a.high_, b.high_)));
    const double low = std::max(std::max(up(-a.low_, b.low_), up(-a.low_, b.high_)),
                                std::max(up(-a.high_, b.low_), up(-a.high_, b.high_)));
    return {-low, high};
  }
  double low_, high_;
};
using Fast = Exact;

class Guard {
 public:
  Guard() {}   // there is no mode to set
  ~Guard() {}  // but it is used as if there were
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};

#endif

}  // namespace lockstep::enclosure
