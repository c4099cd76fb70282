// Transposition of one square block of 2- or 4-byte elements in registers. For isa_*.cpp only. A block's rows and
// columns may lie any number of bytes apart. Elements of other sizes go one by one.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>

#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

/// Side of the block that transpose_block() takes for elements of `bytes`; 1 without a fast way.
#if defined(__AVX__)
constexpr Index block_side(Index bytes) { return bytes == 2 || bytes == 4 ? 8 : 1; }
#elif defined(__x86_64__)
constexpr Index block_side(Index bytes) { return bytes == 2 ? 8 : (bytes == 4 ? 4 : 1); }
#else
constexpr Index block_side(Index) { return 1; }
#endif

#if defined(__x86_64__)
/// 8 x 8: neighbours are interleaved three times, each time twice as wide.
inline void transpose_block(char* out, Index out_row, const char* in, Index in_row, std::uint16_t) {
  __m128i a[8], b[8];
  for (Index i = 0; i < 8; ++i) a[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i * in_row));
  for (Index i = 0; i < 4; ++i) {
    b[2 * i] = _mm_unpacklo_epi16(a[i], a[i + 4]);
    b[2 * i + 1] = _mm_unpackhi_epi16(a[i], a[i + 4]);
  }
  for (Index i = 0; i < 4; ++i) {
    a[2 * i] = _mm_unpacklo_epi16(b[i], b[i + 4]);
    a[2 * i + 1] = _mm_unpackhi_epi16(b[i], b[i + 4]);
  }
  for (Index i = 0; i < 4; ++i) {
    b[2 * i] = _mm_unpacklo_epi16(a[i], a[i + 4]);
    b[2 * i + 1] = _mm_unpackhi_epi16(a[i], a[i + 4]);
  }
  for (Index i = 0; i < 8; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i * out_row), b[i]);
}
#endif

#if defined(__AVX__)
inline __m256 two_halves(const char* low, const char* high) {
  const __m256 lower = _mm256_castps128_ps256(_mm_loadu_ps(reinterpret_cast<const float*>(low)));
  return _mm256_insertf128_ps(lower, _mm_loadu_ps(reinterpret_cast<const float*>(high)), 1);
}
/// 8 x 8: rows i and i + 4 share a register, so that the interleaving stays inside of 128-bit halves.
inline void transpose_block(char* out, Index out_row, const char* in, Index in_row, std::uint32_t) {
  for (Index half = 0; half < 2; ++half) {
    __m256 a[4];
    for (Index i = 0; i < 4; ++i) a[i] = two_halves(in + i * in_row + half * 16, in + (i + 4) * in_row + half * 16);
    const __m256 b0 = _mm256_unpacklo_ps(a[0], a[1]), b1 = _mm256_unpackhi_ps(a[0], a[1]);
    const __m256 b2 = _mm256_unpacklo_ps(a[2], a[3]), b3 = _mm256_unpackhi_ps(a[2], a[3]);
    float* rows[4];
    for (Index i = 0; i < 4; ++i) rows[i] = reinterpret_cast<float*>(out + (half * 4 + i) * out_row);
    _mm256_storeu_ps(rows[0], _mm256_shuffle_ps(b0, b2, _MM_SHUFFLE(1, 0, 1, 0)));
    _mm256_storeu_ps(rows[1], _mm256_shuffle_ps(b0, b2, _MM_SHUFFLE(3, 2, 3, 2)));
    _mm256_storeu_ps(rows[2], _mm256_shuffle_ps(b1, b3, _MM_SHUFFLE(1, 0, 1, 0)));
    _mm256_storeu_ps(rows[3], _mm256_shuffle_ps(b1, b3, _MM_SHUFFLE(3, 2, 3, 2)));
  }
}
#elif defined(__x86_64__)
/// 4 x 4.
inline void transpose_block(char* out, Index out_row, const char* in, Index in_row, std::uint32_t) {
  __m128 a[4];
  for (Index i = 0; i < 4; ++i) a[i] = _mm_loadu_ps(reinterpret_cast<const float*>(in + i * in_row));
  _MM_TRANSPOSE4_PS(a[0], a[1], a[2], a[3]);
  for (Index i = 0; i < 4; ++i) _mm_storeu_ps(reinterpret_cast<float*>(out + i * out_row), a[i]);
}
#endif

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
