// Arithmetic: integers wrap, floats round once to their type. Approximations are those of Triton 3.6 on NVIDIA GPUs.
#define LS_WRAPPING(name, op)                                                                   \
  template <class T> LS_FN T name(T a, T b) { return (T)(as_unsigned(a) op as_unsigned(b)); }
LS_WRAPPING(add, +)
LS_WRAPPING(sub, -)
LS_WRAPPING(mul, *)
LS_FN bool add(bool a, bool b) { return a != b; }
LS_FN bool sub(bool a, bool b) { return a != b; }
LS_FN bool mul(bool a, bool b) { return a && b; }

// Counts of the width and above give what shifting bit by bit would; of 64 bits the low 32 count (S-21).
template <class T> LS_FN T shl(T a, T b) {
  const unsigned count = (unsigned)as_unsigned(b);
  return count < 8 * sizeof(T) ? (T)(as_unsigned(a) << count) : (T)0;
}
template <class T> LS_FN T shr_unsigned(T a, T b) {
  const unsigned count = (unsigned)as_unsigned(b);
  return count < 8 * sizeof(T) ? (T)(as_unsigned(a) >> count) : (T)0;
}
template <class T> LS_FN T shr_signed(T a, T b) {
  const unsigned most = 8 * sizeof(T) - 1, count = (unsigned)as_unsigned(b);
  return (T)(a >> (count < most ? count : most));
}

template <class T> LS_FN T div_signed(T a, T b) { return b == 0 ? (T)-1 : b == (T)-1 ? sub((T)0, a) : (T)(a / b); }
template <class T> LS_FN T rem_signed(T a, T b) { return b == 0 ? a : b == (T)-1 ? (T)0 : (T)(a % b); }
template <class T> LS_FN T div_unsigned(T a, T b) { return b == 0 ? (T)-1 : (T)(as_unsigned(a) / as_unsigned(b)); }
template <class T> LS_FN T rem_unsigned(T a, T b) { return b == 0 ? a : (T)(as_unsigned(a) % as_unsigned(b)); }
template <class T> LS_FN T floordiv(T a, T b) {
  const T q = div_signed(a, b);
  return b != 0 && rem_signed(a, b) != 0 && ((a < 0) != (b < 0)) ? (T)(q - 1) : q;
}
template <class T> LS_FN T ceildiv_signed(T a, T b) {
  const T q = div_signed(a, b);
  return b != 0 && rem_signed(a, b) != 0 && ((a < 0) == (b < 0)) ? (T)(q + 1) : q;
}
template <class T> LS_FN T ceildiv_unsigned(T a, T b) {
  const T q = div_unsigned(a, b);
  return b != 0 && rem_unsigned(a, b) != 0 ? (T)(q + 1) : q;
}
template <class T> LS_FN T min_signed(T a, T b) { return a < b ? a : b; }
template <class T> LS_FN T max_signed(T a, T b) { return a < b ? b : a; }
template <class T> LS_FN T min_unsigned(T a, T b) { return as_unsigned(a) < as_unsigned(b) ? a : b; }
template <class T> LS_FN T max_unsigned(T a, T b) { return as_unsigned(a) < as_unsigned(b) ? b : a; }
LS_FN int mulhi_unsigned(int a, int b) { return (int)__umulhi((unsigned)a, (unsigned)b); }
LS_FN long long mulhi_unsigned(long long a, long long b) {
  return (long long)__umul64hi((unsigned long long)a, (unsigned long long)b);
}

// ---- comparisons of floats -------------------------------------------------------------------------------------------
template <class T> LS_FN bool is_ordered(T a, T b) { return wide(a) == wide(a) && wide(b) == wide(b); }
template <class T> LS_FN bool differs(T a, T b) { return wide(a) < wide(b) || wide(a) > wide(b); }

// ---- arithmetic of floats --------------------------------------------------------------------------------------------
template <class T> LS_FN T fadd(T a, T b) { return narrow<T>(wide(a) + wide(b)); }
template <class T> LS_FN T fsub(T a, T b) { return narrow<T>(wide(a) - wide(b)); }
template <class T> LS_FN T fmul(T a, T b) { return narrow<T>(wide(a) * wide(b)); }
LS_FN float divide_full(float a, float b) {
  float y;
  asm("div.full.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
  return y;
}
LS_FN double divide_full(double a, double b) { return a / b; }
template <class T> LS_FN T fdiv(T a, T b) { return narrow<T>(divide_full(wide(a), wide(b))); }
LS_FN float remainder_of(float a, float b) { return fmodf(a, b); }
LS_FN double remainder_of(double a, double b) { return fmod(a, b); }
template <class T> LS_FN T frem(T a, T b) { return narrow<T>(remainder_of(wide(a), wide(b))); }
LS_FN float fneg(float x) { return -x; }
LS_FN double fneg(double x) { return -x; }
LS_FN f8e4m3fnuz fneg(f8e4m3fnuz x) { return f8e4m3fnuz{(unsigned char)((x.bits & 0x7f) != 0 ? x.bits ^ 0x80 : x.bits)}; }
LS_FN f8e5m2fnuz fneg(f8e5m2fnuz x) { return f8e5m2fnuz{(unsigned char)((x.bits & 0x7f) != 0 ? x.bits ^ 0x80 : x.bits)}; }
template <class T> LS_FN T fneg(T x) { return T{(decltype(x.bits))(x.bits ^ (1u << (8 * sizeof(T) - 1)))}; }
LS_FN float fabs_bits(float x) { return fabsf(x); }
LS_FN double fabs_bits(double x) { return fabs(x); }
// 0x80 alone is their NaN.
LS_FN f8e4m3fnuz fabs_bits(f8e4m3fnuz x) { return x.bits == 0x80 ? x : f8e4m3fnuz{(unsigned char)(x.bits & 0x7f)}; }
LS_FN f8e5m2fnuz fabs_bits(f8e5m2fnuz x) { return x.bits == 0x80 ? x : f8e5m2fnuz{(unsigned char)(x.bits & 0x7f)}; }
template <class T> LS_FN T fabs_bits(T x) { return T{(decltype(x.bits))(x.bits & ~(1u << (8 * sizeof(T) - 1)))}; }

LS_FN float max_number(float a, float b) { return fmaxf(a, b); }
LS_FN double max_number(double a, double b) { return fmax(a, b); }
LS_FN float min_number(float a, float b) { return fminf(a, b); }
LS_FN double min_number(double a, double b) { return fmin(a, b); }
LS_FN float max_any(float a, float b) {
  float y;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
  return y;
}
LS_FN float min_any(float a, float b) {
  float y;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
  return y;
}
LS_FN double max_any(double a, double b) { return a != a || b != b ? a + b : fmax(a, b); }
LS_FN double min_any(double a, double b) { return a != a || b != b ? a + b : fmin(a, b); }
template <class T> LS_FN T fmax_number(T a, T b) { return narrow<T>(max_number(wide(a), wide(b))); }
template <class T> LS_FN T fmin_number(T a, T b) { return narrow<T>(min_number(wide(a), wide(b))); }
template <class T> LS_FN T fmax_any(T a, T b) { return narrow<T>(max_any(wide(a), wide(b))); }
template <class T> LS_FN T fmin_any(T a, T b) { return narrow<T>(min_any(wide(a), wide(b))); }
template <class T> LS_FN T clamp_number(T x, T low, T high) { return fmin_number(fmax_number(x, low), high); }
// By magnitude, as Triton does between -y and y (S-77).
LS_FN float clamp_by_magnitude(float x, float y) {
  return bits_f32(f32_bits(fminf(fabsf(x), fabsf(y))) | ((f32_bits(x) ^ f32_bits(y)) & 0x80000000u));
}
LS_FN f16 clamp_by_magnitude(f16 x, f16 y) {  // the sign of a NaN is lost in f32
  const float size = fminf(fabsf(wide(x)), fabsf(wide(y)));
  return f16{(unsigned short)(narrow<f16>(size).bits | ((x.bits ^ y.bits) & 0x8000))};
}
template <class T> LS_FN T clamp_any(T x, T low, T high) { return fmin_any(fmax_any(x, low), high); }

LS_FN float fused(float a, float b, float c) { return fmaf(a, b, c); }
LS_FN double fused(double a, double b, double c) { return fma(a, b, c); }
template <class T> LS_FN T ffma(T a, T b, T c) { return narrow<T>(fused(wide(a), wide(b), wide(c))); }
LS_FN f16 ffma(f16 a, f16 b, f16 c) {
  f16 y;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(y.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return y;
}
LS_FN bf16 ffma(bf16 a, bf16 b, bf16 c) {
  bf16 y;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(y.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return y;
}

// ---- elementary functions --------------------------------------------------------------------------------------------
#define LS_APPROXIMATE(name, instruction)                     \
  LS_FN float name(float x) {                                 \
    float y;                                                  \
    asm(instruction " %0, %1;" : "=f"(y) : "f"(x));           \
    return y;                                                 \
  }
LS_APPROXIMATE(exp2_of, "ex2.approx.ftz.f32")
LS_APPROXIMATE(sqrt_of, "sqrt.approx.ftz.f32")
LS_APPROXIMATE(rsqrt_of, "rsqrt.approx.ftz.f32")
LS_FN double exp2_of(double x) { return exp2(x); }
LS_FN double sqrt_of(double x) { return sqrt(x); }
LS_FN double rsqrt_of(double x) { return rsqrt(x); }
LS_FN float exp_of(float x) { return exp2_of(x * 1.4426950408889634f); }
LS_FN double exp_of(double x) { return exp(x); }
LS_FN float precise_sqrt_of(float x) { return __fsqrt_rn(x); }
LS_FN double precise_sqrt_of(double x) { return sqrt(x); }
LS_FN float precise_divide(float a, float b) { return __fdiv_rn(a, b); }
LS_FN double precise_divide(double a, double b) { return a / b; }

#define LS_FUNCTION(name, function)                           \
  LS_FN float name(float x) { return function##f(x); }        \
  LS_FN double name(double x) { return function(x); }
LS_FUNCTION(log_of, log) LS_FUNCTION(log2_of, log2) LS_FUNCTION(log10_of, log10) LS_FUNCTION(log1p_of, log1p)
LS_FUNCTION(expm1_of, expm1) LS_FUNCTION(sin_of, sin) LS_FUNCTION(cos_of, cos) LS_FUNCTION(tan_of, tan)
LS_FUNCTION(sinh_of, sinh) LS_FUNCTION(cosh_of, cosh) LS_FUNCTION(tanh_of, tanh) LS_FUNCTION(asin_of, asin)
LS_FUNCTION(acos_of, acos) LS_FUNCTION(atan_of, atan) LS_FUNCTION(asinh_of, asinh) LS_FUNCTION(acosh_of, acosh)
LS_FUNCTION(atanh_of, atanh) LS_FUNCTION(erf_of, erf) LS_FUNCTION(erfc_of, erfc) LS_FUNCTION(cbrt_of, cbrt)
LS_FUNCTION(ceil_of, ceil) LS_FUNCTION(floor_of, floor) LS_FUNCTION(trunc_of, trunc) LS_FUNCTION(round_of, round)
LS_FUNCTION(roundeven_of, rint)
#define LS_FUNCTION2(name, function)                                     \
  LS_FN float name(float x, float y) { return function##f(x, y); }       \
  LS_FN double name(double x, double y) { return function(x, y); }
LS_FUNCTION2(atan2_of, atan2) LS_FUNCTION2(pow_of, pow)
LS_FN float copy_sign(float a, float b) { return copysignf(a, b); }
LS_FN double copy_sign(double a, double b) { return copysign(a, b); }
template <class T> LS_FN T copy_sign(T a, T b) {
  constexpr unsigned kSign = 1u << (8 * sizeof(T) - 1);
  return T{(decltype(a.bits))((a.bits & ~kSign) | (b.bits & kSign))};
}

// ---- conversions -----------------------------------------------------------------------------------------------------
template <class T> LS_FN T from_signed(long long x) { return narrow<T>((double)x); }
template <> LS_FN float from_signed<float>(long long x) { return (float)x; }
template <> LS_FN f16 from_signed<f16>(long long x) { return narrow<f16>((float)x); }
template <> LS_FN bf16 from_signed<bf16>(long long x) { return narrow<bf16>(to_odd(x)); }
template <class T> LS_FN T from_unsigned(unsigned long long x) { return narrow<T>((double)x); }
template <> LS_FN float from_unsigned<float>(unsigned long long x) { return (float)x; }
template <> LS_FN f16 from_unsigned<f16>(unsigned long long x) { return narrow<f16>((float)x); }
template <> LS_FN bf16 from_unsigned<bf16>(unsigned long long x) { return narrow<bf16>(to_odd(x)); }
// To integers: the instruction of the result's width, which saturates; 8 bits are the low ones of 16 (S-85).
template <class T> struct FromFloat;
#define LS_CONVERT(name, Source, suffix, letter, Register, place)                  \
  static LS_FN Register name(Source x) {                                           \
    Register y;                                                                    \
    asm("cvt.rzi." suffix " %0, %1;" : place(y) : letter(x));                      \
    return y;                                                                      \
  }
#define LS_FROM_FLOAT(T, Register, width, place)                                   \
  template <> struct FromFloat<T> {                                                \
    LS_CONVERT(to_signed, float, "s" width ".f32", "f", Register, place)           \
    LS_CONVERT(to_signed, double, "s" width ".f64", "d", Register, place)          \
    LS_CONVERT(to_unsigned, float, "u" width ".f32", "f", Register, place)         \
    LS_CONVERT(to_unsigned, double, "u" width ".f64", "d", Register, place)        \
  };
LS_FROM_FLOAT(signed char, short, "16", "=h")
LS_FROM_FLOAT(short, short, "16", "=h")
LS_FROM_FLOAT(int, int, "32", "=r")
LS_FROM_FLOAT(long long, long long, "64", "=l")
template <class T, class U> LS_FN T to_signed(U x) { return (T)FromFloat<T>::to_signed(wide(x)); }
template <> LS_FN bool to_signed<bool, float>(float x) { return (int)x != 0; }
template <class T, class U> LS_FN T to_unsigned(U x) { return (T)FromFloat<T>::to_unsigned(wide(x)); }
template <> LS_FN bool to_unsigned<bool, float>(float x) { return (int)x != 0; }
template <class T, class U> LS_FN T sign_extended(U x) { return (T)x; }
template <> LS_FN signed char sign_extended<signed char, bool>(bool x) { return x ? -1 : 0; }
template <> LS_FN short sign_extended<short, bool>(bool x) { return x ? -1 : 0; }
template <> LS_FN int sign_extended<int, bool>(bool x) { return x ? -1 : 0; }
template <> LS_FN long long sign_extended<long long, bool>(bool x) { return x ? -1 : 0; }
template <class T, class U> LS_FN T truncated(U x) { return (T)x; }
template <> LS_FN bool truncated<bool, signed char>(signed char x) { return (x & 1) != 0; }
template <> LS_FN bool truncated<bool, short>(short x) { return (x & 1) != 0; }
template <> LS_FN bool truncated<bool, int>(int x) { return (x & 1) != 0; }
template <> LS_FN bool truncated<bool, long long>(long long x) { return (x & 1) != 0; }
