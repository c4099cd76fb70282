#include "interpreter/kernels/profile_convert.h"

#include <algorithm>
#include <array>

#include "interpreter/kernels/kernels.h"

namespace lockstep::interpreter::kernels {
namespace {

using Byte = std::uint8_t;
using Half = std::uint16_t;

/// bf16 from f8E5M2: a multiplication with 2^112 moves the exponent, so infinity and NaN become numbers.
void e5m2_to_bf16(void* out, const void* in, std::int64_t n) {
  const auto* x = static_cast<const Byte*>(in);
  auto* r = static_cast<Half*>(out);
  constexpr int kRebias = (127 - 15) << 7;
  constexpr std::array<Half, 4> kSubnormal{0, 0x3780, 0x3800, 0x3840};  // 0, 2^-16, 2^-15, 1.5 * 2^-15
  for (std::int64_t i = 0; i < n; ++i) {
    const int magnitude = x[i] & 0x7f, sign = (x[i] & 0x80) << 8;
    const int bits = magnitude < 4 ? kSubnormal[static_cast<std::size_t>(magnitude)] : (magnitude << 5) + kRebias;
    r[i] = static_cast<Half>(sign | bits);
  }
}

constexpr std::int64_t kStrip = 256;

/// sm_89: cuts f32 to f16, then rounds that, so a value just above a tie counts as the tie.
template <ScalarKind from, ScalarKind to>
void through_f16(void* out, const void* in, std::int64_t n) {
  alignas(64) float wide[kStrip];
  alignas(64) Half half[kStrip];
  const ConvertFn widen = convert(from, ScalarKind::f32);
  const ConvertFn cut = convert(ScalarKind::f32, ScalarKind::f16, Conversion::toward_zero);
  const ConvertFn narrow = convert(ScalarKind::f16, to);
  for (std::int64_t begin = 0; begin < n; begin += kStrip) {
    const std::int64_t count = std::min(kStrip, n - begin);
    widen(wide, static_cast<const char*>(in) + begin * size_bytes(from), count);
    cut(half, wide, count);
    narrow(static_cast<char*>(out) + begin, half, count);
  }
}

/// Before sm_89: half a unit is added to the bits of an f16 and the rest dropped. Ties go away from zero, and the sum
/// may run into infinity or, from a NaN, into the sign.
Byte f16_to_e5m2(Half bits) { return static_cast<Byte>(((bits & 0xfffeu) + 0x80u) >> 8); }

void f16_to_e5m2_in_software(void* out, const void* in, std::int64_t n) {
  const auto* x = static_cast<const Half*>(in);
  auto* r = static_cast<Byte*>(out);
  for (std::int64_t i = 0; i < n; ++i) r[i] = f16_to_e5m2(x[i]);
}

void f32_to_e5m2_in_software(void* out, const void* in, std::int64_t n) {
  alignas(64) Half half[kStrip];
  for (std::int64_t begin = 0; begin < n; begin += kStrip) {
    const std::int64_t count = std::min(kStrip, n - begin);
    convert(ScalarKind::f32, ScalarKind::f16, Conversion::toward_zero)(half, static_cast<const float*>(in) + begin,
                                                                       count);
    f16_to_e5m2_in_software(static_cast<Byte*>(out) + begin, half, count);
  }
}

/// The exponent is moved by a subtraction from the bits: there are no subnormal results, and large numbers leave the
/// format's bits.
void bf16_to_e5m2_in_software(void* out, const void* in, std::int64_t n) {
  const auto* x = static_cast<const Half*>(in);
  auto* r = static_cast<Byte*>(out);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint32_t magnitude = std::clamp<std::uint32_t>(x[i] & 0x7fffu, 0x3800, 0x57e0);
    const std::uint32_t moved = (magnitude + 0x10 - 0x3800) << 3;
    r[i] = static_cast<Byte>((moved >> 8) | (static_cast<std::uint32_t>(x[i]) >> 15 << 7));
  }
}

ConvertFn find_software(ScalarKind from) {
  switch (from) {
    case ScalarKind::f16: return f16_to_e5m2_in_software;
    case ScalarKind::bf16: return bf16_to_e5m2_in_software;
    case ScalarKind::f32: return f32_to_e5m2_in_software;
    default: return nullptr;
  }
}

ConvertFn find_through_f16(ScalarKind from, ScalarKind to) {
  const bool is_e4m3 = to == ScalarKind::f8E4M3FN;
  if (from == ScalarKind::f32)
    return is_e4m3 ? through_f16<ScalarKind::f32, ScalarKind::f8E4M3FN>
                   : through_f16<ScalarKind::f32, ScalarKind::f8E5M2>;
  if (from == ScalarKind::bf16)
    return is_e4m3 ? through_f16<ScalarKind::bf16, ScalarKind::f8E4M3FN>
                   : through_f16<ScalarKind::bf16, ScalarKind::f8E5M2>;
  return nullptr;
}

}  // namespace

ConvertFn find_profile_convert(ScalarKind from, ScalarKind to, Conversion how, const TargetProfile& profile) {
  if (from == ScalarKind::f8E5M2 && to == ScalarKind::bf16) return e5m2_to_bf16;
  const bool is_known = to == ScalarKind::f8E5M2 || to == ScalarKind::f8E4M3FN;
  if (!is_known || how == Conversion::toward_zero) return nullptr;
  switch (profile.float8_narrowing()) {
    case Float8Narrowing::direct: return nullptr;
    case Float8Narrowing::through_f16: return find_through_f16(from, to);
    case Float8Narrowing::in_software: return to == ScalarKind::f8E5M2 ? find_software(from) : nullptr;
  }
  return nullptr;
}

}  // namespace lockstep::interpreter::kernels
