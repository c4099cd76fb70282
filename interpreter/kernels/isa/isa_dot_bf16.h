// A step of a product of pairs of bf16: the first of a pair is in the high half, and a sum is a float as its bits. By two
// fused multiply-adds, or by vdpbf16ps. For isa_dot_bf16.cpp only, which knows when both give the same bytes.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_dot_blocks.h"
#include "interpreter/kernels/isa/isa_fused.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

using Word = std::uint32_t;
using Words16 = Lanes<Word, 16>::Register;
using Words32 = Lanes<Word, 32>::Register;
using Words64 = Lanes<Word, 64>::Register;

/// The floats in the bits of words.
inline float floats(Word words) { return bits_as<float>(words); }
inline __m128 floats(Words16 words) { return bits_as<__m128>(words); }
inline __m256 floats(Words32 words) { return bits_as<__m256>(words); }
inline __m512 floats(Words64 words) { return bits_as<__m512>(words); }

/// A pair's two steps one after the other, for any numbers. Sums are the bits of floats.
struct ChainOfTwo {
  template <class V>
  static V apply(V a, V b, V c) {
    const auto first = fused(floats(a & 0xffff0000u), floats(b & 0xffff0000u), floats(c));
    return bits_as<V>(fused(floats(a << 16), floats(b << 16), first));
  }
  template <class V>
  static V finish(V sum) {
    const V magnitude = sum & 0x7fffffffu;
    return magnitude > 0x7f800000u ? V{} + 0x7fffffffu : sum;
  }
};

inline bool any(Word is_set) { return is_set != 0; }
inline bool any(Words16 is_set) { return _mm_movemask_epi8(bits_as<__m128i>(is_set)) != 0; }
inline bool any(Words32 is_set) { return _mm256_movemask_epi8(bits_as<__m256i>(is_set)) != 0; }
inline bool any(Words64 is_set) { return _mm512_test_epi32_mask(bits_as<__m512i>(is_set), bits_as<__m512i>(is_set)) != 0; }

/// The same by one instruction, from starts that are zero or in [2^-126, 2^100): then no sum overflows or is subnormal.
struct TwoAtOnce {
  using Otherwise = ChainOfTwo;
  template <class V, unsigned rows, unsigned vectors>
  static bool fits(const V (&starts)[rows][vectors]) {
    constexpr Word kLeastNormal = 0x00800000, kTooLarge = 0x71800000;
    V below_least = V{} + 0xffffffffu, largest = V{};  // the least minus one: zeros come last
#pragma GCC unroll 8
    for (unsigned i = 0; i < rows; ++i)
#pragma GCC unroll 4
      for (unsigned j = 0; j < vectors; ++j) {
        const V magnitude = starts[i][j] & 0x7fffffffu, below = magnitude - 1u;
        below_least = below < below_least ? below : below_least;
        largest = magnitude > largest ? magnitude : largest;
      }
    if constexpr (sizeof(V) == sizeof(Word))
      return below_least >= kLeastNormal - 1 && largest < kTooLarge;
    else
      return !any(bits_as<V>((below_least < kLeastNormal - 1) | (largest >= kTooLarge)));
  }
  static Word apply(Word a, Word b, Word c) { return ChainOfTwo::apply(a, b, c); }
  static Words16 apply(Words16 a, Words16 b, Words16 c) {
    return bits_as<Words16>(_mm_dpbf16_ps(floats(c), bits_as<__m128bh>(a), bits_as<__m128bh>(b)));
  }
  static Words32 apply(Words32 a, Words32 b, Words32 c) {
    return bits_as<Words32>(_mm256_dpbf16_ps(floats(c), bits_as<__m256bh>(a), bits_as<__m256bh>(b)));
  }
  static Words64 apply(Words64 a, Words64 b, Words64 c) {
    return bits_as<Words64>(_mm512_dpbf16_ps(floats(c), bits_as<__m512bh>(a), bits_as<__m512bh>(b)));
  }
  template <class V>
  static V finish(V sum) {
    return sum;
  }
};

}  // namespace
}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
