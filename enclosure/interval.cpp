#include "enclosure/interval.h"

#include <algorithm>

#include "enclosure/interval_rounding.h"

namespace lockstep::enclosure {
namespace {

// 2^64 needs two doubles; the halves are exact.
Exact exact_of(std::uint64_t value) {
  const Exact high(static_cast<double>(value >> 32)), low(static_cast<double>(value & 0xffffffffU));
  return high * 4294967296.0 + low;
}

bool exceeds(const Exact& difference, const Exact& magnitude, double rtol, double atol) {
  const Exact bound = magnitude * rtol + atol;
  return difference.lower() > bound.upper();
}

}  // namespace

bool certainly_outside(double actual, double expected, double rtol, double atol) {
  return exceeds(abs(Exact(actual) - expected), abs(Exact(expected)), rtol, atol);
}

bool certainly_outside_integers(std::uint64_t difference, std::uint64_t magnitude, double rtol, double atol) {
  return exceeds(exact_of(difference), exact_of(magnitude), rtol, atol);
}

double quotient_width(double numerator, double denominator) {
  const Exact quotient = Exact(numerator) / denominator;
  return width(quotient);
}

// ---- arrays ----

namespace {

Interval from(const Fast& value) { return {value.lower(), value.upper()}; }
Fast to(const Interval& value) { return Fast(value.low, value.high); }

bool has_zero(const Interval& value) { return value.contains(0); }
bool has_infinity(const Interval& value) { return value.low == -kInfinite || value.high == kInfinite; }

/// The result of any operation on an operand that is not an interval; true if nothing else is needed.
bool is_settled(const Interval& a, Interval& out) {
  if (a.is_unbounded()) return out = a, true;
  if (a.is_nan()) return out = kSurelyNan, true;
  return false;
}

template <typename Operation>
Interval corners(const Interval& a, const Interval& b, const Operation& operation) {
  Interval result{kInfinite, -kInfinite};
  for (const double x : {a.low, a.high}) {
    for (const double y : {b.low, b.high}) {
      const double high = operation(x, y), low = -operation(-x, y);
      if (high != high) return unbounded_interval(0);
      result.low = std::min(result.low, low);
      result.high = std::max(result.high, high);
    }
  }
  return result;
}

Interval add_infinite(const Interval& a, const Interval& b) {
  const double high = up_add(a.high, b.high), low = -up_add(-a.low, -b.low);
  // The opposite corners show whether infinity - infinity is possible.
  if (high != high || low != low || (a.low == -kInfinite && b.high == kInfinite) ||
      (a.high == kInfinite && b.low == -kInfinite))
    return unbounded_interval(0);
  return {low, high};
}

Interval multiply_infinite(const Interval& a, const Interval& b) {
  if ((has_zero(a) && has_infinity(b)) || (has_zero(b) && has_infinity(a))) {
    const bool is_certain = (a.is_point() && b.is_point());
    return is_certain ? kSurelyNan : unbounded_interval(0);
  }
  return corners(a, b, up_multiply);
}

Interval negate(const Interval& a) { return {-a.high, -a.low}; }

Interval add_one(const Interval& a, const Interval& b) {
  Interval out;
  if (is_settled(a, out) || is_settled(b, out)) return out;
  if (a.is_finite() && b.is_finite()) [[likely]]
    return from(to(a) + to(b));
  if (a.is_point() && b.is_point() && a.low == -b.low) return kSurelyNan;
  return add_infinite(a, b);
}

Interval multiply_one(const Interval& a, const Interval& b) {
  Interval out;
  if (is_settled(a, out) || is_settled(b, out)) return out;
  if (a.is_finite() && b.is_finite()) [[likely]]
    return from(to(a) * to(b));
  return multiply_infinite(a, b);
}

Interval divide_one(const Interval& a, const Interval& b) {
  Interval out;
  if (is_settled(a, out) || is_settled(b, out)) return out;
  if (has_infinity(a) && has_infinity(b)) return a.is_point() && b.is_point() ? kSurelyNan : unbounded_interval(0);
  if (has_zero(b)) {
    if (a.is_point() && b.is_point() && a.low == 0) return kSurelyNan;
    if (has_zero(a)) return unbounded_interval(0);
    return {-kInfinite, kInfinite};
  }
  if (a.is_finite() && b.is_finite()) [[likely]]
    return from(to(a) / to(b));
  return corners(a, b, up_divide);
}

Interval root_one(const Interval& a) {
  Interval out;
  if (is_settled(a, out)) return out;
  if (a.high < 0) return kSurelyNan;
  if (a.low < 0) return unbounded_interval(0);
  if (a.is_finite()) return from(sqrt(to(a)));
  return {from(sqrt(Fast(std::min(a.low, std::numeric_limits<double>::max())))).low, kInfinite};
}

// ---- runs of finite intervals, without a branch for each ----

constexpr std::int64_t kRun = 128;

struct Run {
  const double *a_low, *a_high, *b_low, *b_high;
  double *low, *high;
  std::int64_t count;
};

/// Every end is finite, and no element is surely NaN.
bool is_plain(const double* low, const double* high, std::int64_t count) {
  std::int64_t odd = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    odd += low[i] - low[i] != 0 ? 1 : 0;
    odd += high[i] - high[i] != 0 ? 1 : 0;
    odd += low[i] > high[i] ? 1 : 0;
  }
  return odd == 0;
}

double larger(double a, double b) { return a > b ? a : b; }

bool add_run(const Run& run) {
  for (std::int64_t i = 0; i < run.count; ++i) {
    const double low = -up_add(-run.a_low[i], -run.b_low[i]), high = up_add(run.a_high[i], run.b_high[i]);
    run.low[i] = low;
    run.high[i] = high;
  }
  return true;
}

bool subtract_run(const Run& run) {
  for (std::int64_t i = 0; i < run.count; ++i) {
    const double low = -up_add(run.b_high[i], -run.a_low[i]), high = up_add(run.a_high[i], -run.b_low[i]);
    run.low[i] = low;
    run.high[i] = high;
  }
  return true;
}

bool multiply_run(const Run& run) {
  for (std::int64_t i = 0; i < run.count; ++i) {
    const double al = run.a_low[i], ah = run.a_high[i], bl = run.b_low[i], bh = run.b_high[i];
    const double high =
        larger(larger(up_multiply(al, bl), up_multiply(al, bh)), larger(up_multiply(ah, bl), up_multiply(ah, bh)));
    const double low =
        larger(larger(up_multiply(-al, bl), up_multiply(-al, bh)), larger(up_multiply(-ah, bl), up_multiply(-ah, bh)));
    run.low[i] = -low;
    run.high[i] = high;
  }
  return true;
}

/// False: a divisor is not surely positive.
bool divide_run(const Run& run) {
  std::int64_t odd = 0;
  for (std::int64_t i = 0; i < run.count; ++i) odd += run.b_low[i] > 0 ? 0 : 1;
  if (odd != 0) return false;
  for (std::int64_t i = 0; i < run.count; ++i) {
    const double al = run.a_low[i], ah = run.a_high[i], bl = run.b_low[i], bh = run.b_high[i];
    const double low = up_divide(-al, al >= 0 ? bh : bl), high = up_divide(ah, ah >= 0 ? bl : bh);
    run.low[i] = -low;
    run.high[i] = high;
  }
  return true;
}

template <typename Each>
void for_each(const Bounds& result, const Each& each) {
  const Guard guard;
  for (std::int64_t i = 0; i < result.count(); ++i) result.set(i, each(i));
}

/// Handles runs of finite intervals at once, and all others element by element.
template <typename Each>
void in_runs(const Bounds& a, const Bounds& b, const Bounds& result, bool (*whole)(const Run&), const Each& each) {
  const Guard guard;
  for (std::int64_t first = 0; first < result.count(); first += kRun) {
    const std::int64_t count = std::min(kRun, result.count() - first);
    const Run run{a.low() + first,
                  a.high() + first,
                  b.low() + first,
                  b.high() + first,
                  result.low() + first,
                  result.high() + first,
                  count};
    if (is_plain(run.a_low, run.a_high, count) && is_plain(run.b_low, run.b_high, count) && whole(run)) continue;
    for (std::int64_t i = first; i < first + count; ++i) result.set(i, each(a.at(i), b.at(i)));
  }
}

Interval subtract_one(const Interval& a, const Interval& b) {
  return add_one(a, b.is_nan() || b.is_unbounded() ? b : negate(b));
}

}  // namespace

void add(const Bounds& a, const Bounds& b, Bounds& result) { in_runs(a, b, result, add_run, add_one); }
void subtract(const Bounds& a, const Bounds& b, Bounds& result) { in_runs(a, b, result, subtract_run, subtract_one); }
void multiply(const Bounds& a, const Bounds& b, Bounds& result) { in_runs(a, b, result, multiply_run, multiply_one); }
void divide(const Bounds& a, const Bounds& b, Bounds& result) { in_runs(a, b, result, divide_run, divide_one); }

void multiply_add(const Bounds& a, const Bounds& b, const Bounds& c, Bounds& result) {
  for_each(result, [&](std::int64_t i) { return add_one(multiply_one(a.at(i), b.at(i)), c.at(i)); });
}

void square_root(const Bounds& a, Bounds& result) {
  for_each(result, [&](std::int64_t i) { return root_one(a.at(i)); });
}

}  // namespace lockstep::enclosure
