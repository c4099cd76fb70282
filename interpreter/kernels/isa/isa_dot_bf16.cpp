// The product of pairs of bf16 with the instruction that adds two products at once (vdpbf16ps), where that gives the
// bytes of S-42: on normal numbers it is a chain of two fused multiply-adds, the high halves first. It takes subnormal
// numbers for zeros, so the caller looks at the operands (kernels/dot.cpp) and this file at the starts. Another
// processor may round otherwise, so the first caller compares it with the chain. Invariant: no code that other files of
// the instruction set share is compiled after the pragma.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_loops.h"
#include "interpreter/kernels/processor.h"

#if defined(__x86_64__) && defined(__AVX512F__)
#define LOCKSTEP_HAS_BF16
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512bf16,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512bf16,avx512vl")
#endif
#include "interpreter/kernels/isa/isa_dot_bf16.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

/// Of words: the least one that is not zero, the largest one, both without the sign.
template <class W>
inline Magnitudes magnitudes_of(const W* words, Index n) {
  constexpr W kNoSign = static_cast<W>(-1) >> 1;
  W below_least = static_cast<W>(-1), largest = 0;  // the least minus one: zeros come last
  for (Index i = 0; i < n; ++i) {
    const W magnitude = words[i] & kNoSign, below = static_cast<W>(magnitude - 1);
    below_least = below < below_least ? below : below_least;
    largest = magnitude > largest ? magnitude : largest;
  }
  return {Word{below_least} + (below_least < kNoSign ? 1u : 0u), largest};
}

/// Zeros and numbers of [2^-126, 2^100), from which no sum overflows.
inline bool starts_are_plain(const Gemm& g) {
  constexpr Word kLeastNormal = 0x00800000, kTooLarge = 0x71800000;
  const auto* start = static_cast<const Word*>(g.start);
  const auto are_plain = [](const Magnitudes& m) { return m.least >= kLeastNormal && m.largest < kTooLarge; };
  if (g.start_is_uniform || g.start_pitch == g.n)
    return are_plain(magnitudes_of(start, g.start_is_uniform ? 1 : g.m * g.n));
  for (Index row = 0; row < g.m; ++row)
    if (!are_plain(magnitudes_of(start + row * g.start_pitch, g.n))) return false;
  return true;
}

void gemm_in_chains(const Gemm& g) { gemm_loop<ChainOfTwo, Word>(g); }
void gemm_at_once(const Gemm& g) { starts_are_plain(g) ? gemm_loop<TwoAtOnce, Word>(g) : gemm_in_chains(g); }

/// Where the halves of 32 pairs are in 32 elements of each line: words of pairs from the second line, then the first.
struct PlacesOfHalves {
  alignas(64) std::uint16_t of_pair[2][32] = {};
  constexpr PlacesOfHalves() {
    for (unsigned half = 0; half < 2; ++half)
      for (unsigned i = 0; i < 32; ++i)
        of_pair[half][i] = static_cast<std::uint16_t>((i % 2 == 0 ? 32 : 0) + 16 * half + i / 2);
  }
};
constexpr PlacesOfHalves kPlaces;

inline void join_32(Word* out, const std::uint16_t* first, const std::uint16_t* second) {
  const __m512i a = _mm512_loadu_si512(first), b = _mm512_loadu_si512(second);
  _mm512_storeu_si512(out, _mm512_permutex2var_epi16(a, _mm512_load_si512(kPlaces.of_pair[0]), b));
  _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi16(a, _mm512_load_si512(kPlaces.of_pair[1]), b));
}

void pair_bf16_lines(void* out, const void* a, const void* b, std::uint16_t empty, std::int64_t n) {
  const auto* first = static_cast<const std::uint16_t*>(a);
  const auto* second = static_cast<const std::uint16_t*>(b);
  auto* pairs = static_cast<Word*>(out);
  if (second == nullptr) {
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) pairs[i] = Word{first[i]} << 16 | empty;
  } else {
    Index i = 0;
    for (; i + 32 <= n; i += 32) join_32(pairs + i, first + i, second + i);
    for (; i < n; ++i) pairs[i] = Word{first[i]} << 16 | second[i];
  }
}

void pair_bf16_neighbours(void* out, const void* in, std::uint16_t empty, std::int64_t n) {
  const char* source = static_cast<const char*>(in);
  auto* pairs = static_cast<Word*>(out);
  LOCKSTEP_NO_CARRY
  for (Index i = 0; i < n / 2; ++i) {
    Word pair;
    __builtin_memcpy(&pair, source + 4 * i, 4);
    pairs[i] = pair << 16 | pair >> 16;
  }
  if (n % 2 == 0) return;
  std::uint16_t last;
  __builtin_memcpy(&last, source + 2 * (n - 1), 2);
  pairs[n / 2] = Word{last} << 16 | empty;
}

Magnitudes bf16_magnitudes(const void* values, std::int64_t n) {
  return magnitudes_of(static_cast<const std::uint16_t*>(values), n);
}

/// The next of a sequence of numbers without a pattern.
inline Word next_random(Word& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

/// Normal bf16 numbers around 1 and their sums: some zeros, some sums that a product takes away.
struct Sample {
  Words64 a, b, c;
  Sample(Word& state, Word round) {
    const Word spread = round % 4 == 0 ? 3 : 31;
    const auto half = [&] {
      const Word bits = next_random(state);
      const Word number = (bits & 0x807f) | (127 - spread / 2 + (bits >> 16 & spread)) << 7;
      return round % 4 == 3 && bits >> 30 == 0 ? number & 0x8000 : number;
    };
    for (unsigned i = 0; i < Lanes<Word, 64>::kCount; ++i) {
      a[i] = half() << 16 | half();
      b[i] = half() << 16 | half();
      const Word bits = next_random(state), half_of_product = bits >> 5 & 1;
      const Word shift = half_of_product * 16;
      const float product = floats(a[i] << shift & 0xffff0000u) * floats(b[i] << shift & 0xffff0000u);
      const Word any = (bits & 0x807fffff) | (127 - spread + (bits >> 23 & 2 * spread)) << 23;
      c[i] = round % 4 == 2 ? bits_as<Word>(-product) : round % 4 == 3 && bits % 3 == 0 ? bits & 0x80000000u : any;
    }
  }
};

/// Compares the instruction with the chain on sixteen thousand sums.
bool rounds_as_a_chain() {
  Word state = 0x9e3779b9u;
  for (Word round = 0; round < 1024; ++round) {
    const Sample sample(state, round);
    const Words64 chain = ChainOfTwo::apply(sample.a, sample.b, sample.c);
    const Words64 at_once = TwoAtOnce::apply(sample.a, sample.b, sample.c);
    for (unsigned i = 0; i < Lanes<Word, 64>::kCount; ++i)
      if (chain[i] != at_once[i]) return false;
  }
  return true;
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

Bf16Products find_bf16_products() {
#ifdef LOCKSTEP_HAS_BF16
  static const bool is_here = processor_has("avx512bf16") && rounds_as_a_chain();
  if (is_here) return {gemm_at_once, gemm_in_chains, pair_bf16_lines, pair_bf16_neighbours, bf16_magnitudes};
#endif
  return {};
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
