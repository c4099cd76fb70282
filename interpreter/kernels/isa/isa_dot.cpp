// The matrix product of a dot on floats: out = start + a * b on tiles in place. Compiled once per instruction set.
// Invariant: one rounding per step of an element's chain. v3 and v4 have an instruction for it; v2 computes it in wider
// numbers, and multiplies and adds where the products are known to be exact. Tiles (AMX) are not used: they flush
// subnormals and add in another order, so they would not give these bytes. Not here: vdpbf16ps (isa_dot_bf16.cpp).
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_dot_blocks.h"

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
/// The sum with an odd last bit where it is inexact, so that rounding it again to f32 rounds once.
inline double made_odd(double product, double addend, double sum) {
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  const std::int64_t bits = bits_as<std::int64_t>(sum);
  const bool is_inexact = (error > 0) | (error < 0);
  const std::int64_t step = (error > 0) == (sum > 0) ? 1 : -1;
  return bits_as<double>(is_inexact && (bits & 1) == 0 ? bits + step : bits);
}
inline float fused(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b), addend = static_cast<double>(c);
  return static_cast<float>(made_odd(product, addend, product + addend));
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

/// One step of a chain. Integers wrap; floats round once.
template <class T>
struct Fused : CanonicalSums<T> {
  template <class V>
  static V apply(V a, V b, V c) {
    if constexpr (static_cast<T>(1.5) == T{1})
      return a * b + c;
    else
      return fused(a, b, c);
  }
};
/// The same if a * b is known to be exact, which needs no special instruction.
struct ExactProduct : CanonicalSums<float> {
  template <class V>
  static V apply(V a, V b, V c) {
    return a * b + c;
  }
};

// The pieces that a dot of f32 operands multiplies, each an f32.
constexpr std::uint32_t kBelowTf32 = 0x1fff;
/// The hardware ignores lower bits; a NaN with only lower bits becomes infinity.
inline float cut_tf32(float a) { return bits_as<float>(bits_as<std::uint32_t>(a) & ~kBelowTf32); }
/// To the nearest tf32 number, ties away from zero (cvt.rna.tf32.f32).
inline float nearest_tf32(float a) {
  const std::uint32_t bits = bits_as<std::uint32_t>(a);
  return bits_as<float>((a != a ? bits | 0x400000u : bits + 0x1000u) & ~kBelowTf32);
}
inline float nearest_bf16(float a) {
  const std::uint32_t bits = bits_as<std::uint32_t>(a);
  return bits_as<float>((a != a ? bits | 0x400000u : bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
}
struct TruncatedTf32 {
  static float apply(float a) { return cut_tf32(a); }
};
struct LargeTf32 {
  static float apply(float a) { return nearest_tf32(a); }
};
struct SmallTf32 {
  static float apply(float a) { return cut_tf32(a - nearest_tf32(a)); }
};
struct HighBf16 {
  static float apply(float a) { return nearest_bf16(a); }
};
struct MiddleBf16 {
  static float apply(float a) { return nearest_bf16(a - nearest_bf16(a)); }
};
struct LowBf16 {
  static float apply(float a) {
    const float rest = a - nearest_bf16(a);
    return nearest_bf16(rest - nearest_bf16(rest));
  }
};

}  // namespace

UnaryFn find_dot_piece(DotPiece piece) {
  switch (piece) {
    case DotPiece::whole: return nullptr;
    case DotPiece::truncated_tf32: return unary_loop<TruncatedTf32, float>;
    case DotPiece::large_tf32: return unary_loop<LargeTf32, float>;
    case DotPiece::small_tf32: return unary_loop<SmallTf32, float>;
    case DotPiece::high_bf16: return unary_loop<HighBf16, float>;
    case DotPiece::middle_bf16: return unary_loop<MiddleBf16, float>;
    case DotPiece::low_bf16: return unary_loop<LowBf16, float>;
  }
  return nullptr;
}

GemmFn find_gemm(Kind kind) {
  switch (kind) {
    case Kind::f32: return gemm_loop<Fused<float>, float>;
    case Kind::f64: return gemm_loop<Fused<double>, double>;
    case Kind::i32: return gemm_loop<Fused<std::uint32_t>, std::uint32_t>;
    default: return nullptr;
  }
}

GemmFn find_gemm_of_exact_products() {
#ifdef LOCKSTEP_HAS_FUSED
  return find_gemm(Kind::f32);
#else
  return gemm_loop<ExactProduct, float>;
#endif
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
