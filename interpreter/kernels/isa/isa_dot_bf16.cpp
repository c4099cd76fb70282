// The product of pairs of bf16 with the instruction that adds two products at once (vdpbf16ps), where that gives the
// bytes of S-42: on normal numbers it is a chain of two fused multiply-adds, the high halves first. It takes subnormal
// numbers for zeros, so the caller looks at the operands (kernels/dot.cpp) and this file at the starts. Another
// processor may round otherwise, or take long, so the first caller compares it with the chain. Invariant: no code that
// other files of the instruction set share is compiled after the pragma.
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

void gemm_in_chains(const Gemm& g) { gemm_loop<ChainOfTwo, Word>(g); }
void gemm_at_once(const Gemm& g) { gemm_loop<TwoAtOnce, Word>(g); }

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

/// The magnitudes of all halves that passed by.
class MagnitudesSeen {
 public:
  void see(__m512i halves) {
    const __m512i magnitude = _mm512_and_si512(halves, _mm512_set1_epi16(0x7fff));
    below_least_ = _mm512_min_epu16(below_least_, _mm512_sub_epi16(magnitude, _mm512_set1_epi16(1)));
    largest_ = _mm512_max_epu16(largest_, magnitude);
  }
  Magnitudes all() const {
    alignas(64) std::uint16_t below[32], largest[32];
    _mm512_store_si512(below, below_least_);
    _mm512_store_si512(largest, largest_);
    std::uint16_t least = 0xffff, most = 0;
    for (unsigned i = 0; i < 32; ++i) {
      least = below[i] < least ? below[i] : least;
      most = largest[i] > most ? largest[i] : most;
    }
    return {Word{least} + (least < 0x7fff ? 1u : 0u), most};
  }

 private:
  __m512i below_least_ = _mm512_set1_epi16(-1), largest_ = _mm512_setzero_si512();  // zeros come last
};

/// Lines one after the other. It asks for a line before it is read, because the processor's own prefetching takes short
/// lines that lie apart for new streams. Behind the last one lies the loop's next tile, if this is a tile of a matrix. A
/// prefetch of memory that is not there does nothing. Listed lines were asked for where they were listed.
class LinesInTurn {
 public:
  LinesInTurn(const SourceLines& lines, Index n)
      : next_(reinterpret_cast<std::uintptr_t>(lines.data)), pitch_(static_cast<std::uintptr_t>(2 * lines.pitch)),
        listed_(lines.addresses), bytes_(2 * n) {
    constexpr Index kMost = 256;
    asks_ = listed_ == nullptr && lines.pitch > n && n <= kMost;
    for (std::uintptr_t i = 0; asks_ && i < kAhead; ++i) ask_for(next_ + i * pitch_);
  }
  const std::uint16_t* next() {
    if (listed_ != nullptr) return reinterpret_cast<const std::uint16_t*>(*listed_++);
    const std::uintptr_t line = next_;
    next_ += pitch_;
    if (asks_) ask_for(line + kAhead * pitch_);
    return reinterpret_cast<const std::uint16_t*>(line);
  }

 private:
  static constexpr std::uintptr_t kAhead = 32;
  void ask_for(std::uintptr_t line) const {
    constexpr Index kCacheLine = 64;
    for (Index i = 0; i < bytes_; i += kCacheLine)
      __builtin_prefetch(reinterpret_cast<const char*>(line + static_cast<std::uintptr_t>(i)));
  }

  std::uintptr_t next_, pitch_;
  const std::uint64_t* listed_;
  Index bytes_;
  bool asks_;
};

/// The first `n` of 32 elements, of 16 words.
inline __mmask32 first_of_32(Index n) { return n >= 32 ? 0xffffffffu : (1u << (n > 0 ? n : 0)) - 1u; }
inline __mmask16 first_of_16(Index n) {
  return static_cast<__mmask16>(n >= 16 ? 0xffffu : (1u << (n > 0 ? n : 0)) - 1u);
}

Magnitudes pair_all_bf16_lines(void* out, const SourceLines& in, std::int64_t lines, std::int64_t n,
                               std::uint16_t empty) {
  auto* pairs = static_cast<Word*>(out);
  const __m512i low = _mm512_load_si512(kPlaces.of_pair[0]), high = _mm512_load_si512(kPlaces.of_pair[1]);
  const __m512i nothing = _mm512_set1_epi16(static_cast<short>(empty));
  MagnitudesSeen seen;
  LinesInTurn in_turn(in, n);
  for (Index i = 0; i < lines; i += 2, pairs += n) {
    const std::uint16_t* const line = in_turn.next();
    const std::uint16_t* const other = i + 1 < lines ? in_turn.next() : nullptr;
    for (Index j = 0; j < n; j += 32) {
      const __mmask32 here = first_of_32(n - j);
      const __m512i a = _mm512_maskz_loadu_epi16(here, line + j);
      const __m512i b = other != nullptr ? _mm512_maskz_loadu_epi16(here, other + j) : nothing;
      seen.see(a);
      seen.see(b);
      _mm512_mask_storeu_epi32(pairs + j, first_of_16(n - j), _mm512_permutex2var_epi16(a, low, b));
      if (n - j > 16)
        _mm512_mask_storeu_epi32(pairs + j + 16, first_of_16(n - j - 16), _mm512_permutex2var_epi16(a, high, b));
    }
  }
  return seen.all();
}

Magnitudes pair_all_bf16_neighbours(void* out, const SourceLines& in, std::int64_t lines, std::int64_t n,
                                    std::uint16_t empty) {
  auto* pairs = static_cast<Word*>(out);
  const Index length = (n + 1) / 2;
  const __m512i nothing = _mm512_set1_epi16(static_cast<short>(empty));
  MagnitudesSeen seen;
  LinesInTurn in_turn(in, n);
  for (Index i = 0; i < lines; ++i, pairs += length) {
    const std::uint16_t* const line = in_turn.next();
    for (Index j = 0; j < n; j += 32) {
      const __mmask32 here = first_of_32(n - j);
      const __m512i halves = _mm512_mask_loadu_epi16(nothing, here, line + j);
      seen.see(halves);
      const auto words = bits_as<Words64>(halves);
      _mm512_mask_storeu_epi32(pairs + j / 2, first_of_16((n - j + 1) / 2), bits_as<__m512i>(words << 16 | words >> 16));
    }
  }
  return seen.all();
}

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

struct OneAtATime {
  static Words64 apply(Words64 a, Words64 b, Words64 c) { return bits_as<Words64>(fused(floats(a), floats(b), floats(c))); }
};

/// The shortest of a few runs, in ticks of the processor's counter: sums side by side, as in a product, as many as hide
/// how long a step takes.
template <class Step>
std::uint64_t shortest_run() {
  constexpr unsigned kSums = 12, kSteps = 512, kRuns = 8;
  Word state = 0x9e3779b9u;
  const Sample sample(state, 1);
  std::uint64_t shortest = UINT64_MAX;
  for (unsigned run = 0; run < kRuns; ++run) {
    Words64 sums[kSums] = {};
    const std::uint64_t begin = __rdtsc();
    for (unsigned step = 0; step < kSteps; ++step)
#pragma GCC unroll 12
      for (Words64& sum : sums) sum = Step::apply(sample.a, sample.b, sum);
    Words64 all{};
    for (const Words64& sum : sums) all ^= sum;
    asm volatile("" : : "v"(bits_as<__m512i>(all)));
    const std::uint64_t taken = __rdtsc() - begin;
    shortest = taken < shortest ? taken : shortest;
  }
  return shortest;
}

/// Whether it pays: there are processors whose instruction takes longer than its two multiply-adds, four times one
/// (measured on an Intel Xeon; docs/performance.md). Which is taken changes no byte.
bool is_faster_than_two() { return shortest_run<TwoAtOnce>() < 2 * shortest_run<OneAtATime>(); }

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
  static const bool is_here = processor_has("avx512bf16") && rounds_as_a_chain() && is_faster_than_two();
  if (is_here) return {gemm_at_once,        gemm_in_chains,           pair_bf16_lines, pair_bf16_neighbours,
            pair_all_bf16_lines, pair_all_bf16_neighbours, bf16_magnitudes};
#endif
  return {};
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
