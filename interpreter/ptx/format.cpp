#include "interpreter/ptx/format.h"

#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

/// value >> drop, rounded; `drop` may be anything above 0.
std::uint64_t shift_rounded(std::uint64_t value, int drop, Mode mode, bool negative) {
  const std::uint64_t kept = drop > 63 ? 0 : value >> drop;
  const bool half = drop <= 64 && (value >> (drop - 1) & 1) != 0;
  const bool below = drop > 64 ? value != 0 : (value & mask_of(drop - 1)) != 0;
  bool up = false;
  switch (mode) {
    case Mode::nearest_even: up = half && (below || (kept & 1) != 0); break;
    case Mode::nearest_away: up = half; break;
    case Mode::toward_zero: break;
    case Mode::down: up = negative && (half || below); break;
    case Mode::up: up = !negative && (half || below); break;
  }
  return kept + (up ? 1 : 0);
}

bool overflows_to_infinity(Mode mode, bool negative) {
  switch (mode) {
    case Mode::toward_zero: return false;
    case Mode::down: return negative;
    case Mode::up: return !negative;
    default: return true;
  }
}

/// Powers of two only: the exponent, 0 for too small values, 0xfe for too large ones.
std::uint64_t pack_exponent(const Unpacked& value, Mode mode) {
  if (value.kind == Unpacked::Kind::nan) return 0xff;
  if (value.negative || value.significand == 0) return 0;
  if (value.kind == Unpacked::Kind::infinite) return 0xfe;
  const int top = 63 - __builtin_clzll(value.significand);
  int exponent = value.exponent + top + 127;
  if (mode == Mode::up && (value.significand & (value.significand - 1)) != 0) ++exponent;
  return static_cast<std::uint64_t>(exponent < 0 ? 0 : exponent > 0xfe ? 0xfe : exponent);
}

/// The two 6-bit formats take a byte with their sign at bit 5.
int sign_position(const Format& format) {
  const bool has_six_bits = format.width == 8 && format.largest == 0x1f;
  return has_six_bits ? 5 : format.width - 1;
}

}  // namespace

std::optional<Format> format_of(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2: return Format{16, 10, 15, 0x7bff, true, 0x7fff};
    case Type::bf16:
    case Type::bf16x2: return Format{16, 7, 127, 0x7f7f, true, 0x7fff};
    case Type::f32:
    case Type::f32x2: return Format{32, 23, 127, 0x7f7fffff, true, 0x7fffffff};
    case Type::f64: return Format{64, 52, 1023, 0x7fefffffffffffff, true, 0x7fffffffffffffff};
    case Type::tf32: return Format{19, 10, 127, 0x3fbff, true, 0x3ffff};
    case Type::e4m3x2: return Format{8, 3, 7, 0x7e, false, 0x7f};
    case Type::e5m2x2: return Format{8, 2, 15, 0x7b, true, 0x7f};
    case Type::e2m1x2: return Format{4, 1, 1, 0x7, false, 0x7};
    case Type::e2m3x2: return Format{8, 3, 1, 0x1f, false, 0x1f};
    case Type::e3m2x2: return Format{8, 2, 3, 0x1f, false, 0x1f};
    case Type::ue8m0x2: return Format{8, 0, 127, 0xfe, false, 0xff, true};
    default: return std::nullopt;
  }
}

int elements_of(Type type) {
  switch (type) {
    case Type::f16x2:
    case Type::bf16x2:
    case Type::f32x2:
    case Type::e4m3x2:
    case Type::e5m2x2:
    case Type::e2m1x2:
    case Type::e2m3x2:
    case Type::e3m2x2:
    case Type::ue8m0x2: return 2;
    default: return 1;
  }
}

Unpacked unpack(const Format& format, std::uint64_t bits) {
  Unpacked value;
  if (format.is_unsigned) {
    bits &= 0xff;
    value.kind = bits == 0xff ? Unpacked::Kind::nan : Unpacked::Kind::finite;
    value.significand = 1;
    value.exponent = static_cast<int>(bits) - format.bias;
    return value;
  }
  const int sign_at = sign_position(format);
  value.negative = (bits >> sign_at & 1) != 0;
  const std::uint64_t magnitude = bits & mask_of(sign_at);
  const bool has_nan = format.nan > format.largest;
  if (has_nan && magnitude > format.largest) {
    const bool is_infinite = format.has_infinity && magnitude == format.largest + 1;
    value.kind = is_infinite ? Unpacked::Kind::infinite : Unpacked::Kind::nan;
    value.significand = 1;
    return value;
  }
  const auto exponent = static_cast<int>(magnitude >> format.mantissa);
  value.significand = magnitude & mask_of(format.mantissa);
  if (exponent != 0) value.significand |= std::uint64_t{1} << format.mantissa;
  value.exponent = (exponent == 0 ? 1 : exponent) - format.bias - format.mantissa;
  return value;
}

Unpacked unpack_unsigned(std::uint64_t magnitude) {
  Unpacked value;
  value.significand = magnitude;
  return value;
}
Unpacked unpack_integer(std::int64_t number) {
  Unpacked value =
      unpack_unsigned(number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number));
  value.negative = number < 0;
  return value;
}

std::uint64_t pack(const Format& format, const Unpacked& value, Mode mode, bool saturate) {
  if (format.is_unsigned) return pack_exponent(value, mode);
  if (value.kind == Unpacked::Kind::nan) return format.nan;
  const int sign_at = sign_position(format);
  const std::uint64_t sign = value.negative ? std::uint64_t{1} << sign_at : 0;
  if (value.kind == Unpacked::Kind::infinite)
    return sign | (saturate || !format.has_infinity ? format.largest : format.largest + 1);
  if (value.significand == 0) return sign;
  const int zeros = __builtin_clzll(value.significand);
  const std::uint64_t normal = value.significand << zeros;
  const int exponent = value.exponent - zeros + 63, lowest = 1 - format.bias;
  const int drop = 63 - format.mantissa + (exponent < lowest ? lowest - exponent : 0);
  std::uint64_t bits = shift_rounded(normal, drop, mode, value.negative);
  if (exponent > lowest) bits += static_cast<std::uint64_t>(exponent - lowest) << format.mantissa;
  if (bits > format.largest) {
    const bool to_infinity = !saturate && format.has_infinity && overflows_to_infinity(mode, value.negative);
    bits = to_infinity ? format.largest + 1 : format.largest;
  }
  return sign | bits;
}

Unpacked to_integral(const Unpacked& value, Mode mode) {
  if (value.kind != Unpacked::Kind::finite || value.exponent >= 0 || value.significand == 0) return value;
  Unpacked result = value;
  result.significand = shift_rounded(value.significand, -value.exponent, mode, value.negative);
  result.exponent = 0;
  return result;
}

}  // namespace lockstep::interpreter::ptx
