// libdevice functions on integers and on the bits of floats: exact by nature. Results that CUDA declares as int truth
// values are 0 or 1 (as in the PTX of each function). Nothing here rounds. Source: CUDA's libdevice guide and Triton
// 3.6's PTX for each symbol.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lockstep::interpreter::libdevice {

using I32 = std::int32_t;
using U32 = std::uint32_t;
using I64 = std::int64_t;
using U64 = std::uint64_t;

inline I32 clz32(U32 x) { return std::countl_zero(x); }
inline I32 clz64(U64 x) { return std::countl_zero(x); }
inline I32 popc32(U32 x) { return std::popcount(x); }
inline I32 popc64(U64 x) { return std::popcount(x); }
/// 1 + index of the lowest one bit; 0 for 0.
inline I32 ffs32(U32 x) { return x == 0 ? 0 : std::countr_zero(x) + 1; }
inline I32 ffs64(U64 x) { return x == 0 ? 0 : std::countr_zero(x) + 1; }
U32 brev32(U32 x);
U64 brev64(U64 x);
/// The most negative number stays.
inline I32 abs32(I32 x) { return static_cast<I32>(x < 0 ? 0u - static_cast<U32>(x) : static_cast<U32>(x)); }
inline I64 abs64(I64 x) { return static_cast<I64>(x < 0 ? U64{0} - static_cast<U64>(x) : static_cast<U64>(x)); }

inline I32 mulhi32(I32 a, I32 b) { return static_cast<I32>((I64{a} * I64{b}) >> 32); }
inline U32 umulhi32(U32 a, U32 b) { return static_cast<U32>((U64{a} * U64{b}) >> 32); }
I64 mulhi64(I64 a, I64 b);
U64 umulhi64(U64 a, U64 b);
/// Low 32 bits of the product of the low 24 bits (sign-extended, or not).
inline I32 mul24_signed(I32 a, I32 b) {
  const auto low = [](I32 x) { return static_cast<I32>(static_cast<U32>(x) << 8) >> 8; };
  return static_cast<I32>(static_cast<U32>(I64{low(a)} * I64{low(b)}));
}
inline U32 mul24_unsigned(U32 a, U32 b) { return (a & 0xffffffu) * (b & 0xffffffu); }
/// |a - b| + c, wrapping.
inline U32 sad32(I32 a, I32 b, U32 c) {
  const I64 difference = I64{a} - I64{b};
  return static_cast<U32>(difference < 0 ? -difference : difference) + c;
}
inline U32 usad32(U32 a, U32 b, U32 c) { return (a > b ? a - b : b - a) + c; }
/// Averages rounded down (hadd) or up (rhadd), without overflow.
inline I32 hadd32(I32 a, I32 b) { return static_cast<I32>((I64{a} + I64{b}) >> 1); }
inline U32 uhadd32(U32 a, U32 b) { return static_cast<U32>((U64{a} + U64{b}) >> 1); }
inline I32 rhadd32(I32 a, I32 b) { return static_cast<I32>((I64{a} + I64{b} + 1) >> 1); }
inline U32 urhadd32(U32 a, U32 b) { return static_cast<U32>((U64{a} + U64{b} + 1) >> 1); }
/// Byte i of the result is byte (selector >> 4i) & 7 of b:a.
U32 byte_perm(U32 a, U32 b, U32 selector);

template <class T>
T largest_of(T a, T b) {
  return a > b ? a : b;
}
template <class T>
T smallest_of(T a, T b) {
  return a < b ? a : b;
}

template <class To, class From>
To reinterpret(From x) {
  return std::bit_cast<To>(x);
}
inline double hiloint2double(I32 high, I32 low) {
  return std::bit_cast<double>(U64{static_cast<U32>(high)} << 32 | static_cast<U32>(low));
}
inline I32 double2hiint(double x) { return static_cast<I32>(std::bit_cast<U64>(x) >> 32); }
inline I32 double2loint(double x) { return static_cast<I32>(static_cast<U32>(std::bit_cast<U64>(x))); }

template <class T>
I32 is_nan(T x) {
  return std::isnan(x) ? 1 : 0;
}
template <class T>
I32 is_infinite(T x) {
  return std::isinf(x) ? 1 : 0;
}
template <class T>
I32 is_finite(T x) {
  return std::isfinite(x) ? 1 : 0;
}
inline I32 sign_bit_f32(float x) { return static_cast<I32>(std::bit_cast<U32>(x) >> 31); }
inline I32 sign_bit_f64(double x) { return static_cast<I32>(std::bit_cast<U64>(x) >> 63); }
/// Exponent of x; INT_MIN for zeros and NaN, INT_MAX for infinities.
template <class T>
I32 exponent_of(T x) {
  if (x == 0 || std::isnan(x)) return std::numeric_limits<I32>::min();
  return std::isinf(x) ? std::numeric_limits<I32>::max() : std::ilogb(x);
}

}  // namespace lockstep::interpreter::libdevice
