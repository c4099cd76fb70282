#include "interpreter/gpu_bits/instructions.h"

#include <bit>
#include <cmath>

#include "interpreter/gpu_bits/units.h"

namespace lockstep::interpreter::gpu_bits {
namespace {

constexpr std::uint32_t kInstructionNan = 0x7fffffff;
constexpr float kLeastNormal = 0x1p-126f, kGreatest = 0x1p126f;

float flushed(float x) { return std::fabs(x) < kLeastNormal ? std::copysign(0.0f, x) : x; }

/// FMUL and FADD, and with .FTZ.
std::uint32_t fmul(std::uint32_t a, float b) {
  const float product = std::bit_cast<float>(a) * b;
  return product != product ? kInstructionNan : std::bit_cast<std::uint32_t>(product);
}
std::uint32_t fmul(std::uint32_t a, std::uint32_t b, Subnormals subnormals) {
  if (subnormals == Subnormals::keep) return fmul(a, std::bit_cast<float>(b));
  const std::uint32_t product =
      fmul(std::bit_cast<std::uint32_t>(flushed(std::bit_cast<float>(a))), flushed(std::bit_cast<float>(b)));
  return product == kInstructionNan ? product : std::bit_cast<std::uint32_t>(flushed(std::bit_cast<float>(product)));
}

/// FMUL.RZ by the f32 below 1 / (2 pi).
std::uint32_t turns_of(std::uint32_t x) {
  constexpr double kPerTurn = 0x1.45f306p-3;
  const float value = std::bit_cast<float>(x);
  if (!(std::fabs(value) <= 0x1.fffffep127f)) return kInstructionNan;
  // The product of 24 bits by 24 is exact in f64; its lower 29 bits are cut where the result is normal, and where it is
  // not, the unit takes it for zero.
  constexpr std::uint64_t kBelow = (std::uint64_t{1} << 29) - 1;
  const auto product = std::bit_cast<std::uint64_t>(double{value} * kPerTurn);
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(product & ~kBelow)));
}

/// A value of f32, cut, in the bits of f16; beyond it, infinite. f16 has 10 bits below its leading one, from 2^-14 on.
std::uint16_t cut_to_half(std::uint32_t x) {
  const auto sign = static_cast<std::uint16_t>(x >> 16 & 0x8000);
  const std::uint32_t magnitude = x & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;
  const int exponent = static_cast<int>(magnitude >> 23) - 127 + 15;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent > 0) return sign | static_cast<std::uint16_t>((magnitude - (std::uint32_t{127 - 15} << 23)) >> 13);
  const int right = 14 - exponent;
  const std::uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
  return sign | static_cast<std::uint16_t>(right < 32 ? fraction >> right : 0);
}
std::uint32_t from_half(std::uint16_t x) {
  const std::uint32_t sign = (x & 0x8000u) << 16, magnitude = x & 0x7fffu;
  if (magnitude > 0x7c00) return kInstructionNan;
  if (magnitude == 0x7c00) return sign | 0x7f800000;
  // 2^112 shifts the exponents of f16 to those of f32, and makes its subnormal values normal.
  return sign | std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112f);
}
std::uint16_t cut_to_bf16(std::uint32_t x) { return static_cast<std::uint16_t>(x >> 16); }
std::uint32_t from_bf16(std::uint16_t x) { return std::uint32_t{x} << 16; }

bool is_subnormal(std::uint32_t x) { return std::fabs(std::bit_cast<float>(x)) < kLeastNormal; }
bool is_great(std::uint32_t x) { return std::fabs(std::bit_cast<float>(x)) > kGreatest; }

}  // namespace

std::uint32_t ex2_approx(std::uint32_t x, Subnormals subnormals) {
  const bool halve = subnormals == Subnormals::keep && std::bit_cast<float>(x) < -126.0f;
  if (!halve) return mufu_ex2(x);
  const std::uint32_t root = mufu_ex2(fmul(x, 0.5f));
  return fmul(root, std::bit_cast<float>(root));
}

std::uint32_t lg2_approx(std::uint32_t x, Subnormals subnormals) {
  if (subnormals == Subnormals::flush || !is_subnormal(x)) return mufu_lg2(x);
  const float sum = std::bit_cast<float>(mufu_lg2(fmul(x, 0x1p24f))) - 24;
  return sum != sum ? kInstructionNan : std::bit_cast<std::uint32_t>(sum);
}

std::uint32_t rcp_approx(std::uint32_t x, Subnormals subnormals) {
  if (subnormals == Subnormals::flush) return mufu_rcp(x);
  const float scale = is_great(x) ? 0.25f : is_subnormal(x) ? 0x1p24f : 1.0f;
  return fmul(mufu_rcp(fmul(x, scale)), scale);
}

std::uint32_t rsqrt_approx(std::uint32_t x, Subnormals subnormals) {
  if (subnormals == Subnormals::flush || !is_subnormal(x)) return mufu_rsq(x);
  return fmul(mufu_rsq(fmul(x, 0x1p24f)), 0x1p12f);
}

std::uint32_t sqrt_approx(std::uint32_t x, Subnormals subnormals) {
  if (subnormals == Subnormals::flush || !is_subnormal(x)) return mufu_sqrt(x);
  return fmul(mufu_sqrt(fmul(x, 0x1p24f)), 0x1p-12f);
}

std::uint32_t sin_approx(std::uint32_t x) { return mufu_sin(turns_of(x)); }
std::uint32_t cos_approx(std::uint32_t x) { return mufu_cos(turns_of(x)); }
std::uint32_t tanh_approx(std::uint32_t x) { return mufu_tanh(x); }

std::uint16_t ex2_approx_f16(std::uint16_t x) { return cut_to_half(mufu_ex2(from_half(x))); }
std::uint16_t ex2_approx_bf16(std::uint16_t x) { return cut_to_bf16(mufu_ex2(from_bf16(x))); }
std::uint16_t tanh_approx_f16(std::uint16_t x) { return cut_to_half(mufu_tanh(from_half(x))); }
std::uint16_t tanh_approx_bf16(std::uint16_t x) { return cut_to_bf16(mufu_tanh(from_bf16(x))); }

std::uint32_t div_approx(std::uint32_t a, std::uint32_t b, Subnormals subnormals) {
  if (subnormals == Subnormals::keep && is_subnormal(b)) {
    a = fmul(a, 0x1p24f);
    b = fmul(b, 0x1p24f);
  }
  return fmul(a, mufu_rcp(b), subnormals);
}

std::uint32_t div_full(std::uint32_t a, std::uint32_t b, Subnormals subnormals) {
  if (!is_great(b)) return div_approx(a, b, subnormals);
  const std::uint32_t quarter = std::bit_cast<std::uint32_t>(0.25f);
  return fmul(fmul(a, quarter, subnormals), mufu_rcp(fmul(b, quarter, subnormals)), subnormals);
}

}  // namespace lockstep::interpreter::gpu_bits
