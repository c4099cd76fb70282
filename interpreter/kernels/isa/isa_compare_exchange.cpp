// Compare-and-exchange of partners in a tile (kernels.h). Compiled once per instruction set. Partners that are
// a register or more apart are two loads and a minimum and a maximum; nearer ones of 4 bytes are exchanged inside of a
// register.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

namespace {

/// a > b of two elements of a storage type.
struct Plain {
  template <class T>
  static bool greater(T a, T b) {
    return a > b;
  }
};
/// Of f16 (bf16) bits: signed magnitudes; a NaN is greater than nothing and nothing is greater than it.
template <std::uint16_t infinity>
struct SmallFloatBits {
  static bool greater(std::uint16_t a, std::uint16_t b) {
    const int x = a & 0x7fff, y = b & 0x7fff;
    const int signed_x = (a & 0x8000) != 0 ? -x : x, signed_y = (b & 0x8000) != 0 ? -y : y;
    return (signed_x > signed_y) & (x <= infinity) & (y <= infinity);
  }
};

/// One line of pairs: `low` has indicator `flipped`, `high` the opposite.
template <class Order, bool flipped, class T>
inline void exchange_line(T* out_low, T* out_high, const T* low, const T* high, Index n) {
  LOCKSTEP_NO_CARRY
  for (Index i = 0; i < n; ++i) {
    const T a = low[i], b = high[i];
    const bool down = Order::greater(a, b), up = Order::greater(b, a);
    out_low[i] = flipped ? (down ? a : b) : (down ? b : a);
    out_high[i] = flipped ? (up ? a : b) : (up ? b : a);
  }
}

inline bool is_flipped_at(const ExchangeOrder& order, Index element) {
  return order.is_flipped != ((element & order.flip_block) != 0);
}

template <class Order, class T>
void exchange_pairs(T* r, const T* x, Index begin, Index end, const ExchangeOrder& order) {
  for (Index e = begin; e < end; e += 2 * order.inner) {
    const Index high = e + order.inner;
    if (is_flipped_at(order, e)) {
      exchange_line<Order, true>(r + e, r + high, x + e, x + high, order.inner);
    } else {
      exchange_line<Order, false>(r + e, r + high, x + e, x + high, order.inner);
    }
  }
}

#if defined(__AVX2__)
/// Indicators of the lanes of the register that starts at `element`, a bit each.
inline unsigned indicators_at(const ExchangeOrder& order, Index element) {
  unsigned bits = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool is_high = (static_cast<Index>(lane) & order.inner) != 0;
    bits |= static_cast<unsigned>(is_high != is_flipped_at(order, element + static_cast<Index>(lane))) << lane;
  }
  return bits;
}

#if defined(__AVX512F__)
template <class T>
inline __mmask16 greater_lanes(__m512i a, __m512i b) {
  if constexpr (__is_same(T, float)) {
    return _mm512_cmp_ps_mask(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), _CMP_GT_OQ);
  } else if constexpr (T(-1) < T(0)) {
    return _mm512_cmpgt_epi32_mask(a, b);
  } else {
    return _mm512_cmpgt_epu32_mask(a, b);
  }
}
template <class T>
struct NearPartners {
  __m512i partner;  // lane numbers
  __mmask16 indicators[2];
  NearPartners(const ExchangeOrder& order, unsigned first, unsigned second)
      : indicators{static_cast<__mmask16>(first), static_cast<__mmask16>(second)} {
    alignas(64) std::int32_t lanes[16];
    for (std::int32_t i = 0; i < 16; ++i) lanes[i] = i ^ static_cast<std::int32_t>(order.inner);
    partner = _mm512_load_si512(lanes);
  }
  void apply(T* out, const T* in, unsigned which) const {
    const __m512i x = _mm512_loadu_si512(in);
    const __m512i y = _mm512_maskz_permutexvar_epi32(0xffff, partner, x);
    const auto exchanged = static_cast<__mmask16>(greater_lanes<T>(x, y) ^ indicators[which]);
    _mm512_storeu_si512(out, _mm512_mask_mov_epi32(x, exchanged, y));
  }
};
#else
template <class T>
inline __m256i greater_lanes(__m256i a, __m256i b) {
  if constexpr (__is_same(T, float)) {
    return _mm256_castps_si256(_mm256_cmp_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), _CMP_GT_OQ));
  } else if constexpr (T(-1) < T(0)) {
    return _mm256_cmpgt_epi32(a, b);
  } else {
    const __m256i top = _mm256_set1_epi32(static_cast<std::int32_t>(0x80000000u));
    return _mm256_cmpgt_epi32(_mm256_xor_si256(a, top), _mm256_xor_si256(b, top));
  }
}
template <class T>
struct NearPartners {
  __m256i partner;  // lane numbers
  __m256i indicators[2];
  NearPartners(const ExchangeOrder& order, unsigned first, unsigned second) {
    alignas(32) std::int32_t lanes[8], masks[2][8];
    for (std::int32_t i = 0; i < 8; ++i) {
      lanes[i] = i ^ static_cast<std::int32_t>(order.inner);
      masks[0][i] = (first >> i & 1) != 0 ? -1 : 0;
      masks[1][i] = (second >> i & 1) != 0 ? -1 : 0;
    }
    partner = _mm256_load_si256(reinterpret_cast<const __m256i*>(lanes));
    for (int w = 0; w < 2; ++w) indicators[w] = _mm256_load_si256(reinterpret_cast<const __m256i*>(masks[w]));
  }
  void apply(T* out, const T* in, unsigned which) const {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in));
    const __m256i y = _mm256_permutevar8x32_epi32(x, partner);
    const __m256i exchanged = _mm256_xor_si256(greater_lanes<T>(x, y), indicators[which]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_blendv_epi8(x, y, exchanged));
  }
};
#endif

/// Partners in the same register; returns the number of finished elements.
template <class T>
Index exchange_near(T* r, const T* x, Index count, const ExchangeOrder& order) {
  constexpr Index kStep = kLanes;
  const Index whole = count / kStep * kStep;
  if (order.inner >= kStep || whole == 0) return 0;
  // Blocks shorter than a register look the same in every register.
  const Index block = order.flip_block >= kStep ? order.flip_block : 0;
  const NearPartners<T> near(order, indicators_at(order, 0), indicators_at(order, block));
  for (Index e = 0; e < whole; e += kStep)
    near.apply(r + e, x + e, block != 0 ? static_cast<unsigned>(e / block & 1) : 0);
  return whole;
}
#else
template <class T>
Index exchange_near(T*, const T*, Index, const ExchangeOrder&) {
  return 0;
}
#endif

template <class Order, class T>
void exchange_loop(void* out, const void* in, Index count, const ExchangeOrder& order) {
  const T* x = static_cast<const T*>(in);
  T* r = static_cast<T*>(out);
  Index done = 0;
  if constexpr (sizeof(T) == 4) done = exchange_near(r, x, count, order);
  exchange_pairs<Order>(r, x, done, count, order);
}

template <class Signed, class Unsigned>
CompareExchangeFn find_integer(bool is_unsigned) {
  return is_unsigned ? exchange_loop<Plain, Unsigned> : exchange_loop<Plain, Signed>;
}

}  // namespace

CompareExchangeFn find_compare_exchange(Kind kind, bool is_unsigned) {
  switch (kind) {
    case Kind::i8: return find_integer<std::int8_t, std::uint8_t>(is_unsigned);
    case Kind::i16: return find_integer<std::int16_t, std::uint16_t>(is_unsigned);
    case Kind::i32: return find_integer<std::int32_t, std::uint32_t>(is_unsigned);
    case Kind::i64: return find_integer<std::int64_t, std::uint64_t>(is_unsigned);
    case Kind::f16: return exchange_loop<SmallFloatBits<0x7c00>, std::uint16_t>;
    case Kind::bf16: return exchange_loop<SmallFloatBits<0x7f80>, std::uint16_t>;
    case Kind::f32: return exchange_loop<Plain, float>;
    case Kind::f64: return exchange_loop<Plain, double>;
    default: return nullptr;
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
