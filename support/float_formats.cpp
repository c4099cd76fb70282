#include "support/float_formats.h"

#include <bit>
#include <cmath>

namespace lockstep {
namespace {

/// A binary format: sign, exponent of `exponent_bits` with `bias`, `mantissa_bits`.
struct Layout {
  int mantissa_bits;
  int bias;
  int width;
  std::uint64_t largest;  // bits of the largest finite value
  bool has_infinity;      // all-ones exponent is infinity and NaN, as in IEEE 754
  bool is_fnuz;           // one zero; the bits of -0 are the NaN
  std::uint64_t nan;      // the NaN that conversions make (0: keep sign and payload)
};

Layout layout_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::f8E4M3FN: return {3, 7, 8, 0x7e, false, false, 0x7f};
    case ScalarKind::f8E5M2: return {2, 15, 8, 0x7b, true, false, 0x7f};
    case ScalarKind::f8E4M3FNUZ: return {3, 8, 8, 0x7f, false, true, 0x80};
    case ScalarKind::f8E5M2FNUZ: return {2, 16, 8, 0x7f, false, true, 0x80};
    case ScalarKind::f16: return {10, 15, 16, 0x7bff, true, false, 0};
    case ScalarKind::bf16: return {7, 127, 16, 0x7f7f, true, false, 0};
    case ScalarKind::f32: return {23, 127, 32, 0x7f7fffff, true, false, 0};
    default: return {52, 1023, 64, 0x7fefffffffffffff, true, false, 0};
  }
}

constexpr int kDoubleMantissa = 52;
constexpr int kDoubleBias = 1023;
constexpr std::uint64_t kDoubleInfinity = 0x7ff0000000000000;
constexpr std::uint64_t kQuietBit = 0x0008000000000000;

std::uint64_t sign_bit(const Layout& layout) { return std::uint64_t{1} << (layout.width - 1); }

/// value / 2^drop, rounded.
std::uint64_t shift_rounded(std::uint64_t value, int drop, Rounding rounding) {
  if (drop <= 0) return value << -drop;
  if (drop > 63) return 0;
  const std::uint64_t kept = value >> drop;
  if (rounding == Rounding::toward_zero) return kept;
  const std::uint64_t rest = value & ((std::uint64_t{1} << drop) - 1);
  const std::uint64_t half = std::uint64_t{1} << (drop - 1);
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

std::uint64_t encode_nan(const Layout& layout, std::uint64_t magnitude, std::uint64_t sign) {
  if (layout.nan != 0) return layout.nan;
  return sign | (((magnitude | kQuietBit) >> (kDoubleMantissa - layout.mantissa_bits)) & (sign_bit(layout) - 1)) |
         ((layout.largest + 1) & ~((std::uint64_t{1} << layout.mantissa_bits) - 1));
}

std::uint64_t encode_overflow(const Layout& layout, bool is_infinite, std::uint64_t sign, Rounding rounding,
                              bool saturate) {
  if (saturate || (!is_infinite && rounding == Rounding::toward_zero)) return sign | layout.largest;
  if (layout.has_infinity) return sign | (layout.largest + 1);
  return layout.nan;
}

/// Magnitude bits of a finite value; may be larger than layout.largest.
std::uint64_t encode_magnitude(const Layout& layout, std::uint64_t magnitude, Rounding rounding) {
  const int stored_exponent = static_cast<int>(magnitude >> kDoubleMantissa);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << kDoubleMantissa) - 1);
  const std::uint64_t significand = stored_exponent == 0 ? fraction : fraction | (std::uint64_t{1} << kDoubleMantissa);
  const int exponent = (stored_exponent == 0 ? 1 : stored_exponent) - kDoubleBias + layout.bias;
  const int drop = kDoubleMantissa - layout.mantissa_bits;
  // A carry out of the rounded significand increments the exponent by itself.
  if (exponent < 1) return shift_rounded(significand, drop + 1 - exponent, rounding);
  return (static_cast<std::uint64_t>(exponent - 1) << layout.mantissa_bits) +
         shift_rounded(significand, drop, rounding);
}

}  // namespace

double decode_float(ScalarKind kind, std::uint64_t bits) {
  if (kind == ScalarKind::f64) return std::bit_cast<double>(bits);
  const Layout layout = layout_of(kind);
  const bool is_negative = (bits & sign_bit(layout)) != 0;
  const std::uint64_t sign = is_negative ? std::uint64_t{1} << 63 : 0;
  const std::uint64_t magnitude = bits & (sign_bit(layout) - 1);
  const int up = kDoubleMantissa - layout.mantissa_bits;
  if (layout.is_fnuz && is_negative && magnitude == 0) return std::bit_cast<double>(kDoubleInfinity | kQuietBit);
  if (layout.has_infinity && magnitude > layout.largest) {
    const std::uint64_t payload = (magnitude << up) & (kQuietBit | (kQuietBit - 1));
    return std::bit_cast<double>(sign | kDoubleInfinity | payload | (payload != 0 ? kQuietBit : 0));
  }
  if (magnitude > layout.largest) return std::bit_cast<double>(sign | kDoubleInfinity | kQuietBit);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << layout.mantissa_bits) - 1);
  const int exponent = static_cast<int>(magnitude >> layout.mantissa_bits);
  if (exponent != 0) {
    const auto biased = static_cast<std::uint64_t>(exponent - layout.bias + kDoubleBias);
    return std::bit_cast<double>(sign | biased << kDoubleMantissa | fraction << up);
  }
  const std::uint64_t significand = exponent == 0 ? fraction : fraction | (std::uint64_t{1} << layout.mantissa_bits);
  const double value =
      std::ldexp(static_cast<double>(significand), (exponent == 0 ? 1 : exponent) - layout.bias - layout.mantissa_bits);
  return is_negative ? -value : value;
}

std::uint64_t encode_float(ScalarKind kind, double value, Rounding rounding, bool saturate) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  if (kind == ScalarKind::f64) return bits;
  const Layout layout = layout_of(kind);
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
  const std::uint64_t sign = bits >> 63 != 0 ? sign_bit(layout) : 0;
  if (magnitude > kDoubleInfinity) return encode_nan(layout, magnitude, sign);
  if (magnitude == kDoubleInfinity) return encode_overflow(layout, true, sign, rounding, saturate);
  const std::uint64_t result = encode_magnitude(layout, magnitude, rounding);
  if (result > layout.largest) return encode_overflow(layout, false, sign, rounding, saturate);
  return layout.is_fnuz && result == 0 ? 0 : sign | result;
}

std::uint16_t f32_to_f16(float value) {
  return static_cast<std::uint16_t>(encode_float(ScalarKind::f16, static_cast<double>(value)));
}
float f16_to_f32(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu, fraction = (magnitude & 0x3ffu) << 13;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | fraction | (fraction != 0 ? 0x400000u : 0u));
  if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(subnormal));
}

std::uint16_t f32_to_bf16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
float bf16_to_f32(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

}  // namespace lockstep
