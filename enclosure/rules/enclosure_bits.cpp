#include "enclosure/rules/enclosure_bits.h"

#include <algorithm>
#include <bit>

#include "enclosure/bits.h"
#include "enclosure/enclose_context.h"
#include "ir/interfaces/op_kinds.h"
#include "support/float_formats.h"

namespace lockstep::enclosure {

using ir::Arithmetic;

namespace {

constexpr double kMaxExactBits = 0x1p52;  // f64 tells integers below apart

std::uint64_t all_bits(int width) { return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

/// Patterns of a width, low <= high as unsigned numbers.
struct Pattern {
  std::uint64_t low = 0, high = 0;
  /// Bits in which numbers of the range may differ.
  std::uint64_t open() const {
    const auto width = static_cast<int>(std::bit_width(low ^ high));
    return all_bits(width);
  }
};

/// nullopt: both signs, or beyond the exact range of f64.
std::optional<Pattern> pattern_of(const Interval& value, int width) {
  if (value.is_unbounded() || value.is_nan()) return std::nullopt;
  if (value.low < 0 && value.high >= 0) return std::nullopt;
  if (value.low < -kMaxExactBits || value.high > kMaxExactBits) return std::nullopt;
  const auto bits = [&](double end) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(end)) & all_bits(width);
  };
  return Pattern{bits(value.low), bits(value.high)};
}

/// As signed numbers.
Interval interval_of(const Pattern& pattern, int width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  if ((pattern.low & sign) != (pattern.high & sign)) return unbounded_interval(0);
  const auto number = [&](std::uint64_t bits) {
    const std::uint64_t extended = (bits & sign) != 0 ? bits | ~all_bits(width) : bits;
    return static_cast<double>(static_cast<std::int64_t>(extended));
  };
  const Interval value{number(pattern.low), number(pattern.high)};
  return value.low < -kMaxExactBits || value.high > kMaxExactBits ? unbounded_interval(0) : value;
}

Pattern combine_bits(Arithmetic what, const Pattern& a, const Pattern& b) {
  const std::uint64_t a_least = a.low & ~a.open(), b_least = b.low & ~b.open();  // open bits are 0
  const std::uint64_t a_most = a.low | a.open(), b_most = b.low | b.open();
  if (what == Arithmetic::conjunction) return {a_least & b_least, std::min({a_most & b_most, a.high, b.high})};
  if (what == Arithmetic::disjunction) return {std::max({a_least | b_least, a.low, b.low}), a_most | b_most};
  const std::uint64_t open = a.open() | b.open();
  return {(a_least ^ b_least) & ~open, (a_least ^ b_least) | open};
}

/// nullopt: differing bits are lost at the top.
std::optional<Pattern> shift_left(const Pattern& a, int by, int width) {
  const std::uint64_t mask = all_bits(width);
  if (by > 0 && (a.low >> (width - by)) != (a.high >> (width - by))) return std::nullopt;
  return Pattern{a.low << by & mask, a.high << by & mask};
}

}  // namespace

Interval bitwise(Arithmetic what, int width, const Interval& a, const Interval& b) {
  const auto first = pattern_of(a, width), second = pattern_of(b, width);
  return first && second ? interval_of(combine_bits(what, *first, *second), width) : unbounded_interval(0);
}

Interval shifted(const ir::Calculation& what, int width, const Interval& a, const Interval& distance) {
  if (!distance.is_point() || distance.low < 0 || distance.low >= width) return unbounded_interval(0);
  const auto by = static_cast<int>(distance.low);
  const bool is_right = what.arithmetic == Arithmetic::shift_right;
  if (is_right && what.numbers == ir::Numbers::with_sign) {
    if (a.is_unbounded() || a.is_nan() || a.low < -kMaxExactBits || a.high > kMaxExactBits) return unbounded_interval(0);
    return {std::floor(std::ldexp(a.low, -by)), std::floor(std::ldexp(a.high, -by))};
  }
  const auto pattern = pattern_of(a, width);
  if (!pattern) return unbounded_interval(0);
  if (is_right) return interval_of({pattern->low >> by, pattern->high >> by}, width);
  const auto made = shift_left(*pattern, by, width);
  return made ? interval_of(*made, width) : unbounded_interval(0);
}

bool enclose_bits(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const ir::Calculation what = ir::calculation(op);
  const ScalarKind kind = kind_of(*op.result(0));
  if (kind == ScalarKind::i1) return false;  // true counts as 1, not as a sign
  const int width = bit_width(kind);
  const BoundsRef a = context.bounds(*op.operand(0)), b = context.bounds(*op.operand(1));
  const auto made = std::make_shared<Bounds>(a->count());
  for (std::int64_t i = 0; i < made->count(); ++i) {
    made->set(i, ir::is_shift(what.arithmetic) ? shifted(what, width, a->at(i), b->at(i))
                                               : bitwise(what.arithmetic, width, a->at(i), b->at(i)));
  }
  context.set(*op.result(0), made);
  return true;
}

// ---- casts ----

namespace {

bool is_plain_float(ScalarKind kind) {
  return kind == ScalarKind::f32 || kind == ScalarKind::f16 || kind == ScalarKind::bf16;
}

}  // namespace

/// The order of a float's patterns is that of its magnitudes. A zero may have either sign.
Interval bits_of_float(ScalarKind kind, const Interval& value) {
  if (value.is_unbounded() || value.is_nan() || (value.low <= 0 && value.high >= 0)) return unbounded_interval(0);
  const std::uint64_t low = encode_float(kind, value.low), high = encode_float(kind, value.high);
  return interval_of({std::min(low, high), std::max(low, high)}, bit_width(kind));
}

Interval float_of_bits(ScalarKind kind, const Interval& value) {
  const auto pattern = pattern_of(value, bit_width(kind));
  if (!pattern) return unbounded_interval(0);
  const double low = decode_float(kind, pattern->low), high = decode_float(kind, pattern->high);
  if (low != low || high != high) return unbounded_interval(0);
  return {std::min(low, high), std::max(low, high)};
}

bool enclose_bitcast(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const ScalarKind from = kind_of(*op.operand(0)), to = kind_of(*op.result(0));
  const bool is_same = from == to && from != ScalarKind::pointer;
  const bool is_to_bits = is_plain_float(from) && !is_float(to), is_to_float = is_plain_float(to) && !is_float(from);
  if (!is_same && !is_to_bits && !is_to_float) return false;
  if (context.is_real() && is_float(from) && is_float(to) && !is_same) return false;
  const BoundsRef a = context.rounded(*op.operand(0));
  const auto made = std::make_shared<Bounds>(a->count());
  for (std::int64_t i = 0; i < made->count(); ++i) {
    const Interval value = a->at(i);
    made->set(i, is_same ? value : is_to_bits ? bits_of_float(from, value) : float_of_bits(to, value));
  }
  context.set(*op.result(0), made);
  return true;
}

}  // namespace lockstep::enclosure
