// Sums whose order is open: how far the rounded sum of n numbers may be from the exact one, whatever tree of additions
// made it. In a tree with n leaves the i-th smallest inner node covers at most i + 1 leaves, so that the partial sums
// together are at most min(S, 2M) + min(S, 3M) + ..., with S the sum of the magnitudes and M the largest; each addition
// errs by u times its result. Products alike. Private to the room.
#pragma once

#include <cstdint>

#include "enclosure/bounds.h"

namespace lockstep::enclosure {

/// The facts of its terms that an enclosure of a sum needs; intervals, each with its larger magnitude.
struct Terms {
  double low = 0, high = 0;            // sums of the ends, in f64
  double magnitudes = 0, largest = 0;  // of finite magnitudes
  bool has_infinite = false;
  std::int64_t nonzero = 0;  // terms that are not surely zero: only these can make an addition round
  std::int64_t count = 0;
  double spacing = kInfinite;  // every term is surely a multiple of it; 0: not known
  Interval special{0, 0};      // unbounded or surely NaN once a term is
  bool has_special = false;

  void add(const Interval& term);
  /// `count` terms, `stride` apart.
  void add(const double* low_ends, const double* high_ends, std::int64_t terms, std::int64_t stride);
};

inline constexpr double kAnyDepth = 1e300;

/// The sum in any order, every addition rounded to the format; rounded. `depth`: the most additions of any term, if
/// known.
Interval sum_in_any_order(ScalarKind kind, const Terms& terms, CauseId cause, double depth = kAnyDepth);

/// The facts of its factors that an enclosure of a product needs.
struct Factors {
  Interval product{1, 1};              // of intervals, in f64; each multiplication there moves it by 2^-53
  std::int64_t count = 0;              // factors that are not 1 or -1: only these can make a multiplication round
  double largest = 1, least = 1;       // of magnitudes of products of some of them
  bool has_zero = false;               // a factor is surely 0
  Interval special{0, 0};              // unbounded or surely NaN once a factor is
  bool has_special = false, is_lost = false;  // is_lost: an infinity, so that an order may make a NaN

  void add(const Interval& factor);
};

/// The product in any order: n - 1 roundings, each a factor within 1 +- u; the loss by underflow at one of them reaches
/// the result times the other factors. Not rounded: a GPU may contract the last multiplication into an addition.
Interval product_in_any_order(ScalarKind kind, const Factors& factors, CauseId cause);

}  // namespace lockstep::enclosure
