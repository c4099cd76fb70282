#include "enclosure/rules/any_order.h"

#include <algorithm>

namespace lockstep::enclosure {

namespace {

/// The lowest bit that is set in a number that is not zero.
double lowest_bit(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t mantissa = bits & 0xfffffffffffff;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const int lowest = mantissa == 0 ? exponent : exponent - 52 + std::countr_zero(mantissa);
  return lowest < -1022 ? 0 : std::bit_cast<double>(static_cast<std::uint64_t>(lowest + 1023) << 52);
}

/// u * the sum of the values of all inner nodes but the last, for `nonzero` leaves.
double inner_error(const Format& format, const Terms& terms, double depth) {
  const double unit = std::ldexp(1.0, -format.precision), leaves = static_cast<double>(terms.nonzero);
  if (terms.nonzero <= 2 || terms.largest == 0) return 0;
  const double inner = leaves - 1;
  const double whole = std::floor(terms.magnitudes / terms.largest);
  const double rising = std::min(inner, whole);
  const double partial =
      terms.largest * std::max(0.0, rising * (rising + 1) / 2 - 1) + terms.magnitudes * std::max(0.0, inner - rising);
  const double growth = std::exp(unit * leaves);  // rounded partial sums are larger than exact ones
  return unit * std::min(partial, terms.magnitudes * std::max(0.0, depth - 1)) * growth * (1 + 0x1p-30);
}

}  // namespace

void Terms::add(const Interval& term) {
  ++count;
  if (term.is_unbounded() || term.is_nan()) {
    if (!has_special || term.is_unbounded()) special = term;
    has_special = true;
    return;
  }
  low += term.low;
  high += term.high;
  const double magnitude = std::max(-term.low, term.high);
  if (magnitude == kInfinite) {
    has_infinite = true;
    ++nonzero;
    spacing = 0;
    return;
  }
  magnitudes += magnitude;
  largest = std::max(largest, magnitude);
  if (magnitude == 0) return;
  ++nonzero;
  if (!term.is_point()) spacing = 0;
  if (spacing != 0) {
    spacing = term.is_finite() ? std::min(spacing, lowest_bit(term.low)) : 0;
    if (magnitudes > spacing * 0x1p24) spacing = 0;  // few bits, or not worth knowing
  }
}

void Terms::add(const double* low_ends, const double* high_ends, std::int64_t terms, std::int64_t stride) {
  std::int64_t i = 0;
  for (; i < terms && (spacing != 0 || has_special); ++i) add({low_ends[i * stride], high_ends[i * stride]});
  // Several sums in parallel: a single one would wait for each addition.
  constexpr std::int64_t kWays = 4;
  for (; i + kWays <= terms; i += kWays) {
    double lows[kWays], highs[kWays], sizes[kWays];
    bool is_plain = true;
    for (std::int64_t w = 0; w < kWays; ++w) {
      lows[w] = low_ends[(i + w) * stride];
      highs[w] = high_ends[(i + w) * stride];
      sizes[w] = std::max(-lows[w], highs[w]);
      is_plain = is_plain && sizes[w] - sizes[w] == 0 && lows[w] <= highs[w];
    }
    if (!is_plain) break;
    low += (lows[0] + lows[1]) + (lows[2] + lows[3]);
    high += (highs[0] + highs[1]) + (highs[2] + highs[3]);
    magnitudes += (sizes[0] + sizes[1]) + (sizes[2] + sizes[3]);
    largest = std::max(largest, std::max(std::max(sizes[0], sizes[1]), std::max(sizes[2], sizes[3])));
    for (const double size : sizes) nonzero += size != 0 ? 1 : 0;
    count += kWays;
  }
  for (; i < terms; ++i) add({low_ends[i * stride], high_ends[i * stride]});
}

Interval sum_in_any_order(ScalarKind kind, const Terms& terms, CauseId cause, double depth) {
  if (terms.has_special) return terms.special;
  const Format format = format_of(kind);
  if (terms.has_infinite) {
    // Infinities of one sign, and no order in which finite terms reach the other one.
    const double others = terms.magnitudes * (1 + 0x1p-10 * static_cast<double>(terms.nonzero));
    const bool is_sure = terms.low == terms.high && others < format.largest;
    return is_sure ? Interval{terms.low, terms.high} : unbounded_interval(cause);
  }
  // Multiples of one power of two, small enough for exact sums: no addition rounds.
  const bool is_exact = terms.nonzero <= 1 ||
                        (terms.spacing > 0 && terms.magnitudes <= terms.spacing * std::ldexp(1.0, format.precision));
  double error = is_exact ? 0 : inner_error(format, terms, depth);
  // The sums above were themselves rounded, in f64.
  if (!is_exact || terms.spacing == 0) error += 0x1p-52 * static_cast<double>(terms.nonzero) * terms.magnitudes;
  if (terms.nonzero <= 1) error = 0;
  if (terms.magnitudes + error >= format.largest) return unbounded_interval(cause);
  return {round_to(format, terms.low - error), round_to(format, terms.high + error)};
}

// ---- products ----

void Factors::add(const Interval& factor) {
  if (factor.is_unbounded() || factor.is_nan()) {
    if (!has_special || factor.is_unbounded()) special = factor;
    has_special = true;
    return;
  }
  if (!factor.is_finite()) is_lost = true;
  const double high = std::max(-factor.low, factor.high);
  const double low = factor.contains(0) ? 0 : std::min(std::fabs(factor.low), std::fabs(factor.high));
  if (factor.is_point() && high == 1) {
    if (factor.low < 0) product = {-product.high, -product.low};
    return;
  }
  ++count;
  if (factor.is_point() && high == 0) has_zero = true;
  largest *= std::max(1.0, high);
  if (low > 0) least *= std::min(1.0, low);
  if (low == 0 && high > 0) least = 0;
  const double corners[] = {product.low * factor.low, product.low * factor.high, product.high * factor.low,
                            product.high * factor.high};
  product = {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

Interval product_in_any_order(ScalarKind kind, const Factors& factors, CauseId cause) {
  if (factors.has_special) return factors.special;
  const Format format = format_of(kind);
  const double steps = static_cast<double>(std::max<std::int64_t>(factors.count - 1, 0));
  const double growth = std::expm1(steps * (std::log1p(std::ldexp(1.0, -format.precision)) + 0x1p-52));
  if (factors.is_lost || !(factors.largest * (1 + growth) < format.largest)) return unbounded_interval(cause);
  if (factors.has_zero) return {0, 0};
  if (factors.count <= 1) return factors.product;
  const double own = factors.least * (1 - growth) < std::ldexp(1.0, format.least_exponent) || growth >= 1
                         ? std::ldexp(2 * steps, format.least_exponent - format.precision) * factors.largest * (1 + growth)
                         : 0;
  const double low = std::fabs(factors.product.low) * growth, high = std::fabs(factors.product.high) * growth;
  return {factors.product.low - low - own, factors.product.high + high + own};
}

}  // namespace lockstep::enclosure
