// The matrix product of a dot: c += a * b on tiles as they lie, no packing. Compiled once per instruction set.
// Invariant: element (m, n) is one chain c = a[m,k] * b[k,n] + c with k ascending and one rounding per step, whatever
// the block sizes: the bytes depend on neither the blocking nor the vector width. v3 and v4 have an instruction for it;
// v2 computes it in wider numbers, and multiplies and adds where the products are known to be exact.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

template <class T, int bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
  typedef T in_memory __attribute__((vector_size(bytes), aligned(sizeof(T)), may_alias));
};
/// `bytes` / sizeof(T) lanes in a register, and the same at any element of an array. One lane is the element itself.
template <class T, int bytes>
struct Lanes {
  using Register = typename VectorOf<T, bytes>::type;
  using InMemory = typename VectorOf<T, bytes>::in_memory;
  static constexpr Index kCount = bytes / static_cast<Index>(sizeof(T));
  // A subtraction of zero keeps -0 and NaN, so it is no instruction at all.
  static Register broadcast(T value) { return value - Register{}; }
};
template <class T>
struct Lanes<T, sizeof(T)> {
  using Register = T;
  using InMemory = T;
  static constexpr Index kCount = 1;
  static T broadcast(T value) { return value; }
};

/// a * b + c rounded once: the processor's instruction, or f64 with rounding to odd (f32) or the C library (f64).
#ifdef __FMA__
inline __m128 fused(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
inline __m256 fused(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
inline __m128d fused(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
inline __m256d fused(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
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
/// Rounding the sum to f64 and then to f32 differs from one rounding only where f64 gave a tie of f32, or a number so
/// small that f32's ties lie elsewhere.
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
struct Fused {
  template <class V>
  static V apply(V a, V b, V c) {
    if constexpr (static_cast<T>(1.5) == T{1})
      return a * b + c;
    else
      return fused(a, b, c);
  }
};
/// The same where a * b is known to be exact, which needs no instruction of its own.
struct ExactProduct {
  template <class V>
  static V apply(V a, V b, V c) {
    return a * b + c;
  }
};

/// A NaN has the bits that a GPU gives it, so that they do not depend on how the processor chooses among its operands.
template <class T, class V>
inline V canonical(V value) {
  if constexpr (static_cast<T>(1.5) == T{1}) {
    return value;
  } else if constexpr (sizeof(T) == 4) {
    const V nan = Lanes<T, sizeof(V)>::broadcast(bits_as<T>(0x7fffffff));
    return value == value ? value : nan;
  } else {
    const V nan = Lanes<T, sizeof(V)>::broadcast(bits_as<T>(0x7fffffffffffffff));
    return value == value ? value : nan;
  }
}

template <class T>
struct Operands {
  T* c;
  const T* a;
  const T* b;
  Index c_pitch, a_row, a_column, b_row, k;
};

/// rows x (vectors * lanes) elements of c in registers over the whole of k.
template <class Op, class T, class L, unsigned rows, unsigned vectors>
inline void block(const Operands<T>& o) {
  using V = typename L::Register;
  using InMemory = typename L::InMemory;
  V acc[rows][vectors];
#pragma GCC unroll 8
  for (unsigned i = 0; i < rows; ++i)
#pragma GCC unroll 4
    for (unsigned j = 0; j < vectors; ++j)
      acc[i][j] = *reinterpret_cast<const InMemory*>(o.c + i * o.c_pitch + j * L::kCount);
  const T* a = o.a;
  const T* b = o.b;
  for (Index k = 0; k < o.k; ++k, a += o.a_column, b += o.b_row) {
    V right[vectors];
#pragma GCC unroll 4
    for (unsigned j = 0; j < vectors; ++j) right[j] = *reinterpret_cast<const InMemory*>(b + j * L::kCount);
#pragma GCC unroll 8
    for (unsigned i = 0; i < rows; ++i) {
      const V left = L::broadcast(a[i * o.a_row]);
#pragma GCC unroll 4
      for (unsigned j = 0; j < vectors; ++j) acc[i][j] = Op::apply(left, right[j], acc[i][j]);
    }
  }
#pragma GCC unroll 8
  for (unsigned i = 0; i < rows; ++i)
#pragma GCC unroll 4
    for (unsigned j = 0; j < vectors; ++j)
      *reinterpret_cast<InMemory*>(o.c + i * o.c_pitch + j * L::kCount) = canonical<T>(acc[i][j]);
}

template <class Op, class T, class L, unsigned rows, unsigned vectors>
inline Index row_blocks(Operands<T>& o, Index m) {
  for (; m >= rows; m -= rows) {
    block<Op, T, L, rows, vectors>(o);
    o.c += rows * o.c_pitch;
    o.a += rows * o.a_row;
  }
  return m;
}

#ifdef __AVX512F__
constexpr unsigned kRows = 8;
constexpr int kWidest = 64;
#elif defined(__AVX2__)
constexpr unsigned kRows = 6;
constexpr int kWidest = 32;
#else
constexpr unsigned kRows = 6;
constexpr int kWidest = 16;
#endif

/// All m rows of one panel of columns.
template <class Op, class T, class L, unsigned vectors>
void panel(Operands<T> o, Index m) {
  m = row_blocks<Op, T, L, kRows, vectors>(o, m);
  m = row_blocks<Op, T, L, 4, vectors>(o, m);
  m = row_blocks<Op, T, L, 2, vectors>(o, m);
  row_blocks<Op, T, L, 1, vectors>(o, m);
}

/// Panels of decreasing width until the columns are used up; the narrowest is one element wide.
template <class Op, class T, class L, unsigned vectors>
inline Index panels(Operands<T>& o, Index m, Index n) {
  constexpr Index kColumns = L::kCount * vectors;
  for (; n >= kColumns; n -= kColumns) {
    panel<Op, T, L, vectors>(o, m);
    o.b += kColumns;
    o.c += kColumns;
  }
  return n;
}

// Rows of b that stay in the first-level cache while all of a's rows pass by.
constexpr Index kDepth = 256;

template <class Op, class T>
void gemm_loop(void* c, Index c_pitch, const void* a, Index a_row, Index a_column, const void* b, Index b_row, Index m,
               Index n, Index k) {
  for (Index done = 0; done < k; done += kDepth) {
    Operands<T> o{static_cast<T*>(c),
                  static_cast<const T*>(a) + done * a_column,
                  static_cast<const T*>(b) + done * b_row,
                  c_pitch,
                  a_row,
                  a_column,
                  b_row,
                  k - done < kDepth ? k - done : kDepth};
    Index left = panels<Op, T, Lanes<T, kWidest>, 2>(o, m, n);
    left = panels<Op, T, Lanes<T, kWidest>, 1>(o, m, left);
    if constexpr (kWidest > 32) left = panels<Op, T, Lanes<T, 32>, 1>(o, m, left);
    if constexpr (kWidest > 16) left = panels<Op, T, Lanes<T, 16>, 1>(o, m, left);
    panels<Op, T, Lanes<T, sizeof(T)>, 1>(o, m, left);
  }
}

// The pieces that a dot of f32 operands multiplies, each an f32.
constexpr std::uint32_t kBelowTf32 = 0x1fff;
/// The hardware reads no bit below; a NaN that is one only there becomes infinity.
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
#ifdef __FMA__
  return find_gemm(Kind::f32);
#else
  return gemm_loop<ExactProduct, float>;
#endif
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
