// The loops of elementwise math ops that have no vector kernel, each around one scalar function from the op's row:
// kRealLoops<cbrt_fast, cbrt_f64>. Invariant: the bytes do not depend on the instruction set, because nothing here is
// compiled per instruction set. f16, bf16 and f8 compute in f64 and round once.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "interpreter/evaluators/elementwise.h"
#include "interpreter/evaluators/loops.h"
#include "interpreter/libdevice/elementary.h"
#include "interpreter/libdevice/rows.h"

namespace lockstep::interpreter {

using UnaryReal = double (*)(double);
using BinaryReal = double (*)(double, double);

namespace math_loops {

inline constexpr std::int64_t kStrip = 256;

/// f64 -> f32 rounded to odd, so that one more rounding to a narrower type is correct.
inline float narrow_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double back = static_cast<double>(nearest);
  if (back == value || std::isnan(value)) return nearest;
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  return std::bit_cast<float>((std::fabs(back) > std::fabs(value) ? bits - 1 : bits) | 1u);
}

/// Elements of a small float kind as f32, strip by strip; a step of 0 repeats the first one.
struct SmallOperand {
  ScalarKind kind;
  const char* data;
  int step = 1;
  float strip[kStrip] = {};

  void load(std::int64_t begin, std::int64_t count) {
    const auto widen = kernels::convert(kind, ScalarKind::f32);
    if (step != 0) return widen(strip, data + begin * size_bytes(kind), count);
    widen(strip, data, 1);
    for (std::int64_t i = 1; i < count; ++i) strip[i] = strip[0];
  }
};

template <class Body>
void in_strips(std::int64_t n, Body body) {
  for (std::int64_t begin = 0; begin < n; begin += kStrip) body(begin, std::min(kStrip, n - begin));
}

inline void store_small(ScalarKind kind, void* out, std::int64_t begin, const float* strip, std::int64_t count) {
  kernels::convert(ScalarKind::f32, kind)(static_cast<char*>(out) + begin * size_bytes(kind), strip, count);
}

template <ScalarKind kind, UnaryReal function>
void small_unary(void* out, const void* a, std::int64_t n) {
  SmallOperand x{kind, static_cast<const char*>(a)};
  in_strips(n, [&](std::int64_t begin, std::int64_t count) {
    x.load(begin, count);
    for (std::int64_t i = 0; i < count; ++i)
      x.strip[i] = narrow_to_odd(libdevice::call_settled<function>(static_cast<double>(x.strip[i])));
    store_small(kind, out, begin, x.strip, count);
  });
}

template <ScalarKind kind, BinaryReal function>
void small_binary(void* out, const void* a, const void* b, std::int64_t n, int a_step, int b_step) {
  SmallOperand x{kind, static_cast<const char*>(a), a_step}, y{kind, static_cast<const char*>(b), b_step};
  float strip[kStrip];
  in_strips(n, [&](std::int64_t begin, std::int64_t count) {
    x.load(begin, count);
    y.load(begin, count);
    for (std::int64_t i = 0; i < count; ++i)
      strip[i] = narrow_to_odd(
          libdevice::call_settled<function>(static_cast<double>(x.strip[i]), static_cast<double>(y.strip[i])));
    store_small(kind, out, begin, strip, count);
  });
}

template <ScalarKind kind>
void small_power(void* out, const void* a, const void* b, std::int64_t n, int a_step, int b_step) {
  SmallOperand x{kind, static_cast<const char*>(a), a_step};
  in_strips(n, [&](std::int64_t begin, std::int64_t count) {
    x.load(begin, count);
    for (std::int64_t i = 0; i < count; ++i) {
      const int exponent = libdevice::element<int>(b, (begin + i) * b_step);
      x.strip[i] =
          narrow_to_odd(libdevice::call_settled<libdevice::powi_f64>(static_cast<double>(x.strip[i]), exponent));
    }
    store_small(kind, out, begin, x.strip, count);
  });
}

// ---- one function in every float type ----

#define LOCKSTEP_SMALL_KINDS(make)                                  \
  case ScalarKind::f8E4M3FN: return make(ScalarKind::f8E4M3FN);     \
  case ScalarKind::f8E5M2: return make(ScalarKind::f8E5M2);         \
  case ScalarKind::f8E4M3FNUZ: return make(ScalarKind::f8E4M3FNUZ); \
  case ScalarKind::f8E5M2FNUZ: return make(ScalarKind::f8E5M2FNUZ); \
  case ScalarKind::f16: return make(ScalarKind::f16);               \
  case ScalarKind::bf16: return make(ScalarKind::bf16);

template <UnaryReal fast, UnaryReal full>
kernels::UnaryFn real_unary(ScalarKind kind) {
#define LOCKSTEP_MAKE(small) small_unary<small, fast>
  switch (kind) {
    LOCKSTEP_SMALL_KINDS(LOCKSTEP_MAKE)
    case ScalarKind::f32:
      return libdevice::Loops<static_cast<float (*)(float)>(libdevice::single<fast>), float, float>::run;
    case ScalarKind::f64: return libdevice::Loops<full, double, double>::run;
    default: return nullptr;
  }
#undef LOCKSTEP_MAKE
}

template <BinaryReal function>
kernels::BinaryFn real_binary(ScalarKind kind) {
#define LOCKSTEP_MAKE(small) small_binary<small, function>
  switch (kind) {
    LOCKSTEP_SMALL_KINDS(LOCKSTEP_MAKE)
    case ScalarKind::f32:
      return libdevice::Loops<static_cast<float (*)(float, float)>(libdevice::single<function>), float, float,
                              float>::run;
    case ScalarKind::f64: return libdevice::Loops<function, double, double, double>::run;
    default: return nullptr;
  }
#undef LOCKSTEP_MAKE
}

template <class T, class N>
T power(T x, N n) {
  return static_cast<T>(libdevice::pow_f64(static_cast<double>(x), static_cast<double>(n)));
}
template <class T>
kernels::BinaryFn wide_power(ScalarKind exponent) {
  switch (exponent) {
    case ScalarKind::i8: return libdevice::Loops<power<T, std::int8_t>, T, T, std::int8_t>::run;
    case ScalarKind::i16: return libdevice::Loops<power<T, std::int16_t>, T, T, std::int16_t>::run;
    case ScalarKind::i32: return libdevice::Loops<power<T, std::int32_t>, T, T, std::int32_t>::run;
    default: return nullptr;
  }
}
inline kernels::BinaryFn real_power(ScalarKind kind, ScalarKind exponent) {
  if (kind == ScalarKind::f32) return wide_power<float>(exponent);
  if (kind == ScalarKind::f64) return wide_power<double>(exponent);
  if (exponent != ScalarKind::i32) return nullptr;
#define LOCKSTEP_MAKE(small) small_power<small>
  switch (kind) {
    LOCKSTEP_SMALL_KINDS(LOCKSTEP_MAKE)
    default: return nullptr;
  }
#undef LOCKSTEP_MAKE
}
#undef LOCKSTEP_SMALL_KINDS

// ---- integers ----

/// As in S-20 for negative exponents: 1 / lhs^-rhs, so that 0 gives all ones.
template <class T>
T integer_power(T base, T exponent) {
  using Unsigned = std::make_unsigned_t<T>;
  if (exponent < 0) {
    if (base == 0) return T{-1};
    if (base == 1) return T{1};
    return base == T{-1} ? static_cast<T>((exponent & 1) != 0 ? -1 : 1) : T{0};
  }
  std::uint64_t result = 1, square = static_cast<Unsigned>(base);
  for (auto n = static_cast<Unsigned>(exponent); n != 0; n = static_cast<Unsigned>(n >> 1)) {
    if ((n & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<T>(static_cast<Unsigned>(result));
}

template <class T>
constexpr kernels::BinaryFn kIntegerPower = libdevice::Loops<integer_power<T>, T, T, T>::run;
inline kernels::BinaryFn integer_power_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::i8: return kIntegerPower<std::int8_t>;
    case ScalarKind::i16: return kIntegerPower<std::int16_t>;
    case ScalarKind::i32: return kIntegerPower<std::int32_t>;
    case ScalarKind::i64: return kIntegerPower<std::int64_t>;
    default: return nullptr;
  }
}

/// Counts of bits: one function of each unsigned type and of one bit.
struct LeadingZeros {
  template <class T>
  static T of(T x) {
    return static_cast<T>(std::countl_zero(x));
  }
  static bool of_bit(bool x) { return !x; }
};
struct TrailingZeros {
  template <class T>
  static T of(T x) {
    return static_cast<T>(std::countr_zero(x));
  }
  static bool of_bit(bool x) { return !x; }
};
struct OneBits {
  template <class T>
  static T of(T x) {
    return static_cast<T>(std::popcount(x));
  }
  static bool of_bit(bool x) { return x; }
};

template <class Count>
kernels::UnaryFn bit_count(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::i1: return libdevice::Loops<Count::of_bit, bool, bool>::run;
    case ScalarKind::i8: return libdevice::Loops<Count::template of<std::uint8_t>, std::uint8_t, std::uint8_t>::run;
    case ScalarKind::i16: return libdevice::Loops<Count::template of<std::uint16_t>, std::uint16_t, std::uint16_t>::run;
    case ScalarKind::i32: return libdevice::Loops<Count::template of<std::uint32_t>, std::uint32_t, std::uint32_t>::run;
    case ScalarKind::i64: return libdevice::Loops<Count::template of<std::uint64_t>, std::uint64_t, std::uint64_t>::run;
    default: return nullptr;
  }
}

// ---- subnormal numbers ----

/// A zero of the same sign for a number below the smallest normal one, whose bits are 1 << `fraction`. Formats without
/// a negative zero have their NaN there.
template <class Bits, int fraction, bool has_negative_zero = true>
Bits flush(Bits x) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  if (static_cast<Bits>(x & ~kSign) >= Bits{1} << fraction) return x;
  if (!has_negative_zero) return x == kSign ? x : Bits{0};
  return static_cast<Bits>(x & kSign);
}

template <class Bits, int fraction, bool has_negative_zero = true>
constexpr kernels::UnaryFn kFlush = libdevice::Loops<flush<Bits, fraction, has_negative_zero>, Bits, Bits>::run;
inline kernels::UnaryFn flush_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::f8E4M3FN: return kFlush<std::uint8_t, 3>;
    case ScalarKind::f8E5M2: return kFlush<std::uint8_t, 2>;
    case ScalarKind::f8E4M3FNUZ: return kFlush<std::uint8_t, 3, false>;
    case ScalarKind::f8E5M2FNUZ: return kFlush<std::uint8_t, 2, false>;
    case ScalarKind::f16: return kFlush<std::uint16_t, 10>;
    case ScalarKind::bf16: return kFlush<std::uint16_t, 7>;
    case ScalarKind::f32: return kFlush<std::uint32_t, 23>;
    case ScalarKind::f64: return kFlush<std::uint64_t, 52>;
    default: return nullptr;
  }
}

// Whether a number belongs to the class; the smallest normal number of its format is 2^exponent.

/// Each says whether a number is of the class; the smallest normal number of its format is 2^exponent.
struct IsNan {
  template <class T, int>
  static bool of(T x) {
    return std::isnan(x);
  }
};
struct IsInfinite {
  template <class T, int>
  static bool of(T x) {
    return std::isinf(x);
  }
};
struct IsFinite {
  template <class T, int>
  static bool of(T x) {
    return std::isfinite(x);
  }
};
struct IsNormal {
  template <class T, int exponent>
  static bool of(T x) {
    return std::isfinite(x) && std::fabs(x) >= std::ldexp(T{1}, exponent);
  }
};

template <ScalarKind kind, bool (*test)(float)>
void small_test(void* out, const void* a, std::int64_t n) {
  SmallOperand x{kind, static_cast<const char*>(a)};
  in_strips(n, [&](std::int64_t begin, std::int64_t count) {
    x.load(begin, count);
    for (std::int64_t i = 0; i < count; ++i) libdevice::set_element<bool>(out, begin + i, test(x.strip[i]));
  });
}

template <class Class>
kernels::ConvertFn class_test(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::f8E4M3FN: return small_test<ScalarKind::f8E4M3FN, Class::template of<float, -6>>;
    case ScalarKind::f8E5M2: return small_test<ScalarKind::f8E5M2, Class::template of<float, -14>>;
    case ScalarKind::f8E4M3FNUZ: return small_test<ScalarKind::f8E4M3FNUZ, Class::template of<float, -7>>;
    case ScalarKind::f8E5M2FNUZ: return small_test<ScalarKind::f8E5M2FNUZ, Class::template of<float, -15>>;
    case ScalarKind::f16: return small_test<ScalarKind::f16, Class::template of<float, -14>>;
    case ScalarKind::bf16: return small_test<ScalarKind::bf16, Class::template of<float, -126>>;
    case ScalarKind::f32: return libdevice::Loops<Class::template of<float, -126>, bool, float>::run;
    case ScalarKind::f64: return libdevice::Loops<Class::template of<double, -1022>, bool, double>::run;
    default: return nullptr;
  }
}

// ---- what rows name ----

inline bool choose(Elementwise& made, kernels::UnaryFn loop) {
  made.unary = loop;
  return loop != nullptr;
}
inline bool choose(Elementwise& made, kernels::BinaryFn loop) {
  made.arity = Elementwise::Arity::binary;
  made.operands = 2;
  made.binary = loop;
  return loop != nullptr;
}

template <UnaryReal fast, UnaryReal full>
bool choose_real(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose(made, real_unary<fast, full>(made.operand[0]->kind));
}
template <kernels::Unary narrow, UnaryReal full>
bool choose_real_in_f64(Elementwise& made, const ir::Op&, const TargetProfile&) {
  if (made.operand[0]->kind != ScalarKind::f64) return choose_unary(made, narrow);
  return choose(made, libdevice::Loops<full, double, double>::run);
}
template <BinaryReal function>
bool choose_real_binary(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose(made, real_binary<function>(made.operand[0]->kind));
}
inline bool choose_real_power(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose(made, real_power(made.operand[0]->kind, made.operand[1]->kind));
}
inline bool choose_integer_power(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose(made, integer_power_of(made.operand[0]->kind));
}
inline bool choose_flush(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose(made, flush_of(made.operand[0]->kind));
}
template <class Count>
bool choose_bit_count(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose(made, bit_count<Count>(made.operand[0]->kind));
}
template <class Class>
bool choose_class_test(Elementwise& made, const ir::Op&, const TargetProfile&) {
  made.convert = class_test<Class>(made.operand[0]->kind);
  made.arity = Elementwise::Arity::convert;
  return made.convert != nullptr;
}

}  // namespace math_loops

/// `fast` is good enough for results up to f32, `full` for f64.
template <UnaryReal fast, UnaryReal full = fast>
inline constexpr ElementwiseLoops kRealLoops{math_loops::choose_real<fast, full>};
/// A vector kernel up to f32, a function for f64.
template <kernels::Unary narrow, UnaryReal full>
inline constexpr ElementwiseLoops kUnaryButF64Loops{math_loops::choose_real_in_f64<narrow, full>};
template <BinaryReal function>
inline constexpr ElementwiseLoops kRealPairLoops{math_loops::choose_real_binary<function>};
inline constexpr ElementwiseLoops kRealPowerLoops{math_loops::choose_real_power};
inline constexpr ElementwiseLoops kIntegerPowerLoops{math_loops::choose_integer_power};
inline constexpr ElementwiseLoops kFlushLoops{math_loops::choose_flush};
template <class Count>
inline constexpr ElementwiseLoops kBitCountLoops{math_loops::choose_bit_count<Count>};
template <class Class>
inline constexpr ElementwiseLoops kClassTestLoops{math_loops::choose_class_test<Class>};

}  // namespace lockstep::interpreter
