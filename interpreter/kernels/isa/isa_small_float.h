// Branch-free conversions of one element between f32 and the small float formats, in integer arithmetic, made for
// vectorisation. For isa_*.cpp only. The reference is support/float_formats.h; the facts about NaN and saturation are
// there.
#pragma once

#include <cstdint>

#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

/// Layout of a format with a sign bit on top, `mantissa` low bits and exponents biased by `bias`.
struct Format {
  int mantissa;
  int bias;
  std::uint32_t largest;   // bits of the largest finite value
  std::uint32_t infinity;  // what overflow gives when rounding to nearest
  bool has_infinity;       // IEEE specials; otherwise NaN is `nan` only
  bool is_fnuz;            // no negative zero: its bits are the NaN
  int bytes;
};

constexpr Format format_of(Kind kind) {
  switch (kind) {
    case Kind::f8E4M3FN: return {3, 7, 0x7e, 0x7e, false, false, 1};
    case Kind::f8E5M2: return {2, 15, 0x7b, 0x7b, true, false, 1};
    case Kind::f8E4M3FNUZ: return {3, 8, 0x7f, 0x7f, false, true, 1};
    case Kind::f8E5M2FNUZ: return {2, 16, 0x7f, 0x7f, false, true, 1};
    default: return {10, 15, 0x7bff, 0x7c00, true, false, 2};  // f16
  }
}

template <Kind kind>
inline float decode_small(std::uint32_t bits) {
  constexpr Format f = format_of(kind);
  constexpr std::uint32_t kSignBit = f.bytes == 1 ? 0x80u : 0x8000u;
  constexpr int kShift = 23 - f.mantissa;
  constexpr float kUnit = bits_as<float>(static_cast<std::uint32_t>(127 + 1 - f.bias - f.mantissa) << 23);
  const std::uint32_t magnitude = bits & (kSignBit - 1);
  const std::uint32_t sign = (bits & kSignBit) << (f.bytes == 1 ? 24 : 16);
  const std::uint32_t normal = (magnitude << kShift) + (static_cast<std::uint32_t>(127 - f.bias) << 23);
  const std::uint32_t subnormal =
      bits_as<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(magnitude)) * kUnit);
  std::uint32_t result = magnitude < (1u << f.mantissa) ? subnormal : normal;
  if constexpr (f.has_infinity) {
    const std::uint32_t special = (magnitude << kShift) | 0x7f800000u;
    result = magnitude > f.largest ? special : result;
    result = magnitude > f.largest + 1 ? special | 0x400000u : result;
  } else if constexpr (!f.is_fnuz) {
    result = magnitude > f.largest ? 0x7fc00000u : result;
  }
  result |= sign;
  if constexpr (f.is_fnuz) result = bits == kSignBit ? 0x7fc00000u : result;
  return bits_as<float>(result);
}

/// Rounds to nearest even, or toward zero. f16 overflows to infinity, the 8-bit formats saturate.
template <Kind kind, bool toward_zero>
inline std::uint32_t encode_small(float value) {
  constexpr Format f = format_of(kind);
  constexpr int kShift = 23 - f.mantissa;
  constexpr std::uint32_t kRebias = static_cast<std::uint32_t>(127 - f.bias) << f.mantissa;
  constexpr std::uint32_t kFirstNormal = static_cast<std::uint32_t>(128 - f.bias) << 23;
  // One unit in the last place of `magic` is the format's smallest subnormal.
  constexpr std::uint32_t kMagic = static_cast<std::uint32_t>(127 + 24 - f.bias - f.mantissa) << 23;
  const std::uint32_t bits = bits_as<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t sign = (bits >> 31) << (f.bytes == 1 ? 7 : 15);
  std::uint32_t rounded, small;
  if constexpr (toward_zero) {
    constexpr float kPerUnit = bits_as<float>(static_cast<std::uint32_t>(127 + f.bias + f.mantissa - 1) << 23);
    const float tiny = bits_as<float>(magnitude < kFirstNormal ? magnitude : 0u);
    rounded = (magnitude >> kShift) - kRebias;
    small = static_cast<std::uint32_t>(static_cast<std::int32_t>(tiny * kPerUnit));
  } else {
    const std::uint32_t is_odd = (magnitude >> kShift) & 1u;
    rounded = ((magnitude + ((1u << (kShift - 1)) - 1u) + is_odd) >> kShift) - kRebias;
    small = bits_as<std::uint32_t>(bits_as<float>(magnitude) + bits_as<float>(kMagic)) - kMagic;
  }
  std::uint32_t result = magnitude < kFirstNormal ? small : rounded;
  constexpr std::uint32_t kOverflow = toward_zero ? f.largest : f.infinity;
  result = result > f.largest ? kOverflow : result;
  if constexpr (kind == Kind::f16) {
    result = magnitude == 0x7f800000u ? 0x7c00u : result;
    result = magnitude > 0x7f800000u ? 0x7e00u | ((magnitude >> 13) & 0x3ffu) : result;
    return result | sign;
  } else if constexpr (f.is_fnuz) {
    result = result != 0 ? result | sign : 0u;
    return magnitude > 0x7f800000u ? 0x80u : result;
  } else {
    if constexpr (toward_zero && f.has_infinity) result = magnitude == 0x7f800000u ? f.largest + 1 : result;
    return magnitude > 0x7f800000u ? 0x7fu : result | sign;
  }
}

template <bool toward_zero>
inline std::uint16_t encode_bf16(float value) {
  const std::uint32_t bits = bits_as<std::uint32_t>(value);
  const std::uint32_t rounded = toward_zero ? bits : bits + 0x7fffu + ((bits >> 16) & 1u);
  const std::uint32_t result = (bits & 0x7fffffffu) > 0x7f800000u ? bits | 0x400000u : rounded;
  return static_cast<std::uint16_t>(result >> 16);
}
inline float decode_bf16(std::uint16_t bits) { return bits_as<float>(static_cast<std::uint32_t>(bits) << 16); }

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
