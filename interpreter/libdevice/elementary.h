// libdevice's exponentials, logarithms, powers, circular and hyperbolic functions, roots and norms. f32 results are
// computed in f64 and rounded once. f64 results come from the C library: from its f64 functions where those stay below
// 0.6 ulp, otherwise from its functions of long double, rounded once (at least 64 bits of mantissa: x86-64's 80-bit
// format, quadruple elsewhere). Special values are C's, as CUDA's are. No state: it writes nothing but errno.
#pragma once

#include <cmath>
#include <limits>

#include "interpreter/evaluators/nan.h"

namespace lockstep::interpreter::libdevice {

static_assert(std::numeric_limits<long double>::digits >= 64, "f64 functions need a wider type");
using Wide = long double;

template <class T>
inline constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T kInfinity = std::numeric_limits<T>::infinity();

/// f32 through a function of f64.
template <double (*kFunction)(double)>
float single(float x) {
  return static_cast<float>(kFunction(static_cast<double>(x)));
}
template <double (*kFunction)(double, double)>
float single(float x, float y) {
  return static_cast<float>(kFunction(static_cast<double>(x), static_cast<double>(y)));
}

// C's functions, named once so that their addresses can be template arguments.
#define LOCKSTEP_DIRECT(name) \
  inline double name##_f64(double x) { return std::name(x); }
LOCKSTEP_DIRECT(sin)
LOCKSTEP_DIRECT(cos)
LOCKSTEP_DIRECT(tan)
LOCKSTEP_DIRECT(asin)
LOCKSTEP_DIRECT(acos)
LOCKSTEP_DIRECT(atan)
LOCKSTEP_DIRECT(exp)
LOCKSTEP_DIRECT(exp2)
LOCKSTEP_DIRECT(log)
LOCKSTEP_DIRECT(log2)
LOCKSTEP_DIRECT(ceil)
LOCKSTEP_DIRECT(floor)
LOCKSTEP_DIRECT(trunc)
LOCKSTEP_DIRECT(round)
LOCKSTEP_DIRECT(sqrt)
LOCKSTEP_DIRECT(fabs)
LOCKSTEP_DIRECT(logb)
#undef LOCKSTEP_DIRECT
/// The same in f64 with more than enough precision for an f32 result.
#define LOCKSTEP_FAST(name) \
  inline double name##_fast(double x) { return std::name(x); }
LOCKSTEP_FAST(sinh)
LOCKSTEP_FAST(cosh)
LOCKSTEP_FAST(tanh)
LOCKSTEP_FAST(asinh)
LOCKSTEP_FAST(acosh)
LOCKSTEP_FAST(atanh)
LOCKSTEP_FAST(log10)
LOCKSTEP_FAST(log1p)
LOCKSTEP_FAST(expm1)
LOCKSTEP_FAST(cbrt)
LOCKSTEP_FAST(erf)
LOCKSTEP_FAST(erfc)
#undef LOCKSTEP_FAST
/// f64 through C's long double function.
#define LOCKSTEP_WIDE(name) \
  inline double name##_f64(double x) { return static_cast<double>(std::name(static_cast<Wide>(x))); }
LOCKSTEP_WIDE(sinh)
LOCKSTEP_WIDE(cosh)
LOCKSTEP_WIDE(tanh)
LOCKSTEP_WIDE(asinh)
LOCKSTEP_WIDE(acosh)
LOCKSTEP_WIDE(atanh)
LOCKSTEP_WIDE(log10)
LOCKSTEP_WIDE(log1p)
LOCKSTEP_WIDE(expm1)
LOCKSTEP_WIDE(cbrt)
LOCKSTEP_WIDE(erf)
LOCKSTEP_WIDE(erfc)
#undef LOCKSTEP_WIDE

/// 1^y and x^0 are 1 for every y and x, including signalling NaN (C's pow checks those first).
inline double pow_f64(double x, double y) { return x == 1 || y == 0 ? 1.0 : std::pow(x, y); }
inline double atan2_f64(double y, double x) { return std::atan2(y, x); }
inline double powi_f64(double x, int n) { return pow_f64(x, static_cast<double>(n)); }
inline float powi_f32(float x, int n) { return static_cast<float>(powi_f64(static_cast<double>(x), n)); }
double exp10_f64(double x);
/// sin and cos of pi * x. Whole numbers give zeros (sinpi: with the sign of x) and half numbers of cospi +0.
double sinpi_f64(double x);
double cospi_f64(double x);

template <class T>
T rcbrt(T x) {
  return static_cast<T>(1 / std::cbrt(static_cast<Wide>(x)));
}
template <class T>
T rsqrt(T x) {
  return static_cast<T>(1 / std::sqrt(static_cast<Wide>(x)));
}
/// 1/x from the top 32 bits of x, in the top 32 bits of the result; subnormals are zeros on both sides (PTX ISA,
/// rcp.approx.ftz.f64, without its error: the nearest such number).
double rcp64h(double x);
/// x within [0, 1]; NaN gives 0.
inline float saturate(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

/// Root of the sum of squares: an infinity wins over NaN. Squares neither over- nor underflow.
template <class T, class... A>
T norm(T first, A... rest) {
  if (std::isinf(first) || (std::isinf(rest) || ...)) return kInfinity<T>;
  const auto square = [](T x) { return static_cast<Wide>(x) * static_cast<Wide>(x); };
  return static_cast<T>(std::sqrt((square(first) + ... + square(rest))));
}
template <class T, class... A>
T reciprocal_norm(T first, A... rest) {
  if (std::isinf(first) || (std::isinf(rest) || ...)) return 0;
  const auto square = [](T x) { return static_cast<Wide>(x) * static_cast<Wide>(x); };
  return static_cast<T>(1 / std::sqrt((square(first) + ... + square(rest))));
}

template <class T>
T positive_difference(T x, T y) {
  return std::fdim(x, y);
}
template <class T>
T remainder_truncated(T x, T y) {
  return std::fmod(x, y);
}
template <class T>
T remainder_nearest(T x, T y) {
  return std::remainder(x, y);
}
template <class T>
T next_after(T x, T y) {
  return std::nextafter(x, y);
}
template <class T>
T copy_sign(T x, T y) {
  return std::copysign(x, y);
}
template <class T>
T scale(T x, int exponent) {
  return std::ldexp(x, exponent);
}
/// The number if one operand is NaN, signalling or not; -0 is less than +0.
template <class T>
T larger_number(T x, T y) {
  if (std::isnan(x)) return y;
  if (x == y) return std::signbit(x) ? y : x;
  return x < y ? y : x;
}
template <class T>
T smaller_number(T x, T y) {
  if (std::isnan(x)) return y;
  if (x == y) return std::signbit(x) ? x : y;
  return x > y ? y : x;
}
inline double round_even(double x) { return std::nearbyint(x); }
inline double fma_f64(double x, double y, double z) { return one_nan(std::fma(x, y, z)); }
inline float fma_f32(float x, float y, float z) { return one_nan(std::fma(x, y, z)); }

}  // namespace lockstep::interpreter::libdevice
