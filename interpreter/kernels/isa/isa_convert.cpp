// Float conversions, and float <-> integer. Compiled once per instruction set; the integer <-> integer ones are
// isa_convert_integer.cpp. Everything that is neither f32 nor f64 passes through strips of f32; a value that needs two
// roundings on that way is rounded to odd first, so that the result is rounded once.
// Source of the float -> integer rules: PTX ISA, cvt; f8 saturation: measured on sm_90.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstring>

#include "interpreter/kernels/isa/isa_loops.h"
#include "interpreter/kernels/isa/isa_round_to_odd.h"
#include "interpreter/kernels/isa/isa_small_float.h"
#include "interpreter/kernels/isa/isa_small_lanes.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

void convert_f16_to_f32(void* out, const void* in, Index n) {
  const std::uint16_t* x = static_cast<const std::uint16_t*>(in);
  float* r = static_cast<float*>(out);
  Index i = 0;
#if defined(__AVX512F__)
  // The maskz forms, because g++ 12 warns of an uninitialised value inside the plain ones.
  for (; i + 16 <= n; i += 16)
    _mm512_storeu_ps(r + i, _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i))));
#elif defined(__F16C__)
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(r + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i))));
#endif
  for (; i < n; ++i) r[i] = decode_small<Kind::f16>(x[i]);
}

void convert_f32_to_f16(void* out, const void* in, Index n) {
  const float* x = static_cast<const float*>(in);
  std::uint16_t* r = static_cast<std::uint16_t*>(out);
  Index i = 0;
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(r + i),
                        _mm512_maskz_cvtps_ph(0xffff, _mm512_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(r + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
#endif
  for (; i < n; ++i) r[i] = static_cast<std::uint16_t>(encode_small<Kind::f16, false>(x[i]));
}

namespace {

struct DecodeBf16 {
  static float apply(std::uint16_t a) { return decode_bf16(a); }
};
template <bool toward_zero>
struct EncodeBf16 {
  static std::uint16_t apply(float a) { return encode_bf16<toward_zero>(a); }
};
template <Kind kind>
struct Decode {
  static float apply(std::uint8_t a) { return decode_small<kind>(a); }
};
template <Kind kind, bool toward_zero>
struct Encode {
  static std::uint8_t apply(float a) { return static_cast<std::uint8_t>(encode_small<kind, toward_zero>(a)); }
};
struct EncodeF16TowardZero {
  static std::uint16_t apply(float a) { return static_cast<std::uint16_t>(encode_small<Kind::f16, true>(a)); }
};

struct F32ToF64 {
  static double apply(float a) { return static_cast<double>(a); }
};
struct F64ToF32 {
  static float apply(double a) { return static_cast<float>(a); }
};
struct F64ToF32Odd {
  static float apply(double a) { return narrow_to_odd(a); }
};
struct F64ToF32TowardZero {
  static float apply(double a) {
    const float nearest = static_cast<float>(a);
    const bool is_past = __builtin_fabs(static_cast<double>(nearest)) > __builtin_fabs(a);
    const bool is_infinite = __builtin_fabs(a) > 1.7976931348623157e308;
    return bits_as<float>(bits_as<std::int32_t>(nearest) - static_cast<std::int32_t>(is_past & !is_infinite));
  }
};

/// Integer -> f32 or f64, rounded once.
template <class R>
struct ToReal {
  template <class T>
  static R apply(T a) {
    return static_cast<R>(a);
  }
};
/// A signed one-bit integer is 0 or -1.
template <class R>
struct BitToReal {
  static R apply(std::uint8_t a) { return static_cast<R>(-static_cast<int>(a)); }
};
/// 64-bit integer -> f32 rounded to odd; the bits that f64 cannot hold are folded into one first.
struct WideToOdd {
  static double fold(std::uint64_t magnitude) {
    const std::uint64_t folded = (magnitude & ~std::uint64_t{0xfff}) | ((magnitude & 0xfff) != 0 ? 0x800u : 0u);
    return static_cast<double>(magnitude >> 53 != 0 ? folded : magnitude);
  }
  static float apply(std::uint64_t a) { return narrow_to_odd(fold(a)); }
  static float apply(std::int64_t a) {
    const double magnitude =
        fold(a < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a));
    return narrow_to_odd(a < 0 ? -magnitude : magnitude);
  }
};
struct WordToOdd {
  template <class T>
  static float apply(T a) {
    return narrow_to_odd(static_cast<double>(a));
  }
};

/// Float -> integer of `bits` bits by saturation; NaN is 0, or the top bit alone when either side has 64 bits.
template <class T>
constexpr T power_of_two(int exponent) {
  return exponent == 0 ? T{1} : T{2} * power_of_two<T>(exponent - 1);
}
template <bool is_wide>
struct ViaOf {
  using type = std::int32_t;
};
template <>
struct ViaOf<true> {
  using type = std::int64_t;
};
template <class R, class T>
struct ToSigned {
  static R apply(T a) {
    constexpr int kBits = 8 * sizeof(R);
    constexpr T kEnd = power_of_two<T>(kBits - 1);
    constexpr R kLowest = static_cast<R>(R{1} << (kBits - 2)) * -2;
    using Via = typename ViaOf<(sizeof(R) > 4)>::type;
    const T inside = ((a >= -kEnd) & (a < kEnd)) ? a : T{0};
    R result = static_cast<R>(static_cast<Via>(inside));
    result = a >= kEnd ? static_cast<R>(-(kLowest + 1)) : result;
    result = a < -kEnd ? kLowest : result;
    if constexpr (sizeof(R) == 8 || sizeof(T) == 8) result = a != a ? kLowest : result;
    return result;
  }
};
template <class R, class T>
struct ToUnsigned {
  static R apply(T a) {
    constexpr int kBits = 8 * sizeof(R);
    constexpr T kEnd = power_of_two<T>(kBits);
    constexpr T kHalf = power_of_two<T>(kBits - 1);
    constexpr R kTop = static_cast<R>(R{1} << (kBits - 1));
    using Via = typename ViaOf<(sizeof(R) > 4)>::type;
    const T inside = ((a > T{0}) & (a < kEnd)) ? a : T{0};
    // Halves, because the processor's conversions are signed.
    const R low = static_cast<R>(static_cast<Via>(inside >= kHalf ? inside - kHalf : inside));
    R result = static_cast<R>(inside >= kHalf ? low | kTop : low);
    result = a >= kEnd ? static_cast<R>(~R{0}) : result;
    if constexpr (sizeof(R) == 8 || sizeof(T) == 8) result = a != a ? kTop : result;
    return result;
  }
};
/// Via 16 bits, as the compiler for the GPU does: 8-bit registers do not exist there.
template <class R, class Wide>
struct LowByteOf {
  template <class T>
  static R apply(T a) {
    return static_cast<R>(Wide::apply(a));
  }
};

using S8 = std::int8_t;
using U8 = std::uint8_t;
using S16 = std::int16_t;
using U16 = std::uint16_t;
using S32 = std::int32_t;
using U32 = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

template <class T>
ConvertFn real_to_integer(Kind to, bool is_unsigned) {
  switch (to) {
    case Kind::i8:
      return is_unsigned ? unary_loop<LowByteOf<U8, ToUnsigned<U16, T>>, T, U8>
                         : unary_loop<LowByteOf<S8, ToSigned<S16, T>>, T, S8>;
    case Kind::i16: return is_unsigned ? unary_loop<ToUnsigned<U16, T>, T, U16> : unary_loop<ToSigned<S16, T>, T, S16>;
    case Kind::i32: return is_unsigned ? unary_loop<ToUnsigned<U32, T>, T, U32> : unary_loop<ToSigned<S32, T>, T, S32>;
    case Kind::i64: return is_unsigned ? unary_loop<ToUnsigned<U64, T>, T, U64> : unary_loop<ToSigned<S64, T>, T, S64>;
    default: return nullptr;
  }
}

template <class R>
ConvertFn integer_to_real(Kind from, bool is_unsigned) {
  switch (from) {
    case Kind::i1: return is_unsigned ? unary_loop<ToReal<R>, U8, R> : unary_loop<BitToReal<R>, U8, R>;
    case Kind::i8: return is_unsigned ? unary_loop<ToReal<R>, U8, R> : unary_loop<ToReal<R>, S8, R>;
    case Kind::i16: return is_unsigned ? unary_loop<ToReal<R>, U16, R> : unary_loop<ToReal<R>, S16, R>;
    case Kind::i32: return is_unsigned ? unary_loop<ToReal<R>, U32, R> : unary_loop<ToReal<R>, S32, R>;
    case Kind::i64: return is_unsigned ? unary_loop<ToReal<R>, U64, R> : unary_loop<ToReal<R>, S64, R>;
    default: return nullptr;
  }
}

/// f32 -> a small kind.
ConvertFn encoder(Kind to, bool toward_zero) {
  switch (to) {
    case Kind::f8E4M3FN:
      return toward_zero ? unary_loop<Encode<Kind::f8E4M3FN, true>, float, U8>
                         : unary_loop<Encode<Kind::f8E4M3FN, false>, float, U8>;
    case Kind::f8E5M2:
      return toward_zero ? unary_loop<Encode<Kind::f8E5M2, true>, float, U8>
                         : unary_loop<Encode<Kind::f8E5M2, false>, float, U8>;
    case Kind::f8E4M3FNUZ:
      return toward_zero ? unary_loop<Encode<Kind::f8E4M3FNUZ, true>, float, U8>
                         : unary_loop<Encode<Kind::f8E4M3FNUZ, false>, float, U8>;
    case Kind::f8E5M2FNUZ:
      return toward_zero ? unary_loop<Encode<Kind::f8E5M2FNUZ, true>, float, U8>
                         : unary_loop<Encode<Kind::f8E5M2FNUZ, false>, float, U8>;
    case Kind::f16: return toward_zero ? unary_loop<EncodeF16TowardZero, float, U16> : convert_f32_to_f16;
    case Kind::bf16: return toward_zero ? unary_loop<EncodeBf16<true>, float, U16> : convert_f32_to_bf16;
    default: return nullptr;
  }
}
/// A small kind -> f32.
ConvertFn decoder(Kind from) {
  switch (from) {
    case Kind::f8E4M3FN: return unary_loop<Decode<Kind::f8E4M3FN>, U8, float>;
    case Kind::f8E5M2: return unary_loop<Decode<Kind::f8E5M2>, U8, float>;
    case Kind::f8E4M3FNUZ: return unary_loop<Decode<Kind::f8E4M3FNUZ>, U8, float>;
    case Kind::f8E5M2FNUZ: return unary_loop<Decode<Kind::f8E5M2FNUZ>, U8, float>;
    case Kind::f16: return convert_f16_to_f32;
    case Kind::bf16: return convert_bf16_to_f32;
    default: return nullptr;
  }
}

/// Any kind -> an f32 from which one more rounding gives the right small float.
ConvertFn to_rounding_f32(Kind from, Conversion how) {
  const bool is_unsigned = how == Conversion::unsigned_;
  switch (from) {
    case Kind::i32: return is_unsigned ? unary_loop<WordToOdd, U32, float> : unary_loop<WordToOdd, S32, float>;
    case Kind::i64: return is_unsigned ? unary_loop<WideToOdd, U64, float> : unary_loop<WideToOdd, S64, float>;
    case Kind::f64:
      return how == Conversion::toward_zero ? unary_loop<F64ToF32TowardZero, double, float>
                                            : unary_loop<F64ToF32Odd, double, float>;
    case Kind::i1:
    case Kind::i8:
    case Kind::i16: return integer_to_real<float>(from, is_unsigned);
    default: return decoder(from);
  }
}
/// f32 -> any kind.
ConvertFn from_f32(Kind to, Conversion how) {
  if (to == Kind::f64) return unary_loop<F32ToF64, float, double>;
  if (is_small_float(to)) return encoder(to, how == Conversion::toward_zero);
  return real_to_integer<float>(to, how == Conversion::unsigned_);
}

template <Kind from, Kind to, Conversion how>
void through_f32(void* out, const void* in, Index n) {
  const ConvertFn first = to_rounding_f32(from, how);
  const ConvertFn second = from_f32(to, how);
  alignas(64) float strip[kStrip];
  for (Index begin = 0; begin < n; begin += kStrip) {
    const Index count = n - begin < kStrip ? n - begin : kStrip;
    first(strip, static_cast<const char*>(in) + begin * bytes_of(from), count);
    second(static_cast<char*>(out) + begin * bytes_of(to), strip, count);
  }
}
template <Kind from, Kind to>
ConvertFn pick_mode(Conversion how) {
  switch (how) {
    case Conversion::signed_: return through_f32<from, to, Conversion::signed_>;
    case Conversion::unsigned_: return through_f32<from, to, Conversion::unsigned_>;
    case Conversion::toward_zero: return through_f32<from, to, Conversion::toward_zero>;
  }
  return nullptr;
}
template <Kind from>
ConvertFn pick_target(Kind to, Conversion how) {
  constexpr bool kFromSmall = is_small_float(from);
  switch (to) {
    case Kind::f8E4M3FN: return pick_mode<from, Kind::f8E4M3FN>(how);
    case Kind::f8E5M2: return pick_mode<from, Kind::f8E5M2>(how);
    case Kind::f8E4M3FNUZ: return pick_mode<from, Kind::f8E4M3FNUZ>(how);
    case Kind::f8E5M2FNUZ: return pick_mode<from, Kind::f8E5M2FNUZ>(how);
    case Kind::f16: return pick_mode<from, Kind::f16>(how);
    case Kind::bf16: return pick_mode<from, Kind::bf16>(how);
    case Kind::f64:
      if constexpr (kFromSmall) return pick_mode<from, Kind::f64>(how);
      return nullptr;
    case Kind::i8:
      if constexpr (kFromSmall) return pick_mode<from, Kind::i8>(how);
      return nullptr;
    case Kind::i16:
      if constexpr (kFromSmall) return pick_mode<from, Kind::i16>(how);
      return nullptr;
    case Kind::i32:
      if constexpr (kFromSmall) return pick_mode<from, Kind::i32>(how);
      return nullptr;
    case Kind::i64:
      if constexpr (kFromSmall) return pick_mode<from, Kind::i64>(how);
      return nullptr;
    default: return nullptr;
  }
}
ConvertFn find_through_f32(Kind from, Kind to, Conversion how) {
  switch (from) {
    case Kind::i1: return pick_target<Kind::i1>(to, how);
    case Kind::i8: return pick_target<Kind::i8>(to, how);
    case Kind::i16: return pick_target<Kind::i16>(to, how);
    case Kind::i32: return pick_target<Kind::i32>(to, how);
    case Kind::i64: return pick_target<Kind::i64>(to, how);
    case Kind::f8E4M3FN: return pick_target<Kind::f8E4M3FN>(to, how);
    case Kind::f8E5M2: return pick_target<Kind::f8E5M2>(to, how);
    case Kind::f8E4M3FNUZ: return pick_target<Kind::f8E4M3FNUZ>(to, how);
    case Kind::f8E5M2FNUZ: return pick_target<Kind::f8E5M2FNUZ>(to, how);
    case Kind::f16: return pick_target<Kind::f16>(to, how);
    case Kind::bf16: return pick_target<Kind::bf16>(to, how);
    case Kind::f64: return pick_target<Kind::f64>(to, how);
    default: return nullptr;
  }
}

template <Index bytes>
void copy_elements(void* out, const void* in, Index n) {
  if (out != in) std::memmove(out, in, static_cast<std::size_t>(n * bytes));
}
ConvertFn find_copy(Index bytes) {
  switch (bytes) {
    case 1: return copy_elements<1>;
    case 2: return copy_elements<2>;
    case 4: return copy_elements<4>;
    default: return copy_elements<8>;
  }
}

}  // namespace

void convert_bf16_to_f32(void* out, const void* in, Index n) { unary_loop<DecodeBf16, U16, float>(out, in, n); }
void convert_f32_to_bf16(void* out, const void* in, Index n) {
  const float* x = static_cast<const float*>(in);
  U16* r = static_cast<U16*>(out);
  Index i = 0;
#ifdef LOCKSTEP_SMALL_LANES
  constexpr Index kCount = kLanes;
  const auto at = [x](Index begin) {
    LaneFloats lanes;
    std::memcpy(&lanes, x + begin, sizeof lanes);
    return lanes;
  };
  for (; i + 2 * kCount <= n; i += 2 * kCount) SmallLanes<Kind::bf16>::store_two(r + i, at(i), at(i + kCount));
#endif
  unary_loop<EncodeBf16<false>, float, U16>(r + i, x + i, n - i);
}

ConvertFn find_convert(Kind from, Kind to, Conversion how) {
  from = from == Kind::pointer ? Kind::i64 : from;
  to = to == Kind::pointer ? Kind::i64 : to;
  if (from == to) return find_copy(bytes_of(from));
  const bool is_unsigned = how == Conversion::unsigned_;
  if (from <= Kind::i64 && to <= Kind::i64) return find_convert_integer(from, to, is_unsigned);
  if (from <= Kind::i64 && to == Kind::f32) return integer_to_real<float>(from, is_unsigned);
  if (from <= Kind::i64 && to == Kind::f64) return integer_to_real<double>(from, is_unsigned);
  if (from == Kind::f32) return from_f32(to, how);
  if (from == Kind::f64 && to <= Kind::i64) return real_to_integer<double>(to, is_unsigned);
  if (from == Kind::f64 && to == Kind::f32)
    return how == Conversion::toward_zero ? unary_loop<F64ToF32TowardZero, double, float>
                                          : unary_loop<F64ToF32, double, float>;
  if (to == Kind::f32) return decoder(from);
  return find_through_f32(from, to, how);
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
