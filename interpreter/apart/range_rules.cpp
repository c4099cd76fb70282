#include "interpreter/apart/range_rules.h"

#include <algorithm>
#include <bit>

#include "interpreter/tile/tile.h"

namespace lockstep::interpreter::apart {

using ir::Arithmetic;
using ir::Calculation;
using ir::Numbers;

namespace {

/// The hull of the results of `body` at the corners.
template <typename Body>
Range corners(const Range& a, const Range& b, Body&& body) {
  const Wide all[] = {body(a.low, b.low), body(a.low, b.high), body(a.high, b.low), body(a.high, b.high)};
  return {*std::min_element(all, all + 4), *std::max_element(all, all + 4)};
}

Wide magnitude(const Range& a) { return std::max(a.low < 0 ? -a.low : a.low, a.high < 0 ? -a.high : a.high); }

std::optional<Range> quotient_of(const Range& a, const Range& b) {
  if (b.contains(0)) {
    const Wide most = magnitude(a);  // by zero: 0 here
    return Range{-most, most};
  }
  return corners(a, b, [](Wide x, Wide y) { return x / y; });
}

std::optional<Range> remainder_of(const Range& a, const Range& b) {
  if (b.low > 0 && a.low >= 0 && a.high < b.low) return a;
  const Wide most = b.contains(0) ? magnitude(a) : std::min(magnitude(a), magnitude(b) - 1);
  return Range{a.low < 0 ? -most : 0, a.high > 0 ? most : 0};
}

/// All ones up to the highest bit of either.
Range bits_up_to(const Range& a, const Range& b) {
  const auto top = static_cast<std::uint64_t>(std::max(a.high, b.high));
  return {0, top == 0 ? Wide{0} : (Wide{1} << std::bit_width(top)) - 1};
}

std::optional<Range> and_of(const Range& a, const Range& b) {
  if (a.low >= 0 && b.low >= 0) return Range{0, std::min(a.high, b.high)};
  if (a.low >= 0) return Range{0, a.high};
  if (b.low >= 0) return Range{0, b.high};
  return std::nullopt;
}

Range greater_of(const Range& a, const Range& b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }
Range lesser_of(const Range& a, const Range& b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }

std::optional<Range> shifted(const Calculation& what, const Range& a, const Range& by, ScalarKind kind) {
  if (by.low < 0 || by.high >= bit_width(kind)) return std::nullopt;
  const int least = static_cast<int>(by.low), most = static_cast<int>(by.high);
  if (what.arithmetic == Arithmetic::shift_left) {
    const Range made = product_of(a, {Wide{1} << least, Wide{1} << most});
    return made.is_within(full_range(kind)) ? std::optional(made) : std::nullopt;
  }
  if (what.numbers == Numbers::without_sign && a.low < 0) return std::nullopt;
  return Range{std::min(a.low >> least, a.low >> most), std::max(a.high >> least, a.high >> most)};
}

/// Unsigned ops on numbers with a clear sign bit are signed ones.
std::optional<Range> unsigned_range(Arithmetic what, const Range& a, const Range& b) {
  if (what == Arithmetic::remainder && b.low > 0) {
    return a.low >= 0 ? remainder_of(a, b) : Range{0, b.high - 1};
  }
  if (a.low < 0 || b.low < 0) return std::nullopt;
  switch (what) {
    case Arithmetic::quotient: return quotient_of(a, b);
    case Arithmetic::ceiling_quotient: return sum_of(*quotient_of(a, b), {0, 1});
    case Arithmetic::maximum: return greater_of(a, b);
    case Arithmetic::minimum: return lesser_of(a, b);
    default: return std::nullopt;
  }
}

}  // namespace

Range full_range(ScalarKind kind) {
  if (!is_integer(kind)) return {-(Wide{1} << 63), (Wide{1} << 63) - 1};
  return {lowest_of(kind), highest_of(kind)};
}

std::string wide_text(Wide value) {
  const bool is_negative = value < 0;
  std::string digits;
  do {
    const int digit = static_cast<int>(value % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  return (is_negative ? "-" : "") + digits;
}

Range hull(const Range& a, const Range& b) {
  if (a.low > a.high) return b;
  if (b.low > b.high) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Range sum_of(const Range& a, const Range& b) { return {a.low + b.low, a.high + b.high}; }
Range difference_of(const Range& a, const Range& b) { return {a.low - b.high, a.high - b.low}; }
Range product_of(const Range& a, const Range& b) {
  return corners(a, b, [](Wide x, Wide y) { return x * y; });
}

Range fit(const Range& range, ScalarKind kind) { return range.is_within(full_range(kind)) ? range : full_range(kind); }

bool counter_may_wrap(const Range& lower, const Range& upper, const Range& step, const Range& full) {
  const bool is_known = lower.is_one() && upper.is_one() && step.is_one() && step.low > 0;
  const Wide last = is_known ? lower.low + (upper.low - 1 - lower.low) / step.low * step.low : upper.high - 1;
  return last + step.high > full.high;
}

Range counter_range(const Range& lower, const Range& upper, const Range& step, ScalarKind kind, bool is_unsigned) {
  const Range full = full_range(kind);
  if (is_unsigned && (lower.low < 0 || upper.low < 0)) return full;
  if (upper.high <= lower.low) return {0, -1};
  return counter_may_wrap(lower, upper, step, full) ? full : Range{lower.low, upper.high - 1};
}

std::optional<Range> binary_range(const Calculation& what, const Range& a, const Range& b, ScalarKind kind) {
  if (a.low > a.high || b.low > b.high) return Range{0, -1};
  if (ir::is_shift(what.arithmetic)) return shifted(what, a, b, kind);
  if (what.numbers == Numbers::without_sign) return unsigned_range(what.arithmetic, a, b);
  switch (what.arithmetic) {
    case Arithmetic::sum: return sum_of(a, b);
    case Arithmetic::difference: return difference_of(a, b);
    case Arithmetic::product: return product_of(a, b);
    case Arithmetic::quotient: return quotient_of(a, b);
    case Arithmetic::ceiling_quotient:
    case Arithmetic::floor_quotient: return sum_of(*quotient_of(a, b), {-1, 1});
    case Arithmetic::remainder: return remainder_of(a, b);
    case Arithmetic::maximum: return greater_of(a, b);
    case Arithmetic::minimum: return lesser_of(a, b);
    case Arithmetic::conjunction: return and_of(a, b);
    case Arithmetic::disjunction:
    case Arithmetic::parity: return a.low >= 0 && b.low >= 0 ? std::optional(bits_up_to(a, b)) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace lockstep::interpreter::apart
