#include "enclosure/rules/written_number.h"

#include <bit>
#include <charconv>

#include "support/float_formats.h"
#include "support/floats/read_float.h"
#include "support/floats/write_float.h"

namespace lockstep::enclosure {

namespace {

/// Of the digits that the format can tell apart, one or two less: a number with so few of them was written so.
int few_digits(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::f32: return 6;
    case ScalarKind::f16: return 3;
    default: return 2;
  }
}

bool has_few_bits(double value) {
  constexpr int kFew = 8;
  const std::uint64_t fraction = std::bit_cast<std::uint64_t>(value) & 0xfffffffffffff;
  return fraction == 0 || 52 - std::countr_zero(fraction) < kFew;
}

}  // namespace

Interval written_number(ScalarKind kind, const Interval& value) {
  const double number = value.low;
  if (kind == ScalarKind::f64 || !value.is_point() || !value.is_finite() || has_few_bits(number)) return value;
  const std::uint64_t bits = encode_float(kind, number);
  for (int digits = 1; digits <= few_digits(kind); ++digits) {
    char text[448];
    const char* end = write_float(text, text + sizeof text, number, std::chars_format::scientific, digits - 1);
    double written = 0;
    read_float(text, end, written);
    if (encode_float(kind, written) == bits) return point(written);
  }
  const double half = ulp_at(format_of(kind), number) / 2;
  return {number - half, number + half};
}

}  // namespace lockstep::enclosure
