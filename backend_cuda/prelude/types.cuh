// What every kernel that Lockstep emits starts with: the types of Triton's elements and loops over registers. No header
// of the toolkit is needed. Small floats are structs of bits; arithmetic on them is done in float and rounded once,
// which gives the correctly rounded result (24 >= 2 * 11 + 2 bits).
#define LS_EACH(n) _Pragma("unroll") for (int r = 0; r < (n); ++r)
#define LS_EACH_BY(n, by) _Pragma("unroll") for (int r = 0; r < (n); r += (by))
#define LS_EACH_FROM(i, from, n) _Pragma("unroll") for (int i = (from); i < (n); ++i)
#define LS_FN __device__ __forceinline__

struct f16 { unsigned short bits; };
struct bf16 { unsigned short bits; };
struct f8e4m3 { unsigned char bits; };
struct f8e5m2 { unsigned char bits; };
struct f8e4m3fnuz { unsigned char bits; };
struct f8e5m2fnuz { unsigned char bits; };

LS_FN float bits_f32(unsigned bits) { return __int_as_float((int)bits); }
LS_FN double bits_f64(unsigned long long bits) { return __longlong_as_double((long long)bits); }
LS_FN unsigned f32_bits(float x) { return (unsigned)__float_as_int(x); }

// ---- widening: exact -------------------------------------------------------------------------------------------------
LS_FN float wide(float x) { return x; }
LS_FN double wide(double x) { return x; }
LS_FN float wide(f16 x) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits));
  return y;
}
LS_FN float wide(bf16 x) { return bits_f32((unsigned)x.bits << 16); }
LS_FN float wide(f8e5m2 x) { return wide(f16{(unsigned short)(x.bits << 8)}); }
LS_FN float wide(f8e4m3 x) {
  const unsigned magnitude = x.bits & 0x7f;
  const unsigned sign = (unsigned)(x.bits & 0x80) << 24;
  if (magnitude == 0x7f) return bits_f32(sign | 0x7fc00000u);
  // As a number of an exponent that is too low by 120, subnormal ones included.
  return bits_f32(f32_bits(bits_f32(magnitude << 20) * bits_f32(0x7b800000u)) | sign);
}

// ---- narrowing: to nearest even --------------------------------------------------------------------------------------
// A double as the float that rounds on to a narrower format as the double itself would: its last bit keeps the rest.
LS_FN float to_odd(double x) {
  const float y = __double2float_rz(x);
  return (double)y == x || x != x ? y : bits_f32(f32_bits(y) | 1u);
}
LS_FN float to_odd(float x) { return x; }
LS_FN float to_odd(long long x) {
  const float y = __ll2float_rz(x);
  return (long long)y == x ? y : bits_f32(f32_bits(y) | 1u);
}
LS_FN float to_odd(unsigned long long x) {
  const float y = __ull2float_rz(x);
  return (unsigned long long)y == x ? y : bits_f32(f32_bits(y) | 1u);
}
template <class T> struct Narrow;
template <> struct Narrow<float> {
  static LS_FN float from(float x) { return x; }
  static LS_FN float from(double x) { return (float)x; }
};
template <> struct Narrow<double> { static LS_FN double from(double x) { return x; } };
template <> struct Narrow<f16> {
  static LS_FN f16 from(float x) {
    f16 y;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
    return y;
  }
  static LS_FN f16 from(double x) {
    f16 y;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(y.bits) : "d"(x));
    return y;
  }
};
template <> struct Narrow<bf16> {
  static LS_FN bf16 from(float x) {
    bf16 y;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
    return y;
  }
  static LS_FN bf16 from(double x) { return from(to_odd(x)); }
};
template <class T, class U> LS_FN T narrow(U x) { return Narrow<T>::from(x); }

template <class T> LS_FN T f16_toward_zero(float x);
template <> LS_FN f16 f16_toward_zero<f16>(float x) {
  f16 y;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
  return y;
}
template <> LS_FN bf16 f16_toward_zero<bf16>(float x) {
  bf16 y;
  asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
  return y;
}

// ---- bits ------------------------------------------------------------------------------------------------------------
template <class To, class From> LS_FN To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bitcast keeps the size");
  union { From from; To to; } both{from};
  return both.to;
}

template <class T> struct Unsigned { using type = T; };
template <> struct Unsigned<signed char> { using type = unsigned char; };
template <> struct Unsigned<short> { using type = unsigned short; };
template <> struct Unsigned<int> { using type = unsigned; };
template <> struct Unsigned<long long> { using type = unsigned long long; };
template <class T> LS_FN T nothing() { return T{}; }
template <class T> LS_FN typename Unsigned<T>::type as_unsigned(T x) { return (typename Unsigned<T>::type)x; }
