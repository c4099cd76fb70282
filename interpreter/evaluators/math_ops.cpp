#include "interpreter/evaluators/math_ops.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/libdevice/elementary.h"
#include "interpreter/libdevice/rows.h"
#include "interpreter/plan/evaluate.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {
namespace {

using ir::Opcode;
using namespace libdevice;  // the functions by their names there
using Arity = Elementwise::Arity;
using UnaryReal = double (*)(double);
using BinaryReal = double (*)(double, double);

constexpr std::int64_t kStrip = 256;

/// f64 -> f32 rounded to odd, so that one more rounding to a narrower type is correct.
float narrow_to_odd(double value) {
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

void store_small(ScalarKind kind, void* out, std::int64_t begin, const float* strip, std::int64_t count) {
  kernels::convert(ScalarKind::f32, kind)(static_cast<char*>(out) + begin * size_bytes(kind), strip, count);
}

template <ScalarKind kind, UnaryReal function>
void small_unary(void* out, const void* a, std::int64_t n) {
  SmallOperand x{kind, static_cast<const char*>(a)};
  in_strips(n, [&](std::int64_t begin, std::int64_t count) {
    x.load(begin, count);
    for (std::int64_t i = 0; i < count; ++i)
      x.strip[i] = narrow_to_odd(call_settled<function>(static_cast<double>(x.strip[i])));
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
      strip[i] =
          narrow_to_odd(call_settled<function>(static_cast<double>(x.strip[i]), static_cast<double>(y.strip[i])));
    store_small(kind, out, begin, strip, count);
  });
}

template <ScalarKind kind>
void small_power(void* out, const void* a, const void* b, std::int64_t n, int a_step, int b_step) {
  SmallOperand x{kind, static_cast<const char*>(a), a_step};
  in_strips(n, [&](std::int64_t begin, std::int64_t count) {
    x.load(begin, count);
    for (std::int64_t i = 0; i < count; ++i) {
      const int exponent = element<int>(b, (begin + i) * b_step);
      x.strip[i] = narrow_to_odd(call_settled<powi_f64>(static_cast<double>(x.strip[i]), exponent));
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

/// `fast` is good enough for results up to f32, `full` for f64.
template <UnaryReal fast, UnaryReal full = fast>
kernels::UnaryFn real_unary(ScalarKind kind) {
#define LOCKSTEP_MAKE(small) small_unary<small, fast>
  switch (kind) {
    LOCKSTEP_SMALL_KINDS(LOCKSTEP_MAKE)
    case ScalarKind::f32: return Loops<static_cast<float (*)(float)>(single<fast>), float, float>::run;
    case ScalarKind::f64: return Loops<full, double, double>::run;
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
      return Loops<static_cast<float (*)(float, float)>(single<function>), float, float, float>::run;
    case ScalarKind::f64: return Loops<function, double, double, double>::run;
    default: return nullptr;
  }
#undef LOCKSTEP_MAKE
}

kernels::UnaryFn real_unary(Opcode opcode, ScalarKind kind) {
  switch (opcode) {
    case Opcode::math_acos: return real_unary<acos_f64>(kind);
    case Opcode::math_acosh: return real_unary<acosh_fast, acosh_f64>(kind);
    case Opcode::math_asin: return real_unary<asin_f64>(kind);
    case Opcode::math_asinh: return real_unary<asinh_fast, asinh_f64>(kind);
    case Opcode::math_atan: return real_unary<atan_f64>(kind);
    case Opcode::math_atanh: return real_unary<atanh_fast, atanh_f64>(kind);
    case Opcode::math_cbrt: return real_unary<cbrt_fast, cbrt_f64>(kind);
    case Opcode::math_cosh: return real_unary<cosh_fast, cosh_f64>(kind);
    case Opcode::math_erfc: return real_unary<erfc_fast, erfc_f64>(kind);
    case Opcode::math_expm1: return real_unary<expm1_fast, expm1_f64>(kind);
    case Opcode::math_log10: return real_unary<log10_fast, log10_f64>(kind);
    case Opcode::math_log1p: return real_unary<log1p_fast, log1p_f64>(kind);
    case Opcode::math_round: return real_unary<round_f64>(kind);
    case Opcode::math_roundeven: return real_unary<round_even>(kind);
    case Opcode::math_sinh: return real_unary<sinh_fast, sinh_f64>(kind);
    case Opcode::math_tanh: return kind == ScalarKind::f64 ? Loops<tanh_f64, double, double>::run : nullptr;
    case Opcode::math_trunc: return real_unary<trunc_f64>(kind);
    default: return nullptr;
  }
}

kernels::BinaryFn real_binary(Opcode opcode, ScalarKind kind) {
  switch (opcode) {
    case Opcode::math_atan2: return real_binary<atan2_f64>(kind);
    case Opcode::math_copysign: return real_binary<copy_sign<double>>(kind);
    case Opcode::math_powf: return real_binary<pow_f64>(kind);
    default: return nullptr;
  }
}

template <class T, class N>
T power(T x, N n) {
  return static_cast<T>(pow_f64(static_cast<double>(x), static_cast<double>(n)));
}
template <class T>
kernels::BinaryFn real_power(ScalarKind exponent) {
  switch (exponent) {
    case ScalarKind::i8: return Loops<power<T, std::int8_t>, T, T, std::int8_t>::run;
    case ScalarKind::i16: return Loops<power<T, std::int16_t>, T, T, std::int16_t>::run;
    case ScalarKind::i32: return Loops<power<T, std::int32_t>, T, T, std::int32_t>::run;
    default: return nullptr;
  }
}
kernels::BinaryFn real_power(ScalarKind kind, ScalarKind exponent) {
  if (kind == ScalarKind::f32) return real_power<float>(exponent);
  if (kind == ScalarKind::f64) return real_power<double>(exponent);
  if (exponent != ScalarKind::i32) return nullptr;
#define LOCKSTEP_MAKE(small) small_power<small>
  switch (kind) {
    LOCKSTEP_SMALL_KINDS(LOCKSTEP_MAKE)
    default: return nullptr;
  }
#undef LOCKSTEP_MAKE
}

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
T leading_zeros(T x) {
  return static_cast<T>(std::countl_zero(x));
}
template <class T>
T trailing_zeros(T x) {
  return static_cast<T>(std::countr_zero(x));
}
template <class T>
T one_bits(T x) {
  return static_cast<T>(std::popcount(x));
}
bool is_zero_bit(bool x) { return !x; }
bool same_bit(bool x) { return x; }

template <class T>
kernels::UnaryFn bit_count(Opcode opcode) {
  switch (opcode) {
    case Opcode::math_ctlz: return Loops<leading_zeros<T>, T, T>::run;
    case Opcode::math_cttz: return Loops<trailing_zeros<T>, T, T>::run;
    case Opcode::math_ctpop: return Loops<one_bits<T>, T, T>::run;
    default: return nullptr;
  }
}

kernels::UnaryFn integer_unary(Opcode opcode, ScalarKind kind) {
  if (opcode != Opcode::math_ctlz && opcode != Opcode::math_cttz && opcode != Opcode::math_ctpop) return nullptr;
  switch (kind) {
    case ScalarKind::i1:
      return opcode == Opcode::math_ctpop ? Loops<same_bit, bool, bool>::run : Loops<is_zero_bit, bool, bool>::run;
    case ScalarKind::i8: return bit_count<std::uint8_t>(opcode);
    case ScalarKind::i16: return bit_count<std::uint16_t>(opcode);
    case ScalarKind::i32: return bit_count<std::uint32_t>(opcode);
    case ScalarKind::i64: return bit_count<std::uint64_t>(opcode);
    default: return nullptr;
  }
}

template <class T>
constexpr kernels::BinaryFn kIntegerPower = Loops<integer_power<T>, T, T, T>::run;
kernels::BinaryFn integer_power_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::i8: return kIntegerPower<std::int8_t>;
    case ScalarKind::i16: return kIntegerPower<std::int16_t>;
    case ScalarKind::i32: return kIntegerPower<std::int32_t>;
    case ScalarKind::i64: return kIntegerPower<std::int64_t>;
    default: return nullptr;
  }
}

// ---- classes of floats ----

template <class T>
bool test_nan(T x) {
  return std::isnan(x);
}
template <class T>
bool test_infinite(T x) {
  return std::isinf(x);
}
template <class T>
bool test_finite(T x) {
  return std::isfinite(x);
}
/// Normal in a format whose smallest normal number is 2^exponent.
template <class T, int exponent>
bool test_normal(T x) {
  return std::isfinite(x) && std::fabs(x) >= std::ldexp(T{1}, exponent);
}

template <ScalarKind kind, bool (*test)(float)>
void small_test(void* out, const void* a, std::int64_t n) {
  SmallOperand x{kind, static_cast<const char*>(a)};
  in_strips(n, [&](std::int64_t begin, std::int64_t count) {
    x.load(begin, count);
    for (std::int64_t i = 0; i < count; ++i) set_element<bool>(out, begin + i, test(x.strip[i]));
  });
}

template <ScalarKind kind, int smallest_normal>
kernels::ConvertFn small_class(Opcode opcode) {
  switch (opcode) {
    case Opcode::math_isnan: return small_test<kind, test_nan<float>>;
    case Opcode::math_isinf: return small_test<kind, test_infinite<float>>;
    case Opcode::math_isfinite: return small_test<kind, test_finite<float>>;
    case Opcode::math_isnormal: return small_test<kind, test_normal<float, smallest_normal>>;
    default: return nullptr;
  }
}
template <class T, int smallest_normal>
kernels::ConvertFn wide_class(Opcode opcode) {
  switch (opcode) {
    case Opcode::math_isnan: return Loops<test_nan<T>, bool, T>::run;
    case Opcode::math_isinf: return Loops<test_infinite<T>, bool, T>::run;
    case Opcode::math_isfinite: return Loops<test_finite<T>, bool, T>::run;
    case Opcode::math_isnormal: return Loops<test_normal<T, smallest_normal>, bool, T>::run;
    default: return nullptr;
  }
}
kernels::ConvertFn class_test(Opcode opcode, ScalarKind kind) {
  switch (kind) {
    case ScalarKind::f8E4M3FN: return small_class<ScalarKind::f8E4M3FN, -6>(opcode);
    case ScalarKind::f8E5M2: return small_class<ScalarKind::f8E5M2, -14>(opcode);
    case ScalarKind::f8E4M3FNUZ: return small_class<ScalarKind::f8E4M3FNUZ, -7>(opcode);
    case ScalarKind::f8E5M2FNUZ: return small_class<ScalarKind::f8E5M2FNUZ, -15>(opcode);
    case ScalarKind::f16: return small_class<ScalarKind::f16, -14>(opcode);
    case ScalarKind::bf16: return small_class<ScalarKind::bf16, -126>(opcode);
    case ScalarKind::f32: return wide_class<float, -126>(opcode);
    case ScalarKind::f64: return wide_class<double, -1022>(opcode);
    default: return nullptr;
  }
}

bool fill_unary(Elementwise& made, Opcode opcode) {
  const ScalarKind kind = made.operand[0]->kind;
  made.unary = real_unary(opcode, kind);
  if (made.unary == nullptr) made.unary = integer_unary(opcode, kind);
  if (made.unary != nullptr) return true;
  made.convert = class_test(opcode, kind);
  made.arity = made.convert != nullptr ? Arity::convert : Arity::unary;
  return made.convert != nullptr;
}

bool fill_binary(Elementwise& made, Opcode opcode) {
  const ScalarKind kind = made.operand[0]->kind;
  made.binary = real_binary(opcode, kind);
  if (opcode == Opcode::math_fpowi) made.binary = real_power(kind, made.operand[1]->kind);
  if (opcode == Opcode::math_ipowi) made.binary = integer_power_of(kind);
  if (made.binary == nullptr) return false;
  made.arity = Arity::binary;
  made.operands = 2;
  return true;
}

}  // namespace

bool fill_math(Elementwise& made, const ir::Op& op) {
  const Opcode opcode = op.def().opcode;
  if (opcode == Opcode::math_clampf) {
    made.arity = Arity::ternary;
    made.operands = 3;
    made.ternary = kernels::ternary(kernels::Ternary::clampf_all, made.result->kind);
    return made.ternary != nullptr;
  }
  return op.operand_count() == 1 ? fill_unary(made, opcode) : op.operand_count() == 2 && fill_binary(made, opcode);
}

bool evaluate_sincos(PlanBuilder& builder, const ir::Op& op) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Slot slot = builder.result(op, i);
    if (slot == kNoSlot) return false;
    Elementwise made;
    made.result = made.operand[0] = builder.type(slot);
    made.unary = kernels::unary(i == 0 ? kernels::Unary::sin : kernels::Unary::cos, made.result->kind);
    if (made.unary == nullptr) return builder.unsupported(op, "on " + op.operand(0)->type().to_string() + " is");
    Step& step = builder.append(elementwise_step(made), op);
    step.result = slot;
    step.type = builder.type(slot);
    step.record = builder.record(made);
    if (i == 0) step.dies = 0;
  }
  return true;
}

}  // namespace lockstep::interpreter
