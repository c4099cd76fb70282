// Elementwise float arithmetic. Compiled once per instruction set. f32 and f64 are plain loops; f16, bf16 and f8 run in
// strips of f32 and round once, or in registers (isa_small_lanes.h). Minima and maxima follow PTX (min, max, min.NaN, max.NaN): -0 is less than +0.
#include "interpreter/kernels/isa/isa_float_ops.h"
#include "interpreter/kernels/isa/isa_round_to_odd.h"
#include "interpreter/kernels/isa/isa_small_lanes.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

struct Negate {
  template <class T>
  static T apply(T a) {
    return -a;
  }
};
struct Absolute {
  static float apply(float a) { return __builtin_fabsf(a); }
  static double apply(double a) { return __builtin_fabs(a); }
};
struct Ceil {
  static float apply(float a) { return __builtin_ceilf(a); }
  static double apply(double a) { return __builtin_ceil(a); }
};
struct Floor {
  static float apply(float a) { return __builtin_floorf(a); }
  static double apply(double a) { return __builtin_floor(a); }
};
struct SquareRoot {
  static float apply(float a) { return settled(__builtin_sqrtf(a), a, a); }
  static double apply(double a) { return settled(__builtin_sqrt(a), a, a); }
};
struct ReciprocalRoot {
  static float apply(float a) { return settled(1.0f / __builtin_sqrtf(a), a, a); }
  static double apply(double a) { return settled(1.0 / __builtin_sqrt(a), a, a); }
};

struct Fma {
  static float apply(float a, float b, float c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return canonical(__builtin_fmaf(a, b, c));
#else
    return canonical(
        static_cast<float>(sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c))));
#endif
  }
  static double apply(double a, double b, double c) { return canonical(__builtin_fma(a, b, c)); }
};
/// For operands of a small kind: the result must be rounded once more, to that kind.
struct FmaToOdd {
  static float apply(float a, float b, float c) {
    return canonical(
        narrow_to_odd(sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c))));
  }
};
/// The same of kinds whose products f32 holds exactly: f16 and f8, but not bf16.
struct FmaOfExactProducts {
  static float apply(float a, float b, float c) { return canonical(sum_to_odd(a * b, c)); }
};
struct ClampNumber {
  template <class T>
  static T apply(T x, T low, T high) {
    return MinNumber::apply(MaxNumber::apply(x, low), high);
  }
};
struct ClampNan {
  template <class T>
  static T apply(T x, T low, T high) {
    return Minimum::apply(Maximum::apply(x, low), high);
  }
};
struct ClampSymmetric {
  template <class T>
  static T apply(T x, T, T high) {
    constexpr Bits<T> kSign = Bits<T>{1} << (8 * sizeof(T) - 1);
    const Bits<T> sign = (bits_as<Bits<T>>(x) ^ bits_as<Bits<T>>(high)) & kSign;
    const T magnitude = MinNumber::apply(Absolute::apply(x), Absolute::apply(high));
    return bits_as<T>((bits_as<Bits<T>>(magnitude) & ~kSign) | sign);
  }
};

template <class Op, class T>
void ternary_loop(void* out, const void* a, const void* b, const void* c, Index n, int a_step, int b_step, int c_step) {
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(b);
  const T* z = static_cast<const T*>(c);
  T* r = static_cast<T*>(out);
  if (a_step != 0 && b_step == 0 && c_step == 0) {
    const T uniform_b = *y, uniform_c = *z;
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) r[i] = Op::apply(x[i], uniform_b, uniform_c);
    return;
  }
  if (a_step != 0 && b_step != 0 && c_step != 0) {
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) r[i] = Op::apply(x[i], y[i], z[i]);
    return;
  }
  // Other mixtures: the uniform operands are spread over a strip once.
  T spread[3][kStrip];
  const T* in[3] = {x, y, z};
  const int steps[3] = {a_step, b_step, c_step};
  for (int j = 0; j < 3; ++j)
    if (steps[j] == 0)
      for (Index i = 0; i < (n < kStrip ? n : kStrip); ++i) spread[j][i] = *in[j];
  for (Index begin = 0; begin < n; begin += kStrip) {
    const Index count = n - begin < kStrip ? n - begin : kStrip;
    const T* p = a_step != 0 ? x + begin : spread[0];
    const T* q = b_step != 0 ? y + begin : spread[1];
    const T* s = c_step != 0 ? z + begin : spread[2];
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < count; ++i) r[begin + i] = Op::apply(p[i], q[i], s[i]);
  }
}

template <class T>
bool all_are_zero(const T* x, Index n) {  // +0
  Bits<T> any = 0;
  for (Index i = 0; i < n; ++i) any |= bits_as<Bits<T>>(x[i]);
  return any == 0;
}

#if defined(__AVX512F__)
#define LOCKSTEP_DIVIDES_BY_FACTOR 1
/// x / divisor of whole registers without the processor's division, which takes longer: the quotient by the reciprocal
/// in two parts is one of the two floats around x / divisor, and its exact remainder says which (Markstein's
/// theorem). Registers with an element or quotient near the ends of the range are divided.
class ByOne {
 public:
  explicit ByOne(float divisor) : divisor_(divisor), factor_(1.0f / divisor) {
    rest_ = __builtin_fmaf(-divisor, factor_, 1.0f) * factor_;
  }
  static bool is_fit(float divisor) {
    const float magnitude = __builtin_fabsf(divisor);
    return magnitude >= 0x1p-40f && magnitude <= 0x1p40f;
  }
  static constexpr Index kCount = 16;
  void divide(float* r, const float* x) const {
    const __m512 whole = _mm512_loadu_ps(x), d = _mm512_set1_ps(divisor_), f = _mm512_set1_ps(factor_);
    const __m512i magnitude = _mm512_and_epi32(bits_as<__m512i>(whole), _mm512_set1_epi32(0x7fffffff));
    const __m512i above = _mm512_sub_epi32(magnitude, _mm512_set1_epi32(kLeast));
    __m512 q;
    if (_mm512_cmple_epu32_mask(above, _mm512_set1_epi32(kLargest - kLeast)) == 0xffff) [[likely]] {
      q = _mm512_fmadd_ps(whole, f, _mm512_mul_ps(whole, _mm512_set1_ps(rest_)));
      q = _mm512_fmadd_ps(_mm512_fnmadd_ps(q, d, whole), f, q);
    } else {
      q = _mm512_div_ps(whole, d);
    }
    _mm512_storeu_ps(r, q);
  }

 private:
  static constexpr std::int32_t kLeast = (127 - 60) << 23, kLargest = (127 + 60) << 23;  // bits of 2^-60 and 2^60
  float divisor_, factor_, rest_;
};
#endif

/// By one number.
template <class T>
void divide_by_one(T* r, const T* x, const T* divisor, Index n) {
  Index begin = 0;
#ifdef LOCKSTEP_DIVIDES_BY_FACTOR
  if constexpr (sizeof(T) == 4) {
    if (n >= 4 * ByOne::kCount && ByOne::is_fit(*divisor)) {
      const ByOne by(*divisor);
      for (; begin + ByOne::kCount <= n; begin += ByOne::kCount) by.divide(r + begin, x + begin);
    }
  }
#endif
  if (begin < n) binary_loop<Div, T>(r + begin, x + begin, divisor, n - begin, 1, 0);
}

/// By one positive number, as softmax divides: runs of +0 where a mask cuts the block are copied, because the processor
/// takes long for a division.
template <class T>
void divide(void* out, const void* a, const void* b, Index n, int a_step, int b_step) {
  constexpr Index kRun = 64;
  const T* x = static_cast<const T*>(a);
  T* r = static_cast<T*>(out);
  if (a_step == 0 || b_step != 0) return binary_loop<Div, T>(out, a, b, n, a_step, b_step);
  const T divisor = *static_cast<const T*>(b);
  Index begin = 0;
  for (Index i = 0; divisor > T{0} && i + kRun <= n; i += kRun) {
    if (!all_are_zero(x + i, 1) || !all_are_zero(x + i, kRun)) continue;
    if (i > begin) divide_by_one<T>(r + begin, x + begin, &divisor, i - begin);
    for (Index j = i; j < i + kRun; ++j) r[j] = T{0};
    begin = i + kRun;
  }
  if (begin < n) divide_by_one<T>(r + begin, x + begin, &divisor, n - begin);
}

template <class T>
BinaryFn find_real_binary(Binary op) {
  switch (op) {
    case Binary::addf: return binary_loop<AddFloat, T>;
    case Binary::subf: return binary_loop<SubFloat, T>;
    case Binary::mulf: return binary_loop<MulFloat, T>;
    case Binary::divf: return divide<T>;
    case Binary::remf: return binary_loop<Rem, T>;
    case Binary::minnumf: return binary_loop<MinNumber, T>;
    case Binary::maxnumf: return binary_loop<MaxNumber, T>;
    case Binary::minimumf: return binary_loop<Minimum, T>;
    case Binary::maximumf: return binary_loop<Maximum, T>;
    default: return nullptr;
  }
}

template <class T, Kind kind>
UnaryFn find_real_unary(Unary op) {
  switch (op) {
    case Unary::absi: return nullptr;
    case Unary::absf: return unary_loop<Absolute, T>;
    case Unary::negf: return unary_loop<Negate, T>;
    case Unary::ceil: return unary_loop<Ceil, T>;
    case Unary::floor: return unary_loop<Floor, T>;
    case Unary::sqrt: return unary_loop<SquareRoot, T>;
    case Unary::rsqrt: return unary_loop<ReciprocalRoot, T>;
    default: return find_math(op, kind);
  }
}

template <class T>
TernaryFn find_real_ternary(Ternary op) {
  switch (op) {
    case Ternary::fma: return ternary_loop<Fma, T>;
    case Ternary::clampf_none: return ternary_loop<ClampNumber, T>;
    case Ternary::clampf_all: return ternary_loop<ClampNan, T>;
    case Ternary::clampf_symmetric: return ternary_loop<ClampSymmetric, T>;
    default: return nullptr;
  }
}

template <Kind kind, Unary op>
void small_unary(void* out, const void* a, Index n) {
  const ConvertFn widen = find_convert(kind, Kind::f32, Conversion::signed_);
  const ConvertFn narrow = find_convert(Kind::f32, kind, Conversion::signed_);
  const UnaryFn apply = find_real_unary<float, Kind::f32>(op);
  alignas(64) float strip[kStrip];
  for (Index begin = 0; begin < n; begin += kStrip) {
    const Index count = n - begin < kStrip ? n - begin : kStrip;
    widen(strip, static_cast<const char*>(a) + begin * bytes_of(kind), count);
    apply(strip, strip, count);
    narrow(static_cast<char*>(out) + begin * bytes_of(kind), strip, count);
  }
}

template <Kind kind, Binary op>
void small_binary(void* out, const void* a, const void* b, Index n, int a_step, int b_step) {
  SmallFloatStrips<2> strips;  // not cleared: that would cost more than short rows do
  strips.widen = find_convert(kind, Kind::f32, Conversion::signed_);
  strips.in[0] = static_cast<const char*>(a);
  strips.in[1] = static_cast<const char*>(b);
  const int steps[2] = {a_step, b_step};
  strips.load_uniforms(steps, bytes_of(kind), n);
  const ConvertFn narrow = find_convert(Kind::f32, kind, Conversion::signed_);
  const BinaryFn apply = find_real_binary<float>(op);
  alignas(64) float result[kStrip];
  for (Index begin = 0; begin < n; begin += kStrip) {
    const Index count = n - begin < kStrip ? n - begin : kStrip;
    strips.load(begin, count);
    apply(result, strips.strip[0], strips.strip[1], count, 1, 1);
    narrow(static_cast<char*>(out) + begin * bytes_of(kind), result, count);
  }
}

template <Kind kind, Ternary op>
void small_ternary(void* out, const void* a, const void* b, const void* c, Index n, int a_step, int b_step,
                   int c_step) {
  SmallFloatStrips<3> strips;
  strips.widen = find_convert(kind, Kind::f32, Conversion::signed_);
  strips.in[0] = static_cast<const char*>(a);
  strips.in[1] = static_cast<const char*>(b);
  strips.in[2] = static_cast<const char*>(c);
  const int steps[3] = {a_step, b_step, c_step};
  strips.load_uniforms(steps, bytes_of(kind), n);
  const ConvertFn narrow = find_convert(Kind::f32, kind, Conversion::signed_);
  constexpr TernaryFn kFma =
      kind == Kind::bf16 ? ternary_loop<FmaToOdd, float> : ternary_loop<FmaOfExactProducts, float>;
  const TernaryFn apply = op == Ternary::fma ? kFma : find_real_ternary<float>(op);
  alignas(64) float result[kStrip];
  for (Index begin = 0; begin < n; begin += kStrip) {
    const Index count = n - begin < kStrip ? n - begin : kStrip;
    strips.load(begin, count);
    apply(result, strips.strip[0], strips.strip[1], strips.strip[2], count, 1, 1, 1);
    narrow(static_cast<char*>(out) + begin * bytes_of(kind), result, count);
  }
}

struct FlipSign {
  static std::uint16_t apply(std::uint16_t a) { return a ^ 0x8000u; }
  static std::uint8_t apply(std::uint8_t a) { return a ^ 0x80u; }
};
struct ClearSign {
  static std::uint16_t apply(std::uint16_t a) { return a & 0x7fffu; }
  static std::uint8_t apply(std::uint8_t a) { return a & 0x7fu; }
};

template <Kind kind>
UnaryFn find_small_unary(Unary op) {
  constexpr bool kHasNegativeZero = kind != Kind::f8E4M3FNUZ && kind != Kind::f8E5M2FNUZ;
  if constexpr (kHasNegativeZero) {
    constexpr bool kIsByte = bytes_of(kind) == 1;
    if (op == Unary::negf) return kIsByte ? unary_loop<FlipSign, std::uint8_t> : unary_loop<FlipSign, std::uint16_t>;
    if (op == Unary::absf) return kIsByte ? unary_loop<ClearSign, std::uint8_t> : unary_loop<ClearSign, std::uint16_t>;
  }
  constexpr UnaryFn kTable[] = {nullptr,
                                small_unary<kind, Unary::absf>,
                                small_unary<kind, Unary::negf>,
                                small_unary<kind, Unary::ceil>,
                                small_unary<kind, Unary::floor>,
                                small_unary<kind, Unary::sqrt>,
                                small_unary<kind, Unary::rsqrt>,
                                small_unary<kind, Unary::exp>,
                                small_unary<kind, Unary::exp2>,
                                small_unary<kind, Unary::log>,
                                small_unary<kind, Unary::log2>,
                                small_unary<kind, Unary::sin>,
                                small_unary<kind, Unary::cos>,
                                small_unary<kind, Unary::tan>,
                                small_unary<kind, Unary::tanh>,
                                small_unary<kind, Unary::erf>};
  return kTable[static_cast<int>(op)];
}

/// What registers of f16 or bf16 compute without strips. Null: they do not.
template <Kind kind>
BinaryFn find_binary_lanes([[maybe_unused]] Binary op) {
#ifdef LOCKSTEP_SMALL_LANES
  if constexpr (kHasSmallLanes<kind>) {
    switch (op) {
      case Binary::addf: return small_binary_lanes<kind, AddFloat>;
      case Binary::subf: return small_binary_lanes<kind, SubFloat>;
      case Binary::mulf: return small_binary_lanes<kind, MulFloat>;
      case Binary::divf: return small_binary_lanes<kind, Div>;
      case Binary::minnumf: return small_binary_lanes<kind, MinNumber>;
      case Binary::maxnumf: return small_binary_lanes<kind, MaxNumber>;
      case Binary::minimumf: return small_binary_lanes<kind, Minimum>;
      case Binary::maximumf: return small_binary_lanes<kind, Maximum>;
      default: return nullptr;
    }
  }
#endif
  return nullptr;
}

template <Kind kind>
BinaryFn find_small_binary(Binary op) {
  if (const BinaryFn in_registers = find_binary_lanes<kind>(op); in_registers != nullptr) return in_registers;
  switch (op) {
    case Binary::addf: return small_binary<kind, Binary::addf>;
    case Binary::subf: return small_binary<kind, Binary::subf>;
    case Binary::mulf: return small_binary<kind, Binary::mulf>;
    case Binary::divf: return small_binary<kind, Binary::divf>;
    case Binary::remf: return small_binary<kind, Binary::remf>;
    case Binary::minnumf: return small_binary<kind, Binary::minnumf>;
    case Binary::maxnumf: return small_binary<kind, Binary::maxnumf>;
    case Binary::minimumf: return small_binary<kind, Binary::minimumf>;
    case Binary::maximumf: return small_binary<kind, Binary::maximumf>;
    default: return nullptr;
  }
}

template <Kind kind>
TernaryFn find_small_ternary(Ternary op) {
#ifdef LOCKSTEP_SMALL_LANES
  if constexpr (kHasFmaLanes<kind>) {
    if (op == Ternary::fma) return small_fma_lanes<kind>;
  }
#endif
  switch (op) {
    case Ternary::fma: return small_ternary<kind, Ternary::fma>;
    case Ternary::clampf_none: return small_ternary<kind, Ternary::clampf_none>;
    case Ternary::clampf_all: return small_ternary<kind, Ternary::clampf_all>;
    case Ternary::clampf_symmetric: return small_ternary<kind, Ternary::clampf_symmetric>;
    default: return nullptr;
  }
}

}  // namespace

BinaryFn find_float_binary(Binary op, Kind kind) {
  switch (kind) {
    case Kind::f8E4M3FN: return find_small_binary<Kind::f8E4M3FN>(op);
    case Kind::f8E5M2: return find_small_binary<Kind::f8E5M2>(op);
    case Kind::f8E4M3FNUZ: return find_small_binary<Kind::f8E4M3FNUZ>(op);
    case Kind::f8E5M2FNUZ: return find_small_binary<Kind::f8E5M2FNUZ>(op);
    case Kind::f16: return find_small_binary<Kind::f16>(op);
    case Kind::bf16: return find_small_binary<Kind::bf16>(op);
    case Kind::f32: return find_real_binary<float>(op);
    case Kind::f64: return find_real_binary<double>(op);
    default: return nullptr;
  }
}

UnaryFn find_float_unary(Unary op, Kind kind) {
  switch (kind) {
    case Kind::f8E4M3FN: return find_small_unary<Kind::f8E4M3FN>(op);
    case Kind::f8E5M2: return find_small_unary<Kind::f8E5M2>(op);
    case Kind::f8E4M3FNUZ: return find_small_unary<Kind::f8E4M3FNUZ>(op);
    case Kind::f8E5M2FNUZ: return find_small_unary<Kind::f8E5M2FNUZ>(op);
    case Kind::f16: return find_small_unary<Kind::f16>(op);
    case Kind::bf16: return find_small_unary<Kind::bf16>(op);
    case Kind::f32: return find_real_unary<float, Kind::f32>(op);
    case Kind::f64: return find_real_unary<double, Kind::f64>(op);
    default: return nullptr;
  }
}

TernaryFn find_float_ternary(Ternary op, Kind kind) {
  switch (kind) {
    case Kind::f8E4M3FN: return find_small_ternary<Kind::f8E4M3FN>(op);
    case Kind::f8E5M2: return find_small_ternary<Kind::f8E5M2>(op);
    case Kind::f8E4M3FNUZ: return find_small_ternary<Kind::f8E4M3FNUZ>(op);
    case Kind::f8E5M2FNUZ: return find_small_ternary<Kind::f8E5M2FNUZ>(op);
    case Kind::f16: return find_small_ternary<Kind::f16>(op);
    case Kind::bf16: return find_small_ternary<Kind::bf16>(op);
    case Kind::f32: return find_real_ternary<float>(op);
    case Kind::f64: return find_real_ternary<double>(op);
    default: return nullptr;
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
