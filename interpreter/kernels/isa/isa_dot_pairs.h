// The matrix product of i8 operands as pairs of i16: an element of a and b holds two neighbours along k (the first one
// in the low half), and a step adds both products to an i32, wrapping, which is exact in any order. For
// isa_dot_pairs.cpp and isa_dot_vnni.cpp only, which differ in the instruction. Not here: how pairs are made (dot.cpp).
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_dot_blocks.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

/// One step: c + the products of both halves. |values| <= 128, so that the sum of two products fits.
struct PairProducts : CanonicalSums<std::uint32_t> {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const auto half = [](std::uint32_t pair) { return static_cast<std::int32_t>(static_cast<std::int16_t>(pair)); };
    const std::int32_t sum = half(a) * half(b) + half(a >> 16) * half(b >> 16);
    return c + static_cast<std::uint32_t>(sum);
  }
#if defined(__x86_64__)
  using Lanes16 = Lanes<std::uint32_t, 16>::Register;
  static Lanes16 apply(Lanes16 a, Lanes16 b, Lanes16 c) {
    return c + bits_as<Lanes16>(_mm_madd_epi16(bits_as<__m128i>(a), bits_as<__m128i>(b)));
  }
#ifdef __AVX2__
  using Lanes32 = Lanes<std::uint32_t, 32>::Register;
  static Lanes32 apply(Lanes32 a, Lanes32 b, Lanes32 c) {
#ifdef LOCKSTEP_HAS_VNNI
    return bits_as<Lanes32>(LOCKSTEP_DPWSSD_256(bits_as<__m256i>(c), bits_as<__m256i>(a), bits_as<__m256i>(b)));
#else
    return c + bits_as<Lanes32>(_mm256_madd_epi16(bits_as<__m256i>(a), bits_as<__m256i>(b)));
#endif
  }
#endif
#ifdef __AVX512F__
  using Lanes64 = Lanes<std::uint32_t, 64>::Register;
  static Lanes64 apply(Lanes64 a, Lanes64 b, Lanes64 c) {
#ifdef LOCKSTEP_HAS_VNNI
    return bits_as<Lanes64>(_mm512_dpwssd_epi32(bits_as<__m512i>(c), bits_as<__m512i>(a), bits_as<__m512i>(b)));
#else
    return c + bits_as<Lanes64>(_mm512_madd_epi16(bits_as<__m512i>(a), bits_as<__m512i>(b)));
#endif
  }
#endif
#else
  typedef std::uint32_t Words __attribute__((vector_size(16)));
  static Words apply(Words a, Words b, Words c) {
    return Words{apply(a[0], b[0], c[0]), apply(a[1], b[1], c[1]), apply(a[2], b[2], c[2]), apply(a[3], b[3], c[3])};
  }
#endif
};

}  // namespace
}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
