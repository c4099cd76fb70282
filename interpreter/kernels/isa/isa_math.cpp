// exp, exp2, log, log2, sin, cos, tan, tanh, erf. Compiled once per instruction set. f32: branch-free mul, add, fma and
// bit operations, which the compiler vectorises and which give the same bytes on every instruction set. f64: the C library,
// element by element. Largest error found over every fifth f32 pattern, in ULP (bounds asserted by
// tests/unit/interpreter_kernels/math_test.cpp): exp 0.89, exp2 0.87, log 0.81, log2 1.46, sin, cos and tan 0.51,
// tanh 1.35, erf 1.49; rsqrt (isa_float.cpp) 1.50. Polynomials: own weighted minimax fits.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_float_ops.h"
#include "interpreter/kernels/isa/isa_fused.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

constexpr float kInfinity = __builtin_inff();
constexpr float kRoundMagic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer, which is then in the low bits

inline std::uint32_t bits_of(float value) { return bits_as<std::uint32_t>(value); }
inline float from_bits(std::uint32_t bits) { return bits_as<float>(bits); }

/// value * 2^n in two steps, so that subnormal results are rounded once; |n| <= 252. `shifted` is n + kRoundMagic: the
/// magic's bits, an even number, leave at the top.
inline float scale(float value, float shifted) {
  const std::uint32_t half = bits_of(shifted) >> 1;
  const float first = from_bits((half << 23) + 0x3f800000u);
  const float second = from_bits(((bits_of(shifted) - half) << 23) + 0x3f800000u);
  return value * first * second;
}
/// The same where value * 2^n is a normal number.
inline float scale_to_normal(float value, float shifted) {
  return from_bits(bits_of(value) + (bits_of(shifted) << 23));
}

/// Of e^r for |r| <= ln 2 / 2 and of 2^r for |r| <= 1/2, from r^6 down to 1. Relative errors: 3.1e-9 and 3.0e-9.
constexpr float kExpTerms[] = {0.00138214685f, 0.00836866256f, 0.0416682549f, 0.166665211f, 0.49999994f, 1.0f, 1.0f};
constexpr float kExp2Terms[] = {0.000153264715f, 0.00133908063f, 0.00961850584f, 0.0555035993f,
                                0.240226477f,    0.693147182f,   1.0f};
/// ln 2 = kLn2 - kLn2Rest.
constexpr float kLn2 = 0.693147182f, kLn2Rest = 1.90465421e-9f;

/// e^x = value * 2^n for |x| < 105; no special values.
struct Scaled {
  float value;
  float shifted;
};
inline Scaled exp_core(float x) {
  const float shifted = x * 1.44269504f + kRoundMagic;
  const float n = shifted - kRoundMagic;
  const float r = fused(n, kLn2Rest, fused(n, -kLn2, x));
  float q = kExpTerms[0];
  for (int i = 1; i < 7; ++i) q = fused(q, r, kExpTerms[i]);
  return {q, shifted};
}
/// e^x for |x| < 87; a NaN gives any number.
inline float exp_to_normal(float x) {
  const Scaled y = exp_core(x);
  return scale_to_normal(y.value, y.shifted);
}

// Lanes far below the smallest subnormal take the path of 0: arithmetic on values that underflow is slow.
struct Exp {
  static float apply(float x) {
    const bool is_zero = x < -104.0f;
    const float limited = is_zero ? 0.0f : (x > 89.0f ? 89.0f : x);
    const Scaled y = exp_core(limited);
    const float result = is_zero ? 0.0f : scale(y.value, y.shifted);
    return x != x ? x : result;
  }
  static double apply(double x) { return __builtin_exp(x); }
};

struct Exp2 {
  static float apply(float x) {
    const bool is_zero = x < -150.5f;
    const float limited = is_zero ? 0.0f : (x > 129.0f ? 129.0f : x);
    const float shifted = limited + kRoundMagic;
    const float r = limited - (shifted - kRoundMagic);
    float q = kExp2Terms[0];
    for (int i = 1; i < 7; ++i) q = fused(q, r, kExp2Terms[i]);
    const float result = is_zero ? 0.0f : scale(q, shifted);
    return x != x ? x : result;
  }
  static double apply(double x) { return __builtin_exp2(x); }
};

// The same steps on a register, which round to an integer at once. Every result keeps its bytes.
#if defined(__AVX512F__)
using Lanes = __m512;
inline Lanes vector_of(float value) { return _mm512_set1_ps(value); }
inline Lanes difference_of(Lanes a, Lanes b) { return _mm512_sub_ps(a, b); }
inline Lanes product_of(Lanes a, Lanes b) { return _mm512_mul_ps(a, b); }
inline Lanes rounded(Lanes x) {
  return _mm512_maskz_roundscale_ps(0xffff, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
#elif defined(__AVX2__) && defined(__FMA__)
using Lanes = __m256;
inline Lanes vector_of(float value) { return _mm256_set1_ps(value); }
inline Lanes difference_of(Lanes a, Lanes b) { return _mm256_sub_ps(a, b); }
inline Lanes product_of(Lanes a, Lanes b) { return _mm256_mul_ps(a, b); }
inline Lanes rounded(Lanes x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
#endif

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#define LOCKSTEP_EXPONENTIAL_LANES 1
inline Lanes terms_of(const float (&terms)[7], Lanes r) {
  Lanes q = fused(vector_of(terms[0]), r, vector_of(terms[1]));
  for (int i = 2; i < 7; ++i) q = fused(q, r, vector_of(terms[i]));
  return q;
}

/// f(x) = value * 2^power for numbers of [kLowest, kHighest]. From kLeastNormal to kMostNormal, which registers without
/// a scaling instruction ask for, f(x) is normal.
struct ScaledLanes {
  Lanes value, power;
};
template <class Op>
struct LaneForm;
template <>
struct LaneForm<Exp> {
  static constexpr float kLowest = -104.0f, kHighest = 89.0f;
  [[maybe_unused]] static constexpr float kLeastNormal = -87.0f, kMostNormal = 88.0f;
  static ScaledLanes core(Lanes x) {
    const Lanes n = rounded(product_of(x, vector_of(1.44269504f)));
    const Lanes r = fused(n, vector_of(kLn2Rest), fused(n, vector_of(-kLn2), x));
    return {terms_of(kExpTerms, r), n};
  }
};
template <>
struct LaneForm<Exp2> {
  static constexpr float kLowest = -150.5f, kHighest = 129.0f;
  [[maybe_unused]] static constexpr float kLeastNormal = -126.0f, kMostNormal = 127.0f;
  static ScaledLanes core(Lanes x) {
    const Lanes n = rounded(x);
    return {terms_of(kExp2Terms, difference_of(x, n)), n};
  }
};

#if defined(__AVX512F__)
constexpr Index kLaneCount = 16;
inline Lanes load_lanes(const float* x) { return _mm512_loadu_ps(x); }
inline void store_lanes(float* r, Lanes x) { _mm512_storeu_ps(r, x); }
/// Lanes below kLowest give 0 and NaN gives itself, without arithmetic that underflows, which is slow.
template <class Op>
inline Lanes exponential_of(Lanes x) {
  using Form = LaneForm<Op>;
  const __mmask16 regular = _mm512_cmp_ps_mask(x, vector_of(Form::kLowest), _CMP_GE_OQ);
  if (regular == 0xffff) [[likely]] {
    const ScaledLanes y = Form::core(_mm512_maskz_min_ps(0xffff, x, vector_of(Form::kHighest)));
    return _mm512_maskz_scalef_ps(0xffff, y.value, y.power);
  }
  const __mmask16 unordered = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
  if (_kortestz_mask16_u8(regular, unordered) != 0) return _mm512_setzero_ps();  // the masks of a block make -inf
  const ScaledLanes y = Form::core(_mm512_maskz_min_ps(regular, x, vector_of(Form::kHighest)));
  return _mm512_mask_scalef_ps(_mm512_maskz_mov_ps(unordered, x), regular, y.value, y.power);
}
#else
constexpr Index kLaneCount = 8;
inline Lanes load_lanes(const float* x) { return _mm256_loadu_ps(x); }
inline void store_lanes(float* r, Lanes x) { _mm256_storeu_ps(r, x); }
template <class Op>
inline Lanes exponential_of(Lanes x) {
  using Form = LaneForm<Op>;
  const Lanes is_normal = _mm256_and_ps(_mm256_cmp_ps(x, vector_of(Form::kLeastNormal), _CMP_GE_OQ),
                                        _mm256_cmp_ps(x, vector_of(Form::kMostNormal), _CMP_LE_OQ));
  if (_mm256_movemask_ps(is_normal) == 0xff) [[likely]] {
    const ScaledLanes y = Form::core(x);
    const __m256i power = _mm256_slli_epi32(_mm256_cvtps_epi32(y.power), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(y.value), power));
  }
  if (_mm256_movemask_ps(_mm256_cmp_ps(x, vector_of(Form::kLowest), _CMP_LT_OQ)) == 0xff) return _mm256_setzero_ps();
  alignas(32) float lanes[kLaneCount];
  _mm256_store_ps(lanes, x);
  unary_loop<Op, float>(lanes, lanes, kLaneCount);
  return _mm256_load_ps(lanes);
}
#endif

template <class Op>
void exponential_loop(void* out, const void* a, Index n) {
  const float* x = static_cast<const float*>(a);
  float* r = static_cast<float*>(out);
  Index i = 0;
  for (; i + kLaneCount <= n; i += kLaneCount) store_lanes(r + i, exponential_of<Op>(load_lanes(x + i)));
  if (i == n) return;
#if defined(__AVX512F__)
  const auto rest = static_cast<__mmask16>((1u << (n - i)) - 1u);
  _mm512_mask_storeu_ps(r + i, rest, exponential_of<Op>(_mm512_maskz_loadu_ps(rest, x + i)));
#else
  unary_loop<Op, float>(r + i, x + i, n - i);
#endif
}
#endif

/// x = (1 + fraction) * 2^exponent with 1 + fraction in [sqrt(1/2), sqrt(2)), for positive finite x.
struct Parts {
  float fraction;
  float exponent;
};
inline Parts split(float x) {
  // A subnormal's bits, read as an integer, are its value in units of 2^-149.
  const bool is_subnormal = x < 1.17549435e-38f;
  const float whole = static_cast<float>(static_cast<std::int32_t>(bits_of(x) & 0x7fffffu));
  const std::uint32_t bits = is_subnormal ? bits_of(whole) : bits_of(x);
  constexpr std::uint32_t kRootHalf = 0x3f3504f3u;
  const std::uint32_t offset = bits - kRootHalf;
  const std::int32_t exponent = static_cast<std::int32_t>(offset) >> 23;
  const float mantissa = from_bits((offset & 0x7fffffu) + kRootHalf);
  return {mantissa - 1.0f, static_cast<float>(exponent - (is_subnormal ? 149 : 0))};
}
/// log(1 + f) - f + f*f/2 = f^3 * q(f).
inline float log_tail(float f) {
  float q = 0.0674672127f;
  q = q * f - 0.116757818f;
  q = q * f + 0.118881978f;
  q = q * f - 0.124055713f;
  q = q * f + 0.142195463f;
  q = q * f - 0.166679963f;
  q = q * f + 0.200021192f;
  q = q * f - 0.250000089f;
  q = q * f + 0.333333135f;
  return q * f * (f * f);
}
inline float log_special(float x, float result) {
  result = x == kInfinity ? x : result;
  result = x == 0.0f ? -kInfinity : result;
  result = x < 0.0f ? __builtin_nanf("") : result;
  return x != x ? x : result;
}

/// r, computed by the C library from x. Its NaN has its own bits: for a negative number glibc before 2.29 gives the
/// positive one.
inline double of_library(double r, double x) { return r == r ? r : first_nan(x, x); }

struct Log {
  static float apply(float x) {
    const Parts parts = split(x);
    const float f = parts.fraction;
    float y = log_tail(f);
    y = y + parts.exponent * -2.12194440e-4f;
    y = y - 0.5f * (f * f);
    return log_special(x, (f + y) + parts.exponent * 0.693359375f);
  }
  static double apply(double x) { return of_library(__builtin_log(x), x); }
};

struct Log2 {
  static float apply(float x) {
    const Parts parts = split(x);
    const float f = parts.fraction;
    const float y = log_tail(f) - 0.5f * (f * f);
    // log2(e) = 1 + 0.4427: the 1 costs no rounding.
    constexpr float kLog2eLess1 = 0.442695041f;
    float result = y * kLog2eLess1;
    result = result + f * kLog2eLess1;
    result = result + y;
    result = result + f;
    return log_special(x, result + parts.exponent);
  }
  static double apply(double x) { return of_library(__builtin_log2(x), x); }
};

/// x = n * pi/2 + rest with rest in f64, for |x| < kReduceBelow; `quadrant` is n modulo 4.
constexpr float kReduceBelow = 1.0e8f;
struct Reduced {
  double rest;
  std::int32_t quadrant;
};
inline Reduced reduce_angle(float x) {
  constexpr double kMagic = 6755399441055744.0;  // 1.5 * 2^52
  const double angle = static_cast<double>(x);
  const double shifted = angle * 0.63661977236758134 + kMagic;
  const double n = shifted - kMagic;
  // pi/2 in two parts; the first has 25 bits, so its product with n (below 2^26) is exact.
  const double rest = (angle - n * 1.57079631090164184570) - n * 1.58932547735281966916e-8;
  return {rest, static_cast<std::int32_t>(static_cast<std::uint32_t>(bits_as<std::uint64_t>(shifted)))};
}
inline double sin_core(double r) {
  const double z = r * r;
  double s = 2.718308664287448e-06;
  s = s * z - 0.00019839334542595425;
  s = s * z + 0.008333329384989381;
  s = s * z - 0.16666666641618896;
  return s * z * r + r;
}
inline double cos_core(double r) {
  const double z = r * r;
  double c = -2.721021042923134e-07;
  c = c * z + 2.4799519681646624e-05;
  c = c * z - 0.0013888883752185659;
  c = c * z + 0.04166666662281404;
  return c * (z * z) - 0.5 * z + 1.0;
}
inline double negate_if(double value, bool negative) { return negative ? -value : value; }

struct Sin {
  static float apply(float x) {
    const Reduced a = reduce_angle(x);
    const double value = (a.quadrant & 1) != 0 ? cos_core(a.rest) : sin_core(a.rest);
    const float result = static_cast<float>(negate_if(value, (a.quadrant & 2) != 0));
    return x == 0.0f ? x : result;
  }
  static double apply(double x) { return settled(__builtin_sin(x), x, x); }
};
struct Cos {
  static float apply(float x) {
    const Reduced a = reduce_angle(x);
    const double value = (a.quadrant & 1) != 0 ? sin_core(a.rest) : cos_core(a.rest);
    return static_cast<float>(negate_if(value, ((a.quadrant + 1) & 2) != 0));
  }
  static double apply(double x) { return settled(__builtin_cos(x), x, x); }
};
struct Tan {
  static float apply(float x) {
    const Reduced a = reduce_angle(x);
    const double s = sin_core(a.rest);
    const double c = cos_core(a.rest);
    const bool is_odd = (a.quadrant & 1) != 0;
    const float result = static_cast<float>((is_odd ? -c : s) / (is_odd ? s : c));
    return x == 0.0f ? x : result;
  }
  static double apply(double x) { return settled(__builtin_tan(x), x, x); }
};

struct Tanh {
  static float apply(float x) {
    const float t = __builtin_fabsf(x);
    const float z = x * x;
    float p = -0.0057049864f;
    p = p * z + 0.0206390861f;
    p = p * z - 0.0537397154f;
    p = p * z + 0.133314416f;
    p = p * z - 0.333332807f;
    const float small = t + t * (z * p);
    const float e = exp_to_normal(2.0f * (t > 9.1f ? 9.1f : t));
    const float large = 1.0f - 2.0f / (e + 1.0f);
    const float result = from_bits(bits_of(t < 0.625f ? small : large) | (bits_of(x) & 0x80000000u));
    return x != x ? x : result;
  }
  static double apply(double x) { return __builtin_tanh(x); }
};

struct Erf {
  static float apply(float x) {
    const float t = __builtin_fabsf(x);
    const float z = x * x;
    float p = 8.18509361e-05f;
    p = p * z - 0.000809770369f;
    p = p * z + 0.00519695226f;
    p = p * z - 0.0268577058f;
    p = p * z + 0.112836637f;
    p = p * z - 0.376126319f;
    // 1.128379 = 1 + 0.128379, so that the leading product costs no rounding.
    p = p * z + 0.128379166f;
    const float small = t + t * p;
    // erfc(t) = e^(-ln 2 * q(t))
    const float u = t > 4.0f ? 4.0f : t;
    float q = 7.53614131e-07f;
    q = q * u + 2.06377063e-05f;
    q = q * u - 0.00057227537f;
    q = q * u + 0.00584779959f;
    q = q * u - 0.0359160192f;
    q = q * u + 0.155828103f;
    q = q * u + 0.914010167f;
    q = q * u + 1.62942898f;
    q = q * u - 0.000231403523f;
    const float large = 1.0f - exp_to_normal(q * -0.693147182f);
    const float result = from_bits(bits_of(t < 0.92f ? small : large) | (bits_of(x) & 0x80000000u));
    return x != x ? x : result;
  }
  static double apply(double x) { return __builtin_erf(x); }
};

/// Angles too large for the two-part reduction (infinities too) go through the C library's f64 function.
template <class Op>
void angle_loop(void* out, const void* a, Index n) {
  const float* x = static_cast<const float*>(a);
  float* r = static_cast<float*>(out);
  for (Index begin = 0; begin < n; begin += kStrip) {
    const Index end = n - begin < kStrip ? n : begin + kStrip;
    std::uint32_t large = 0;
    for (Index i = begin; i < end; ++i) large |= static_cast<std::uint32_t>(__builtin_fabsf(x[i]) >= kReduceBelow);
    if (large == 0) {
      unary_loop<Op, float>(r + begin, x + begin, end - begin);
      continue;
    }
    for (Index i = begin; i < end; ++i)
      r[i] = __builtin_fabsf(x[i]) >= kReduceBelow ? static_cast<float>(Op::apply(static_cast<double>(x[i])))
                                                   : Op::apply(x[i]);
  }
}

/// f32 exponentials: a register at a time if there is a shorter way.
template <class Op>
UnaryFn exponential() {
#ifdef LOCKSTEP_EXPONENTIAL_LANES
  return exponential_loop<Op>;
#else
  return unary_loop<Op, float>;
#endif
}

template <class T>
UnaryFn find_of(Unary op) {
  constexpr bool kIsSingle = sizeof(T) == 4;
  switch (op) {
    case Unary::exp: return kIsSingle ? exponential<Exp>() : unary_loop<Exp, T>;
    case Unary::exp2: return kIsSingle ? exponential<Exp2>() : unary_loop<Exp2, T>;
    case Unary::log: return unary_loop<Log, T>;
    case Unary::log2: return unary_loop<Log2, T>;
    case Unary::sin: return kIsSingle ? angle_loop<Sin> : unary_loop<Sin, T>;
    case Unary::cos: return kIsSingle ? angle_loop<Cos> : unary_loop<Cos, T>;
    case Unary::tan: return kIsSingle ? angle_loop<Tan> : unary_loop<Tan, T>;
    case Unary::tanh: return unary_loop<Tanh, T>;
    case Unary::erf: return unary_loop<Erf, T>;
    default: return nullptr;
  }
}

}  // namespace

UnaryFn find_math(Unary op, Kind kind) {
  if (kind == Kind::f32) return find_of<float>(op);
  if (kind == Kind::f64) return find_of<double>(op);
  return nullptr;
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
