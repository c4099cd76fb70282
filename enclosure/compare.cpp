#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "enclosure/interval.h"
#include "enclosure/tolerance.h"
#include "support/float_formats.h"

namespace lockstep::enclosure {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::uint64_t read_bits(const void* data, std::uint64_t index, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const std::byte*>(data) + index * size, size);
  return bits;
}

std::int64_t sign_extend(std::uint64_t bits, int width) {
  const int unused = 64 - width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
  return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
               : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

std::int64_t saturate(std::uint64_t value) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(value < kLargest ? value : kLargest);
}

// Sign and magnitude to a number line on which neighbours differ by one and both zeros meet.
std::int64_t place_on_line(std::uint64_t bits, int width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

double decode(ScalarKind kind, std::uint64_t bits) {
  if (kind == ScalarKind::f64) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  return decode_float(kind, bits);
}

struct Judged {
  Difference difference;
  bool is_outside = false;
};

// Plain doubles decide all but the closest calls; the intervals decide those.
bool is_outside_bound(double actual, double expected, double rtol, double atol) {
  const double difference = std::fabs(actual - expected), bound = atol + rtol * std::fabs(expected);
  constexpr double kMargin = 1e-12, kSmallest = 1e-280;
  if (difference == 0) return false;
  if (bound > kSmallest && difference < bound * (1 - kMargin)) return false;
  if (difference > kSmallest && difference > bound * (1 + kMargin)) return true;
  return certainly_outside(actual, expected, rtol, atol);
}

Judged judge_floats(ScalarKind kind, std::uint64_t a, std::uint64_t b, const Tolerance& tolerance) {
  Judged judged;
  Difference& d = judged.difference;
  d.actual = decode(kind, a);
  d.expected = decode(kind, b);
  if (std::isnan(d.actual) && std::isnan(d.expected)) return judged;
  d.ulp = ulp_distance(kind, a, b);
  d.absolute = d.actual == d.expected ? 0 : std::fabs(d.actual - d.expected);
  if (!std::isfinite(d.actual) || !std::isfinite(d.expected)) {
    judged.is_outside = d.actual != d.expected;
    if (judged.is_outside) d.absolute = kInfinity;
  } else if (tolerance.ulp && (d.ulp <= *tolerance.ulp || (!tolerance.rtol && !tolerance.atol))) {
    judged.is_outside = d.ulp > *tolerance.ulp;
  } else {
    judged.is_outside = is_outside_bound(d.actual, d.expected, tolerance.rtol.value_or(0), tolerance.atol.value_or(0));
  }
  return judged;
}

Judged judge_integers(int width, bool is_unsigned, std::uint64_t a, std::uint64_t b, const Tolerance& tolerance) {
  Judged judged;
  Difference& d = judged.difference;
  const std::int64_t signed_a = sign_extend(a, width), signed_b = sign_extend(b, width);
  const std::uint64_t apart = is_unsigned ? (a > b ? a - b : b - a) : distance(signed_a, signed_b);
  const std::uint64_t magnitude = is_unsigned ? b : distance(signed_b, 0);
  d.actual = is_unsigned ? static_cast<double>(a) : static_cast<double>(signed_a);
  d.expected = is_unsigned ? static_cast<double>(b) : static_cast<double>(signed_b);
  d.absolute = static_cast<double>(apart);
  d.ulp = saturate(apart);
  if (tolerance.ulp)
    judged.is_outside = d.ulp > *tolerance.ulp;
  else
    judged.is_outside =
        certainly_outside_integers(apart, magnitude, tolerance.rtol.value_or(0), tolerance.atol.value_or(0));
  return judged;
}

void add_judged(Comparison& result, const Judged& judged) {
  const Difference& d = judged.difference;
  if (std::isfinite(d.absolute)) {
    result.max_absolute = std::max(result.max_absolute, d.absolute);
    result.max_ulp = std::max(result.max_ulp, d.ulp);
  }
  if (!judged.is_outside) return;
  result.is_equal = false;
  ++result.outside;
  if (!result.first) result.first = d;
  if (!result.worst || d.absolute > result.worst->absolute) result.worst = d;
}

}  // namespace

std::int64_t ulp_distance(ScalarKind kind, std::uint64_t a, std::uint64_t b) {
  if (a == b) return 0;
  const int width = 8 * size_bytes(kind);
  if (!is_float(kind)) return saturate(distance(sign_extend(a, width), sign_extend(b, width)));
  const bool a_is_nan = std::isnan(decode(kind, a)), b_is_nan = std::isnan(decode(kind, b));
  if (a_is_nan || b_is_nan) return a_is_nan && b_is_nan ? 0 : std::numeric_limits<std::int64_t>::max();
  return saturate(distance(place_on_line(a, width), place_on_line(b, width)));
}

Comparison compare(ScalarKind kind, const void* actual, const void* expected, std::uint64_t count,
                   const Tolerance& tolerance, bool is_unsigned) {
  Comparison result;
  result.compared = count;
  const auto size = static_cast<std::size_t>(size_bytes(kind));
  const bool reads_unsigned = is_unsigned || kind == ScalarKind::i1 || kind == ScalarKind::pointer;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t a = read_bits(actual, i, size), b = read_bits(expected, i, size);
    if (a == b) continue;
    Judged judged = is_float(kind) ? judge_floats(kind, a, b, tolerance)
                                   : judge_integers(8 * static_cast<int>(size), reads_unsigned, a, b, tolerance);
    judged.difference.element = static_cast<std::int64_t>(i);
    judged.difference.actual_bits = a;
    judged.difference.expected_bits = b;
    add_judged(result, judged);
  }
  return result;
}

}  // namespace lockstep::enclosure
