// The matrix product of a dot: c += a * b on tiles as they lie, no packing. Compiled once per instruction set.
// Invariant: element (m, n) is one chain c = a[m,k] * b[k,n] + c with k ascending, whatever the block sizes: the bytes
// depend on neither the blocking nor the vector width. v3 and v4 fuse the multiply-add; v2 rounds twice, which is the
// same for operands of at most 12 significant bits (f16, bf16, f8, tf32) as their products are exact.
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

template <class V>
inline V multiply_add(V a, V b, V c) {
  return a * b + c;
}
#ifdef __FMA__
inline __m128 multiply_add(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
inline __m256 multiply_add(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
inline __m128d multiply_add(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
inline __m256d multiply_add(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
inline float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }
#endif
#ifdef __AVX512F__
inline __m512 multiply_add(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
inline __m512d multiply_add(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
#endif

template <class T>
struct Operands {
  T* c;
  const T* a;
  const T* b;
  Index c_pitch, a_row, a_column, b_row, k;
};

/// rows x (vectors * lanes) elements of c in registers over the whole of k.
template <class T, class L, unsigned rows, unsigned vectors>
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
      for (unsigned j = 0; j < vectors; ++j) acc[i][j] = multiply_add(left, right[j], acc[i][j]);
    }
  }
#pragma GCC unroll 8
  for (unsigned i = 0; i < rows; ++i)
#pragma GCC unroll 4
    for (unsigned j = 0; j < vectors; ++j)
      *reinterpret_cast<InMemory*>(o.c + i * o.c_pitch + j * L::kCount) = acc[i][j];
}

template <class T, class L, unsigned rows, unsigned vectors>
inline Index row_blocks(Operands<T>& o, Index m) {
  for (; m >= rows; m -= rows) {
    block<T, L, rows, vectors>(o);
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
template <class T, class L, unsigned vectors>
void panel(Operands<T> o, Index m) {
  m = row_blocks<T, L, kRows, vectors>(o, m);
  m = row_blocks<T, L, 4, vectors>(o, m);
  m = row_blocks<T, L, 2, vectors>(o, m);
  row_blocks<T, L, 1, vectors>(o, m);
}

/// Panels of decreasing width until the columns are used up; the narrowest is one element wide.
template <class T, class L, unsigned vectors>
inline Index panels(Operands<T>& o, Index m, Index n) {
  constexpr Index kColumns = L::kCount * vectors;
  for (; n >= kColumns; n -= kColumns) {
    panel<T, L, vectors>(o, m);
    o.b += kColumns;
    o.c += kColumns;
  }
  return n;
}

// Rows of b that stay in the first-level cache while all of a's rows pass by.
constexpr Index kDepth = 256;

template <class T>
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
    Index left = panels<T, Lanes<T, kWidest>, 2>(o, m, n);
    left = panels<T, Lanes<T, kWidest>, 1>(o, m, left);
    if constexpr (kWidest > 32) left = panels<T, Lanes<T, 32>, 1>(o, m, left);
    if constexpr (kWidest > 16) left = panels<T, Lanes<T, 16>, 1>(o, m, left);
    panels<T, Lanes<T, sizeof(T)>, 1>(o, m, left);
  }
}

struct Truncate {
  static float apply(float a) {
    const std::uint32_t bits = bits_as<std::uint32_t>(a);
    return bits_as<float>((a != a ? bits | 0x400000u : bits) & 0xffffe000u);
  }
};

}  // namespace

void truncate_tf32(void* out, const void* a, Index n) { unary_loop<Truncate, float>(out, a, n); }

GemmFn find_gemm(Kind kind) {
  switch (kind) {
    case Kind::f32: return gemm_loop<float>;
    case Kind::f64: return gemm_loop<double>;
    case Kind::i32: return gemm_loop<std::uint32_t>;
    default: return nullptr;
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
