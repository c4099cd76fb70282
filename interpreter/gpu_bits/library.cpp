#include "interpreter/gpu_bits/library.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "interpreter/gpu_bits/instructions.h"

namespace lockstep::interpreter::gpu_bits {
namespace {

using Word = std::uint32_t;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLog2OfE = 0x1.715476p0f, kLogOf2 = 0x1.62e430p-1f;

Word word(float x) { return std::bit_cast<Word>(x); }
float number(Word bits) { return std::bit_cast<float>(bits); }

float flush(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
/// fma.rn.ftz, mul.rn.ftz
float fma_ftz(float a, float b, float c) { return flush(std::fma(flush(a), flush(b), flush(c))); }
float mul_ftz(float a, float b) { return flush(flush(a) * flush(b)); }

float ex2_ftz(float x) { return number(ex2_approx(word(x), Subnormals::flush)); }
float rcp_ftz(float x) { return number(rcp_approx(word(x), Subnormals::flush)); }
float lg2_ftz(float x) { return number(lg2_approx(word(x), Subnormals::flush)); }

/// (((c0 x + c1) x + ...) x + last
template <std::size_t count>
float polynomial(float x, const std::array<float, count>& c) {
  float sum = c[0];
  for (std::size_t i = 1; i < count; ++i) sum = fma_ftz(sum, x, c[i]);
  return sum;
}

float with_sign(float magnitude, float sign) { return number((word(sign) & 0x80000000u) | word(magnitude)); }

// ---- logarithms ----

/// x = (1 + rest) 2^exponent for a rest around 0; `limit` is where the rest's range begins.
struct Split {
  float scaled, rest, exponent;
};
Split split(float x, Word limit) {
  Split made{};
  const bool is_small = x < 0x1p-126f;
  made.scaled = is_small ? x * 0x1p23f : x;
  const Word power = (word(made.scaled) + limit) & 0xff800000u;
  made.rest = number(word(made.scaled) - power) - 1.0f;
  made.exponent = fma_ftz(static_cast<float>(static_cast<std::int32_t>(power)), 0x1p-23f, is_small ? -23.0f : 0.0f);
  return made;
}
/// For zeros, negative numbers, infinities and NaNs, that of them.
float settle_logarithm(float result, float scaled) {
  if (word(scaled) >= 0x7f800000u) result = fma_ftz(scaled, kInfinity, kInfinity);
  return scaled == 0.0f ? -kInfinity : result;
}

constexpr std::array kLogTerms{-0x1.0aa04ep-3f, 0x1.2073ecp-3f, -0x1.f19b98p-4f, 0x1.1e52aap-3f, -0x1.55b172p-3f,
                               0x1.99da16p-3f,  -0x1.fffe44p-3f, 0x1.5554f0p-2f, -0.5f};
float log_of(const Split& x) {
  const float sum = polynomial(x.rest, kLogTerms);
  return fma_ftz(x.exponent, kLogOf2, fma_ftz(x.rest * sum, x.rest, x.rest));
}
constexpr Word kLogLimit = static_cast<Word>(-1059760811), kLog2Limit = static_cast<Word>(-1060439283);

// ---- sine and cosine ----

/// The quarters of a turn in x, and the rest in radians.
struct Angle {
  std::int32_t quarters;
  float rest;
};

/// The product of x's 24 bits and the bits of 2 / pi that matter (Payne and Hanek).
Angle reduce_far(float x) {
  constexpr std::array<Word, 6> kTwoOverPi{0x3c439041u, 0xdb629599u, 0xf534ddc0u, 0xfc2757d1u, 0x4e441529u, 0xa2f9836eu};
  const Word fraction = (word(x) << 8) | 0x80000000u;
  std::array<Word, 7> product{};
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < kTwoOverPi.size(); ++i) {
    carry += std::uint64_t{kTwoOverPi[i]} * fraction;
    product[i] = static_cast<Word>(carry);
    carry >>= 32;
  }
  product[6] = static_cast<Word>(carry);
  const Word exponent = word(x) >> 23;
  const std::size_t top = 6 - ((exponent & 224) - 128) / 32;
  Word high = product[top], low = product[top - 1];
  if (const Word left = exponent & 31; left != 0) {
    high = (high << left) | (low >> (32 - left));
    low = (low << left) | (product[top - 2] >> (32 - left));
  }
  Word quarters = high >> 30;
  high = (high << 2) | (low >> 30);
  low <<= 2;
  quarters += high >> 31;
  const bool is_negative = (word(x) >> 31) != 0, flips = ((high ^ word(x)) >> 31) != 0;
  const Word mask = (high >> 31) != 0 ? ~Word{0} : 0;
  const auto value = static_cast<std::int64_t>((std::uint64_t{high ^ mask} << 32) | (low ^ mask));
  const auto rest = static_cast<float>(static_cast<double>(value) * 0x1.921fb54442d19p-64);
  return {static_cast<std::int32_t>(is_negative ? 0u - quarters : quarters), flips ? -rest : rest};
}

Angle reduce(float x) {
  if (std::fabs(x) >= 105615.0f) {
    if (std::isinf(x)) return {0, std::numeric_limits<float>::quiet_NaN()};
    return reduce_far(x);
  }
  if (std::isnan(x)) return {0, x};
  const float quarters = std::nearbyint(flush(x * 0x1.45f306p-1f)) + 0.0f;  // an integer there: no -0
  float rest = fma_ftz(quarters, -0x1.921fb4p0f, x);
  rest = fma_ftz(quarters, -0x1.4442d0p-24f, rest);
  return {static_cast<std::int32_t>(quarters), fma_ftz(quarters, -0x1.84698ap-48f, rest)};
}

/// The sine of quarters and rest.
float sine_of(std::int32_t quarters, float rest) {
  const float square = mul_ftz(rest, rest);
  const bool is_odd = (quarters & 1) != 0;
  const float first = is_odd ? 1.0f : rest;
  const float step = fma_ftz(square, first, 0.0f);
  float sum = is_odd ? fma_ftz(0x1.975800p-16f, square, -0x1.6c0fdap-10f) : -0x1.9a82a6p-13f;
  sum = fma_ftz(sum, square, is_odd ? 0x1.555576p-5f : 0x1.110bc8p-7f);
  sum = fma_ftz(sum, square, is_odd ? -0x1.fffffep-2f : -0x1.555550p-3f);
  const float sine = fma_ftz(sum, step, first);
  return (quarters & 2) != 0 ? fma_ftz(sine, -1.0f, 0.0f) : sine;
}

}  // namespace

float exp_bits(float x) { return number(ex2_approx(word(x * kLog2OfE), Subnormals::keep)); }
float exp2_bits(float x) { return ex2_ftz(x); }
float sqrt_bits(float x) { return number(sqrt_approx(word(x), Subnormals::flush)); }
float rsqrt_bits(float x) { return number(rsqrt_approx(word(x), Subnormals::flush)); }
float divide_bits(float a, float b) { return number(div_full(word(a), word(b), Subnormals::keep)); }
float remainder_bits(float x, float y) {
  return std::isinf(y) ? x : std::fma(-std::trunc(x / y), y, x);
}

float log_bits(float x) {
  const Split parts = split(x, kLogLimit);
  return settle_logarithm(log_of(parts), parts.scaled);
}
float log10f_bits(float x) {
  const Split parts = split(x, kLogLimit);
  return settle_logarithm(settle_logarithm(log_of(parts), parts.scaled) * 0x1.bcb7b2p-2f, parts.scaled);
}
float log2_bits(float x) {
  const Split parts = split(x, kLog2Limit);
  constexpr std::array kTerms{0x1.8d64fep-4f,  -0x1.58fe60p-3f, 0x1.5f9e54p-3f,  -0x1.6e9c86p-3f, 0x1.a417e8p-3f,
                              -0x1.ec7916p-3f, 0x1.277f32p-2f,  -0x1.715492p-2f, 0x1.ec7094p-2f,  -0x1.715476p-1f};
  const float rest = parts.rest, sum = polynomial(rest, kTerms);
  const float fraction = fma_ftz(rest, kLog2OfE, rest * (rest * sum));
  return settle_logarithm(parts.exponent + fraction, parts.scaled);
}

float sin_bits(float x) {
  const Angle angle = reduce(x);
  return sine_of(angle.quarters, angle.rest);
}
float cos_bits(float x) {
  const Angle angle = reduce(x);
  return sine_of(static_cast<std::int32_t>(static_cast<Word>(angle.quarters) + 1), angle.rest);
}

float erf_bits(float x) {
  const float size = flush(std::fabs(x));
  constexpr float kFar = 0x1.00c1fcp0f;
  constexpr std::array kNear{0x1.63d2d4p-14f, -0x1.ae9a40p-11f, 0x1.55abd4p-8f,  -0x1.b837cep-6f,
                             0x1.ce315ep-4f,  -0x1.812758p-2f,  0x1.06eba6p-3f};
  constexpr std::array kBeyond{0x1.139478p-16f, -0x1.eac172p-12f, 0x1.590816p-8f, -0x1.1902c4p-5f,
                               0x1.39f20cp-3f,  0x1.d526fcp-1f,   0x1.41b084p-1f};
  if (!(size >= kFar)) {
    const float square = x * x;
    return fma_ftz(polynomial(square, kNear), x, x);
  }
  const float power = fma_ftz(polynomial(size, kBeyond), -size, -size);
  return with_sign(1.0f - ex2_ftz(power), x);
}

float expf_bits(float x) {
  const float near = fma_ftz(x, 0x1.77313ap-8f, 0.5f);
  const float clamped = std::isnan(near) ? 0.0f : std::fmin(std::fmax(near, 0.0f), 1.0f);
  // fma.rm: the sum is exact in f64, because both terms are multiples of 2^-46 below 2^24; cut to ones, downwards.
  const double wide = double{clamped} * 252.0 + 0x1.800002p23;
  const auto down = static_cast<float>(std::floor(wide));
  const float whole = down + -0x1.8000fep23f;
  const float rest = fma_ftz(x, 0x1.4ae0c0p-26f, fma_ftz(x, kLog2OfE, -whole));
  return ex2_ftz(rest) * number(word(down) << 23);
}

float expm1f_bits(float x) {
  float whole = flush(std::fabs(x)) < 0x1.a3d70ap-2f ? 0.0f : std::nearbyint(x * kLog2OfE);
  const bool is_last = whole == 128.0f;
  const float power = is_last ? 127.0f : whole, scale = ex2_ftz(power);
  const float rest = fma_ftz(-whole, 0x1.7f7d1cp-20f, fma_ftz(-whole, 0x1.62e400p-1f, x));
  const float sum = polynomial(rest, std::array{0x1.6bd7ccp-10f, 0x1.12acc6p-7f, 0x1.5557c6p-5f, 0x1.5553ecp-3f, 0x1.fffffcp-2f});
  float result = fma_ftz(fma_ftz(rest * sum, rest, rest), scale, scale + -1.0f);
  if (is_last) result += result;
  if (power > 128.0f) result = kInfinity;
  if (power < -25.0f) result = -1.0f;
  return x == 0.0f ? x + x : result;
}

float log1pf_bits(float x) {
  // add.rz
  const double wide = double{flush(x)} + 1.0;
  float sum = static_cast<float>(wide);
  if (std::fabs(double{sum}) > std::fabs(wide)) sum = number(word(sum) - 1);
  const Word power = (word(flush(sum)) - 1061158912u) & 0xff800000u;
  const float scaled = number(word(x) - power);
  const float rest = fma_ftz(0.25f, number(1082130432u - power), -1.0f) + scaled;
  const float exponent = static_cast<float>(static_cast<std::int32_t>(power)) * 0x1p-23f;
  constexpr std::array kTerms{-0x1.737ef0p-5f, 0x1.b00024p-4f, -0x1.0ef1c0p-3f, 0x1.28c8eap-3f, -0x1.54d1bap-3f,
                              0x1.995f3cp-3f,  -0x1.000084p-2f, 0x1.5555ccp-2f, -0.5f};
  float result = fma_ftz(exponent, kLogOf2, fma_ftz(rest * polynomial(rest, kTerms), rest, rest));
  if (word(x) < 0x7f800000u) return result;
  if (static_cast<std::int32_t>(word(x)) >= -1082130431) result = fma_ftz(x, kInfinity, kInfinity);
  return x == 0.0f ? -0.0f : result;
}

float tanhf_bits(float x) {
  const float size = flush(std::fabs(x));
  if (!(size >= 0x1.333334p-1f)) {
    const float square = x * x;
    const float sum = polynomial(square, std::array{0x1.01e104p-6f, -0x1.ac795cp-5f, 0x1.10b282p-3f, -0x1.5553dap-2f, 0.0f});
    return fma_ftz(sum, x, x);
  }
  const float near = fma_ftz(rcp_ftz(ex2_ftz(size * (2 * kLog2OfE)) + 1.0f), -2.0f, 1.0f);
  return with_sign(size >= 0x1.205968p3f ? 1.0f : near, x);
}

float fast_expf_bits(float x) { return ex2_ftz(x * kLog2OfE); }
float fast_logf_bits(float x) { return lg2_ftz(x) * kLogOf2; }
float fast_log2f_bits(float x) { return lg2_ftz(x); }
float fast_sinf_bits(float x) { return number(sin_approx(word(x))); }
float fast_cosf_bits(float x) { return number(cos_approx(word(x))); }
float fast_dividef_bits(float a, float b) { return number(div_approx(word(a), word(b), Subnormals::flush)); }

}  // namespace lockstep::interpreter::gpu_bits
