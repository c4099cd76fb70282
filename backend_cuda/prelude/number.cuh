// What the other parts leave out: one-bit integers, counts of bits, double-width results, classes of floats, formats
// of 8 bits without an instruction, conversions with a rounding that is named, and powers.
// A bit is 0 or 1 without sign, 0 or -1 with it (S-103).
LS_FN bool max_signed(bool a, bool b) { return a && b; }
LS_FN bool min_signed(bool a, bool b) { return a || b; }
LS_FN bool shl(bool a, bool) { return a; }
LS_FN bool shr_signed(bool a, bool) { return a; }
LS_FN bool shr_unsigned(bool a, bool) { return a; }
LS_FN bool div_signed(bool a, bool b) { return b ? a : true; }
LS_FN bool div_unsigned(bool a, bool b) { return b ? a : true; }
LS_FN bool rem_signed(bool a, bool b) { return b ? false : a; }
LS_FN bool rem_unsigned(bool a, bool b) { return b ? false : a; }
LS_FN bool floordiv(bool a, bool b) { return div_signed(a, b); }
LS_FN bool ceildiv_signed(bool a, bool b) { return div_signed(a, b); }
LS_FN bool ceildiv_unsigned(bool a, bool b) { return div_unsigned(a, b); }
template <class T> LS_FN T as_signed(T x) { return x; }
LS_FN signed char as_signed(bool x) { return x ? -1 : 0; }

LS_FN signed char mulhi_unsigned(signed char a, signed char b) {
  return (signed char)(((unsigned)as_unsigned(a) * as_unsigned(b)) >> 8);
}
LS_FN short mulhi_unsigned(short a, short b) { return (short)(((unsigned)as_unsigned(a) * as_unsigned(b)) >> 16); }
LS_FN bool mulhi_unsigned(bool, bool) { return false; }
LS_FN signed char mulhi_signed(signed char a, signed char b) { return (signed char)(((int)a * b) >> 8); }
LS_FN short mulhi_signed(short a, short b) { return (short)(((int)a * b) >> 16); }
LS_FN int mulhi_signed(int a, int b) { return __mulhi(a, b); }
LS_FN long long mulhi_signed(long long a, long long b) { return __mul64hi(a, b); }
LS_FN bool mulhi_signed(bool, bool) { return false; }
template <class T> LS_FN bool carries(T a, T b) { return as_unsigned(add(a, b)) < as_unsigned(a); }
LS_FN bool carries(bool a, bool b) { return a && b; }
template <class T> LS_FN bool borrows(T a, T b) { return as_unsigned(a) < as_unsigned(b); }

template <class T> LS_FN T count_leading(T x) {
  if (sizeof(T) == 8) return (T)__clzll((long long)as_unsigned(x));
  return (T)(__clz((int)(unsigned)as_unsigned(x)) - (32 - 8 * (int)sizeof(T)));
}
LS_FN bool count_leading(bool x) { return !x; }
template <class T> LS_FN T count_trailing(T x) {
  if (x == 0) return (T)(8 * sizeof(T));
  return (T)(__ffsll((long long)as_unsigned(x)) - 1);
}
LS_FN bool count_trailing(bool x) { return !x; }
template <class T> LS_FN T count_ones(T x) { return (T)__popcll((unsigned long long)as_unsigned(x)); }
LS_FN bool count_ones(bool x) { return x; }

template <class T> LS_FN T integer_power(T base, T exponent) {
  if (exponent < 0) return base == (T)0 ? (T)-1 : base == (T)1 ? (T)1 : base == (T)-1 ? ((exponent & 1) != 0 ? (T)-1 : (T)1) : (T)0;
  T power = 1;
  for (; exponent != 0; exponent = (T)(exponent >> 1)) {
    if ((exponent & 1) != 0) power = mul(power, base);
    base = mul(base, base);
  }
  return power;
}
LS_FN bool integer_power(bool base, bool exponent) { return base || !exponent; }
template <class T, class N> LS_FN T float_power(T base, N exponent) {
  return narrow<T>(pow((double)wide(base), (double)exponent));
}

// ---- classes of floats -----------------------------------------------------------------------------------------------
template <class T> struct SmallestNormal { static LS_FN float of() { return bits_f32(0x00800000u); } };
template <> struct SmallestNormal<double> { static LS_FN double of() { return bits_f64(0x0010000000000000ull); } };
template <> struct SmallestNormal<f16> { static LS_FN float of() { return 6.103515625e-05f; } };
template <> struct SmallestNormal<f8e5m2> { static LS_FN float of() { return 6.103515625e-05f; } };
template <> struct SmallestNormal<f8e4m3> { static LS_FN float of() { return 0.015625f; } };
template <> struct SmallestNormal<f8e4m3fnuz> { static LS_FN float of() { return 0.0078125f; } };
template <> struct SmallestNormal<f8e5m2fnuz> { static LS_FN float of() { return 3.0517578125e-05f; } };
LS_FN float magnitude(float x) { return fabsf(x); }
LS_FN double magnitude(double x) { return fabs(x); }
template <class T> LS_FN bool is_nan(T x) { return wide(x) != wide(x); }
template <class T> LS_FN bool is_finite(T x) { return wide(x) - wide(x) == 0; }
template <class T> LS_FN bool is_infinite(T x) { return !is_nan(x) && !is_finite(x); }
template <class T> LS_FN T flush_subnormal(T x) {
  return magnitude(wide(x)) < SmallestNormal<T>::of() ? narrow<T>(wide(x) * 0) : x;
}
template <class T> LS_FN bool is_normal(T x) { return is_finite(x) && magnitude(wide(x)) >= SmallestNormal<T>::of(); }

// ---- floats of 8 bits in software ------------------------------------------------------------------------------------
// M bits of mantissa; Largest: the bits of the largest number; Nan: those of NaN.
template <int M, int Bias, unsigned Largest, unsigned Nan, bool HasNegativeZero> struct Small {
  static LS_FN float scale(int exponent) { return bits_f32((unsigned)(exponent + 127) << 23); }
  static LS_FN float decode(unsigned bits) {
    const unsigned exponent = (bits & 0x7f) >> M, mantissa = bits & ((1u << M) - 1);
    const float sign = (bits & 0x80) != 0 ? -1.0f : 1.0f;
    if (exponent == 0) return sign * (float)mantissa * scale(1 - Bias - M);
    return sign * (float)(mantissa | (1u << M)) * scale((int)exponent - Bias - M);
  }
  template <bool Truncates> static LS_FN unsigned encode(float x) {
    if (x != x) return Nan;
    const unsigned sign = f32_bits(x) >> 31 << 7;
    const float size = magnitude(x);
    const int exponent = max((int)(f32_bits(size) >> 23) - 127, 1 - Bias);
    if (exponent > 20) return sign | Largest;
    const float steps = size * scale(M - exponent);
    const int count = (int)(Truncates ? truncf(steps) : rintf(steps));
    unsigned bits = count < (1 << M) ? (unsigned)count : (unsigned)(((exponent + Bias - 1) << M) + count);
    bits = bits > Largest ? Largest : bits;
    return bits == 0 && !HasNegativeZero ? 0 : sign | bits;
  }
};
using SoftE4m3 = Small<3, 7, 0x7e, 0x7f, true>;
using SoftE5m2 = Small<2, 15, 0x7b, 0x7f, true>;
using SoftE4m3Fnuz = Small<3, 8, 0x7f, 0x80, false>;
using SoftE5m2Fnuz = Small<2, 16, 0x7f, 0x80, false>;
LS_FN float wide(f8e4m3fnuz x) { return x.bits == 0x80 ? bits_f32(0x7fc00000u) : SoftE4m3Fnuz::decode(x.bits); }
LS_FN float wide(f8e5m2fnuz x) { return x.bits == 0x80 ? bits_f32(0x7fc00000u) : SoftE5m2Fnuz::decode(x.bits); }

template <class T, class Soft, bool Truncates> LS_FN T small_float(float x) {
  return T{(unsigned char)Soft::template encode<Truncates>(x)};
}
// The instructions exist from sm_89 on.
#if __CUDA_ARCH__ >= 890
#define LS_NARROW_PAIR(T, name, Soft)                                                                              \
  template <> struct Narrow<T> {                                                                                   \
    static LS_FN T from(float x) {                                                                                 \
      unsigned short pair;                                                                                         \
      asm("cvt.rn.satfinite." name ".f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));                           \
      return T{(unsigned char)pair};                                                                               \
    }                                                                                                              \
    static LS_FN T from(double x) { return from(to_odd(x)); }                                                      \
  };
#else
#define LS_NARROW_PAIR(T, name, Soft)                                                                              \
  template <> struct Narrow<T> {                                                                                   \
    template <class F> static LS_FN T from(F x) { return small_float<T, Soft, false>(to_odd(x)); }                 \
  };
#endif
LS_NARROW_PAIR(f8e4m3, "e4m3x2", SoftE4m3)
LS_NARROW_PAIR(f8e5m2, "e5m2x2", SoftE5m2)
template <> struct Narrow<f8e4m3fnuz> {
  template <class F> static LS_FN f8e4m3fnuz from(F x) {
    return small_float<f8e4m3fnuz, SoftE4m3Fnuz, false>(to_odd(x));
  }
};
template <> struct Narrow<f8e5m2fnuz> {
  template <class F> static LS_FN f8e5m2fnuz from(F x) {
    return small_float<f8e5m2fnuz, SoftE5m2Fnuz, false>(to_odd(x));
  }
};

// Their NaN has no sign.
LS_FN f8e4m3fnuz copy_sign(f8e4m3fnuz a, f8e4m3fnuz b) { return narrow<f8e4m3fnuz>(copysignf(wide(a), wide(b))); }
LS_FN f8e5m2fnuz copy_sign(f8e5m2fnuz a, f8e5m2fnuz b) { return narrow<f8e5m2fnuz>(copysignf(wide(a), wide(b))); }

// Toward zero.
template <class T> struct Truncate;
template <> struct Truncate<f16> {
  static LS_FN f16 from(float x) { return f16_toward_zero<f16>(x); }
};
template <> struct Truncate<bf16> {
  static LS_FN bf16 from(float x) {
    return x != x ? bf16{0x7fff} : bf16{(unsigned short)(f32_bits(x) >> 16)};
  }
};
template <> struct Truncate<float> {
  static LS_FN float from(double x) { return __double2float_rz(x); }
  static LS_FN float from(float x) { return x; }
};
template <> struct Truncate<double> { static LS_FN double from(double x) { return x; } };
template <> struct Truncate<f8e4m3> {
  static LS_FN f8e4m3 from(float x) { return small_float<f8e4m3, SoftE4m3, true>(x); }
};
template <> struct Truncate<f8e5m2> {
  static LS_FN f8e5m2 from(float x) {
    const bool is_infinite_here = magnitude(x) == bits_f32(0x7f800000u);
    return is_infinite_here ? f8e5m2{(unsigned char)(x < 0 ? 0xfc : 0x7c)} : small_float<f8e5m2, SoftE5m2, true>(x);
  }
};
template <> struct Truncate<f8e4m3fnuz> {
  static LS_FN f8e4m3fnuz from(float x) { return small_float<f8e4m3fnuz, SoftE4m3Fnuz, true>(x); }
};
template <> struct Truncate<f8e5m2fnuz> {
  static LS_FN f8e5m2fnuz from(float x) { return small_float<f8e5m2fnuz, SoftE5m2Fnuz, true>(x); }
};
template <class T> LS_FN T toward_zero(float x) { return Truncate<T>::from(x); }
template <class T> LS_FN T toward_zero(double x) {
  return sizeof(T) >= 4 ? Truncate<T>::from(x) : Truncate<T>::from(__double2float_rz(x));
}

// What the instructions of a target do that rounding once would not (S-75, S-76).
LS_FN bf16 e5m2_to_bf16(f8e5m2 x) {
  const unsigned moved = (unsigned)(x.bits & 0x7f) << 21;
  return narrow<bf16>(bits_f32(f32_bits(bits_f32(moved) * 5192296858534827628530496329220096.0f) |
                               (unsigned)(x.bits & 0x80) << 24));
}
template <class T> LS_FN T through_f16(float x) { return narrow<T>(wide(f16_toward_zero<f16>(x))); }
LS_FN f8e5m2 f16_to_e5m2_by_bits(f16 x) {
  return f8e5m2{(unsigned char)(((x.bits & 0xfffeu) + 0x80u) >> 8)};
}
LS_FN f8e5m2 to_e5m2_by_bits(f16 x) { return f16_to_e5m2_by_bits(x); }
LS_FN f8e5m2 to_e5m2_by_bits(float x) { return f16_to_e5m2_by_bits(f16_toward_zero<f16>(x)); }
LS_FN f8e5m2 to_e5m2_by_bits(bf16 x) {
  const unsigned size = min(max((unsigned)(x.bits & 0x7fff), 0x3800u), 0x57e0u);
  return f8e5m2{(unsigned char)((((size + 0x10u - 0x3800u) << 3) >> 8) | ((unsigned)x.bits >> 15 << 7))};
}
