// Fused multiply-adds on numbers and registers. For isa_*.cpp only.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_round_to_odd.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

/// a * b + c rounded once: the processor's instruction, or f64 with rounding to odd (f32) or the C library (f64).
#ifdef __FMA__
#define LOCKSTEP_HAS_FUSED
inline __m128 fused(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
inline __m256 fused(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
inline __m128d fused(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
inline __m256d fused(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#elif defined(__ARM_FEATURE_FMA)
#define LOCKSTEP_HAS_FUSED
typedef float Floats __attribute__((vector_size(16)));
typedef double Doubles __attribute__((vector_size(16)));
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline Floats fused(Floats a, Floats b, Floats c) {
  return Floats{fused(a[0], b[0], c[0]), fused(a[1], b[1], c[1]), fused(a[2], b[2], c[2]), fused(a[3], b[3], c[3])};
}
inline Doubles fused(Doubles a, Doubles b, Doubles c) {
  return Doubles{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
}
#else
inline float fused(float a, float b, float c) {  // the product of two f32 is exact in f64
  return static_cast<float>(sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
}
#if defined(__SSE4_1__)
/// Rounding the sum to f64 and then to f32 differs from one rounding only if f64 gave a tie of f32, or a number so
/// small that f32's ties are elsewhere.
inline int is_in_doubt(__m128d sum) {
  const __m128i rest = _mm_and_si128(_mm_castpd_si128(sum), _mm_set1_epi64x(0x1fffffff));
  const __m128d is_tie = _mm_castsi128_pd(_mm_cmpeq_epi64(rest, _mm_set1_epi64x(0x10000000)));
  const __m128d is_tiny = _mm_cmplt_pd(_mm_andnot_pd(_mm_set1_pd(-0.0), sum), _mm_set1_pd(0x1p-126));
  return _mm_movemask_pd(_mm_or_pd(is_tie, is_tiny));
}
inline __m128 fused(__m128 a, __m128 b, __m128 c) {
  const __m128 a_high = _mm_movehl_ps(a, a), b_high = _mm_movehl_ps(b, b), c_high = _mm_movehl_ps(c, c);
  const __m128d low = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b)), _mm_cvtps_pd(c));
  const __m128d high = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(a_high), _mm_cvtps_pd(b_high)), _mm_cvtps_pd(c_high));
  if (__builtin_expect((is_in_doubt(low) | is_in_doubt(high)) != 0, 0))
    return _mm_setr_ps(fused(a[0], b[0], c[0]), fused(a[1], b[1], c[1]), fused(a[2], b[2], c[2]),
                       fused(a[3], b[3], c[3]));
  return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}
inline __m128d fused(__m128d a, __m128d b, __m128d c) {
  return _mm_setr_pd(__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1]));
}
#else
typedef float Floats __attribute__((vector_size(16)));
typedef double Doubles __attribute__((vector_size(16)));
inline Floats fused(Floats a, Floats b, Floats c) {
  return Floats{fused(a[0], b[0], c[0]), fused(a[1], b[1], c[1]), fused(a[2], b[2], c[2]), fused(a[3], b[3], c[3])};
}
inline Doubles fused(Doubles a, Doubles b, Doubles c) {
  return Doubles{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
}
#endif
#endif
#ifdef __AVX512F__
inline __m512 fused(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
inline __m512d fused(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
#endif
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

}  // namespace
}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
