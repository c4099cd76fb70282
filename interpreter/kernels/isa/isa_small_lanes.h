// f16 and bf16 arithmetic in registers: a register of them is widened to f32, computed and rounded once, without strips
// of f32 in between. For isa_*.cpp only. Invariant: every element has the bytes that the strips of isa_float.cpp give
// it. Not here: 8-bit floats, and bf16's multiply-add with AVX2 alone, which use the strips.
#pragma once

#include <cstdint>

#if defined(__AVX2__) && defined(__F16C__) && defined(__FMA__)
#define LOCKSTEP_SMALL_LANES 1
#include <immintrin.h>

#include <cstring>

#include "interpreter/kernels/isa/isa_float_ops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

template <Kind kind>
constexpr bool kHasSmallLanes = kind == Kind::f16 || kind == Kind::bf16;

template <Kind kind>
struct SmallLanes {
#if defined(__AVX512F__)
  // The maskz forms, because g++ 12 warns of an uninitialised value inside the plain ones.
  static LaneFloats load(const std::uint16_t* x) {
    const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
    if constexpr (kind == Kind::f16) return _mm512_maskz_cvtph_ps(0xffff, bits);
    return bits_as<LaneFloats>(bits_as<LaneBits>(_mm512_maskz_cvtepu16_epi32(0xffff, bits)) << 16);
  }
  static void store(std::uint16_t* r, LaneFloats x) {
    __m256i bits;
    if constexpr (kind == Kind::f16) {
      bits = _mm512_maskz_cvtps_ph(0xffff, x, _MM_FROUND_TO_NEAREST_INT);
    } else {
      bits = _mm512_maskz_cvtepi32_epi16(0xffff, bits_as<__m512i>(rounded_to_bf16(x)));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(r), bits);
  }
  /// Two registers one after the other.
  static void store_two(std::uint16_t* r, LaneFloats x, LaneFloats y) {
    if constexpr (kind == Kind::bf16) {
      if (_mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q) == 0) [[likely]] {
        typedef std::uint16_t Words __attribute__((vector_size(64)));
        constexpr Words kUpper = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                                  33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
        const __m512i words = bits_as<__m512i>(kUpper);
        _mm512_storeu_si512(r, _mm512_permutex2var_epi16(bits_as<__m512i>(rounded_number(x)), words,
                                                         bits_as<__m512i>(rounded_number(y))));
        return;
      }
    }
    store(r, x);
    store(r + kLanes, y);
  }
#else
  static LaneFloats load(const std::uint16_t* x) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x));
    if constexpr (kind == Kind::f16) return _mm256_cvtph_ps(bits);
    return bits_as<LaneFloats>(bits_as<LaneBits>(_mm256_cvtepu16_epi32(bits)) << 16);
  }
  static void store(std::uint16_t* r, LaneFloats x) {
    __m128i bits;
    if constexpr (kind == Kind::f16) {
      bits = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
    } else {
      const __m256i wide = bits_as<__m256i>(rounded_to_bf16(x));
      bits = _mm_packus_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(r), bits);
  }
  /// Two registers one after the other.
  static void store_two(std::uint16_t* r, LaneFloats x, LaneFloats y) {
    if constexpr (kind == Kind::bf16) {
      const LaneBits left = rounded_to_bf16(x), right = rounded_to_bf16(y);
      const __m256i packed = _mm256_packus_epi32(bits_as<__m256i>(left), bits_as<__m256i>(right));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(r), _mm256_permute4x64_epi64(packed, 0xd8));
    } else {
      store(r, x);
      store(r + kLanes, y);
    }
  }
#endif
  /// The rest of the register is zero.
  static LaneFloats load_some(const std::uint16_t* x, Index count) {
    std::uint16_t whole[kLanes] = {};
    std::memcpy(whole, x, static_cast<std::size_t>(count) * sizeof(*x));
    return load(whole);
  }
  static void store_some(std::uint16_t* r, LaneFloats x, Index count) {
    std::uint16_t whole[kLanes];
    store(whole, x);
    std::memcpy(r, whole, static_cast<std::size_t>(count) * sizeof(*r));
  }

 private:
  /// bf16 in the high halves, of what is not NaN.
  static LaneBits rounded_number(LaneFloats x) {
    const LaneBits bits = bits_as<LaneBits>(x);
    return bits + 0x7fffu + ((bits >> 16) & 1u);
  }
  /// bf16 in the low halves; as encode_bf16<false>.
  static LaneBits rounded_to_bf16(LaneFloats x) {
    return (x == x ? rounded_number(x) : bits_as<LaneBits>(x) | 0x400000u) >> 16;
  }
};

/// An operand: registers one after the other, or one value for all.
template <Kind kind>
class SmallOperand {
 public:
  SmallOperand(const void* data, int step) : data_(static_cast<const std::uint16_t*>(data)), varies_(step != 0) {
    if (varies_) return;
    const std::uint16_t bits = *data_;
    std::uint16_t whole[kLanes];
    for (std::uint16_t& one : whole) one = bits;
    uniform_ = SmallLanes<kind>::load(whole);
  }
  LaneFloats at(Index i) const { return varies_ ? SmallLanes<kind>::load(data_ + i) : uniform_; }
  LaneFloats some_at(Index i, Index count) const {
    return varies_ ? SmallLanes<kind>::load_some(data_ + i, count) : uniform_;
  }

 private:
  const std::uint16_t* data_;
  bool varies_;
  LaneFloats uniform_{};
};

template <Kind kind, class Op>
void small_binary_lanes(void* out, const void* a, const void* b, Index n, int a_step, int b_step) {
  const SmallOperand<kind> left(a, a_step), right(b, b_step);
  const auto apply = [](LaneFloats x, LaneFloats y) {
    if constexpr (requires { Op::kIsOrdered; }) {
      return Op::ordered(x, y);
    } else {
      return Op::apply(x, y);
    }
  };
  std::uint16_t* r = static_cast<std::uint16_t*>(out);
  constexpr Index kCount = kLanes;
  Index i = 0;
  for (; i + 2 * kCount <= n; i += 2 * kCount)
    SmallLanes<kind>::store_two(r + i, apply(left.at(i), right.at(i)), apply(left.at(i + kCount), right.at(i + kCount)));
  for (; i + kCount <= n; i += kCount) SmallLanes<kind>::store(r + i, apply(left.at(i), right.at(i)));
  if (i < n) SmallLanes<kind>::store_some(r + i, apply(left.some_at(i, n - i), right.some_at(i, n - i)), n - i);
}

#if defined(__AVX512F__)
/// a * b + c in f32, rounded to odd (isa_round_to_odd.h): of the neighbours below and above, the one whose last bit is
/// 1. Both are the sum where it is exact; of its zeros, the upper one is that of rounding to nearest.
inline LaneFloats fma_to_odd(LaneFloats a, LaneFloats b, LaneFloats c) {
  const __m512 below = _mm512_fmadd_round_ps(a, b, c, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  const __m512 above = _mm512_fmadd_round_ps(a, b, c, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
  const __mmask16 is_odd = _mm512_test_epi32_mask(bits_as<__m512i>(below), _mm512_set1_epi32(1));
  return _mm512_mask_mov_ps(above, is_odd, below);
}
template <Kind kind>
constexpr bool kHasFmaLanes = kHasSmallLanes<kind>;
#else
/// The same where f32 holds a * b exactly: of f16, but not of bf16.
inline LaneFloats exact_fma_to_odd(LaneFloats a, LaneFloats b, LaneFloats c) {
  const LaneFloats product = a * b, sum = product + c;
  const LaneFloats c_part = sum - product;
  const LaneFloats error = (product - (sum - c_part)) + (c - c_part);
  const LaneIntegers bits = bits_as<LaneIntegers>(sum);
  const LaneIntegers step = ((bits_as<LaneIntegers>(error) ^ bits) >> 31) | 1;  // 1: away from zero
  const LaneIntegers is_inexact = (error > 0.0f) | (error < 0.0f);              // -1 or 0
  const LaneIntegers is_even = (bits & 1) - 1;
  return bits_as<LaneFloats>(bits + (step & is_inexact & is_even));
}
/// Rounded to f32 it gives the same f16 in nearly every register: where no element is halfway between two f16 numbers,
/// and none is subnormal there.
inline LaneFloats fma_to_odd(LaneFloats a, LaneFloats b, LaneFloats c) {
  const LaneFloats sum = _mm256_fmadd_ps(a, b, c);
  const LaneIntegers bits = bits_as<LaneIntegers>(sum);
  constexpr std::int32_t kBelow = 0x1fff, kHalfway = 0x1000, kLeastNormal = (127 - 14) << 23;
  const LaneIntegers is_special = ((bits & kBelow) == kHalfway) | ((bits & 0x7fffffff) < kLeastNormal);
  if (_mm256_movemask_ps(bits_as<__m256>(is_special)) == 0) [[likely]] return sum;
  return exact_fma_to_odd(a, b, c);
}
template <Kind kind>
constexpr bool kHasFmaLanes = kind == Kind::f16;
#endif

/// a * b + c, rounded once.
template <Kind kind>
void small_fma_lanes(void* out, const void* a, const void* b, const void* c, Index n, int a_step, int b_step,
                     int c_step) {
  const SmallOperand<kind> x(a, a_step), y(b, b_step), z(c, c_step);
  const auto apply = [](LaneFloats p, LaneFloats q, LaneFloats s) { return canonical(fma_to_odd(p, q, s)); };
  std::uint16_t* r = static_cast<std::uint16_t*>(out);
  constexpr Index kCount = kLanes;
  Index i = 0;
  for (; i + kCount <= n; i += kCount) SmallLanes<kind>::store(r + i, apply(x.at(i), y.at(i), z.at(i)));
  const Index left = n - i;
  if (left > 0)
    SmallLanes<kind>::store_some(r + i, apply(x.some_at(i, left), y.some_at(i, left), z.some_at(i, left)), left);
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
#endif
