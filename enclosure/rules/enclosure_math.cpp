#include "enclosure/rules/enclosure_math.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <string_view>

#include "enclosure/enclose_context.h"
#include "enclosure/functions.h"
#include "enclosure/interval.h"
#include "enclosure/rules/widen.h"

namespace lockstep::enclosure {

namespace {

using Function = RealFunction;
using Shape = RealFunction::Shape;

constexpr const Function* kFunctions[] = {
    &kCeil, &kFloor, &kTrunc, &kRound, &kRoundeven, &kSqrt, &kRsqrt, &kCbrt, &kExp, &kExp2, &kExpm1, &kLog, &kLog2,
    &kLog10, &kLog1p, &kSin, &kCos, &kTan, &kAsin, &kAcos, &kAtan, &kSinh, &kCosh, &kTanh, &kErf, &kErfc, &kAcosh,
    &kAsinh, &kAtanh,
};

const Function* find_function(std::string_view symbol) {
  const auto found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                  [&](const Function* one) { return one->symbol == symbol; });
  return found != std::end(kFunctions) ? *found : nullptr;
}

/// Whether a point of period `period` and offset `at` may be inside.
bool holds_multiple(const Interval& x, double at, double period) {
  const double low = (x.low - at) / period, high = (x.high - at) / period;
  const double margin = 1e-15 * (1 + std::fabs(low));
  return std::floor(high + margin) >= std::ceil(low - margin);
}

Interval waves(const Interval& x, double (*value)(double), double top, double bottom) {
  constexpr double kTurn = 2 * std::numbers::pi;
  constexpr double kFar = 0x1p40;  // multiples of pi are no longer told apart
  if (!x.is_finite()) return x.is_point() ? kSurelyNan : unbounded_interval(0);
  if (x.is_point()) return point(value(x.low));
  if (x.high - x.low >= kTurn || std::max(-x.low, x.high) > kFar) return {-1, 1};
  const double a = value(x.low), b = value(x.high);
  return {holds_multiple(x, bottom, kTurn) ? -1 : std::min(a, b), holds_multiple(x, top, kTurn) ? 1 : std::max(a, b)};
}

Interval tangent(const Interval& x) {
  if (!x.is_finite()) return x.is_point() ? kSurelyNan : unbounded_interval(0);
  if (x.is_point()) return point(std::tan(x.low));
  const bool has_pole = x.high - x.low >= std::numbers::pi || std::max(-x.low, x.high) > 0x1p40 ||
                        holds_multiple(x, std::numbers::pi / 2, std::numbers::pi);
  return has_pole ? Interval{-kInfinite, kInfinite} : Interval{std::tan(x.low), std::tan(x.high)};
}

/// The exact range, apart from f64's own errors.
Interval range_of(const Function& function, const Interval& x) {
  if (x.is_unbounded() || x.is_nan()) return x;
  if (x.high < function.from || x.low > function.to) return kSurelyNan;
  if (x.low < function.from || x.high > function.to) return unbounded_interval(0);
  constexpr double kHalf = std::numbers::pi / 2;
  switch (function.shape) {
    case Shape::rising: return {function.value(x.low), function.value(x.high)};
    case Shape::falling: return {function.value(x.high), function.value(x.low)};
    case Shape::even: {
      const double a = function.value(x.low), b = function.value(x.high);
      return {x.contains(0) ? function.value(0) : std::min(a, b), std::max(a, b)};
    }
    case Shape::sine: return waves(x, function.value, kHalf, -kHalf);
    case Shape::cosine: return waves(x, function.value, 0, std::numbers::pi);
    case Shape::tangent: return tangent(x);
  }
  return unbounded_interval(0);
}

Interval with_library_error(const Interval& value, bool is_exact) {
  if (is_exact || value.is_unbounded() || value.is_nan()) return value;
  const auto part = [](double x) { return x - x == 0 ? std::fabs(x) * 0x1p-50 + 0x1p-1070 : 0; };
  return {value.low - part(value.low), value.high + part(value.high)};
}

struct Errors {
  double ulp = 0, per_unit = 0;
  bool flushes = false;
  bool is_lost_below = false;  // nothing is known of subnormal arguments
};

bool holds_subnormal(const Interval& x) {
  constexpr double kLeastNormal = 0x1p-126;
  return x.low < kLeastNormal && x.high > -kLeastNormal && !(x.low == 0 && x.high == 0);
}

constexpr double kFastExpPerUnit = 1.25;  // of __expf, as kExpPerUnit

Errors errors_of(const ir::Op& op, const Function& function, ScalarKind kind) {
  Errors errors;
  const ir::ErrorBound& bound = op.def().bound;
  const bool is_wide = kind == ScalarKind::f64;
  if (function.gives_integers && !is_wide) errors.flushes = true;  // measured: 0 for the ceiling of 1e-40
  const bool is_exact = function.cuda_ulp == 0 || (is_wide && function.is_exact_in_f64);
  if (is_exact) return errors;
  errors.flushes = !is_wide;  // S-81
  errors.ulp = std::max({function.cuda_ulp, bound.ulp, bound.gpu_ulp});
  if (function.per_unit > 0) {
    errors.ulp = function.cuda_ulp;
    errors.per_unit = is_wide ? 0 : function.per_unit;
  }
  return errors;
}

/// The exact range of one element's results, apart from f64's own errors.
Interval exact_range(const Function& function, const Errors& errors, const Interval& operand) {
  if (errors.is_lost_below && holds_subnormal(operand)) return unbounded_interval(0);
  const Interval x = errors.flushes ? with_flushed(operand) : operand;
  if (function.has_pole_at_zero && x.contains(0)) {  // of either zero
    return x.low < 0 ? unbounded_interval(0) : Interval{-kInfinite, kInfinite};
  }
  if (x.is_point() && function.shape <= Shape::falling && x.low >= function.from && x.low <= function.to)
    return point(function.value(x.low));
  return range_of(function, x);
}

bool enclose_with(EncloseContext& context, const ir::Op& op, const Function& function, const Errors& errors,
                  const ir::Value& result) {
  if (errors.ulp == 0 && !errors.flushes && context.keep_points(op)) return true;
  if (errors.ulp > 0) context.rely_on_model(op);  // CUDA's table is what NVIDIA's tests saw
  const ScalarKind kind = number_kind(context, result);
  const BoundsRef a = context.rounded(*op.operand(0));
  const auto made = std::make_shared<Bounds>(a->count());
  const bool is_exact = errors.ulp == 0 && function.shape == Shape::rising;
  for (std::int64_t i = 0; i < made->count(); ++i)
    made->set(i, with_library_error(exact_range(function, errors, a->at(i)), is_exact));
  widen(kind, {errors.ulp, errors.per_unit, errors.flushes && errors.ulp > 0}, *made,
        errors.per_unit > 0 ? a.get() : nullptr);
  const bool has_zero = function.has_pole_at_zero;  // of a zero: either infinity
  if (function.is_positive && !has_zero) {
    for (std::int64_t i = 0; i < made->count(); ++i) made->low()[i] = made->low()[i] < 0 ? 0 : made->low()[i];
  }
  // A GPU computes in f32 and then rounds once more.
  if (kind != ScalarKind::f64 && kind != ScalarKind::f32) round_bounds(ScalarKind::f32, *made);
  round_bounds(kind, *made);
  context.set(result, made);
  return true;
}

// ---- two operands ----

/// For a function that is monotone in each operand over the box, or for points: the values at the corner_values.
Interval corner_values(const Interval& a, const Interval& b, double (*value)(double, double)) {
  Interval result{kInfinite, -kInfinite};
  for (const double x : {a.low, a.high}) {
    for (const double y : {b.low, b.high}) {
      const double at = value(x, y);
      if (at != at) return a.is_point() && b.is_point() ? kSurelyNan : unbounded_interval(0);
      result = {std::min(result.low, at), std::max(result.high, at)};
    }
  }
  return result;
}

/// For a whole exponent, including negative numbers and zero.
Interval whole_power(const Interval& a, double n) {
  const auto value = [n](double x) { return std::pow(x, n); };
  if (n == 0) return point(1);
  if (n < 0 && a.contains(0)) return unbounded_interval(0);
  const double low = value(a.low), high = value(a.high);
  const bool is_even = std::fmod(n, 2) == 0;
  if (is_even && a.contains(0)) return {0, std::max(low, high)};
  return {std::min(low, high), std::max(low, high)};
}

Interval power(const Interval& a, const Interval& b) {
  if (a.is_unbounded() || b.is_unbounded() || a.is_nan() || b.is_nan()) return unbounded_interval(0);
  if (!a.is_finite() || !b.is_finite()) return unbounded_interval(0);
  if (b.is_point() && std::trunc(b.low) == b.low) return whole_power(a, b.low);
  if (a.low < 0 || (a.low == 0 && b.low <= 0)) return unbounded_interval(0);
  return corner_values(a, b, [](double x, double y) { return std::pow(x, y); });
}

Interval angle(const Interval& y, const Interval& x) {
  if (x.is_unbounded() || y.is_unbounded() || x.is_nan() || y.is_nan()) return unbounded_interval(0);
  const bool crosses = y.contains(0) && x.low <= 0;
  if (crosses || !x.is_finite() || !y.is_finite()) return {-std::numbers::pi, std::numbers::pi};
  return corner_values(y, x, [](double a, double b) { return std::atan2(a, b); });
}

/// CUDA: atan2f 3, powf 4 (8 before CUDA 11); a whole power by multiplications errs by half an ulp for each.
constexpr double kAngleUlp = 3, kPowerUlp = 8;

struct Pair {
  Interval (*value)(const Interval&, const Interval&) = nullptr;
  double ulp = 0;
  bool flushes_operands = false;  // libdevice (S-81)
};

bool enclose_two(EncloseContext& context, const ir::Op& op, const Pair& pair) {
  const ir::Value& result = *op.result(0);
  const ScalarKind kind = number_kind(context, result);
  const BoundsRef a = context.rounded(*op.operand(0)), b = context.rounded(*op.operand(1));
  const bool has_whole_power = !is_float(kind_of(*op.operand(1)));
  const bool flushes = kind != ScalarKind::f64;
  const auto made = std::make_shared<Bounds>(a->count());
  double ulp = pair.ulp;
  context.rely_on_model(op);
  for (std::int64_t i = 0; i < made->count(); ++i) {
    Interval x = a->at(i), y = b->at(i);
    if (has_whole_power) ulp = std::max({ulp, 2 - y.low, 2 + y.high});
    if (pair.flushes_operands && flushes) x = with_flushed(x);
    if (pair.flushes_operands && flushes && !has_whole_power) y = with_flushed(y);
    made->set(i, with_library_error(pair.value(x, y), false));
  }
  constexpr double kMostUlp = 4096;
  if (!(ulp < kMostUlp)) return false;
  widen(kind, {ulp, 0, flushes}, *made);
  if (flushes) round_bounds(ScalarKind::f32, *made);
  round_bounds(kind, *made);
  context.set(result, made);
  return true;
}

}  // namespace

bool enclose_sincos(EncloseContext& context, const ir::Op& op) {
  const Errors errors{2, 0, number_kind(context, *op.result(0)) != ScalarKind::f64};
  return enclose_with(context, op, kSin, errors, *op.result(0)) &&
         enclose_with(context, op, kCos, errors, *op.result(1));
}

bool enclose_angle(EncloseContext& context, const ir::Op& op) { return enclose_two(context, op, {angle, kAngleUlp}); }
bool enclose_power(EncloseContext& context, const ir::Op& op) { return enclose_two(context, op, {power, kPowerUlp}); }

bool enclose_function(EncloseContext& context, const ir::Op& op, const RealFunction& function) {
  return enclose_with(context, op, function, errors_of(op, function, number_kind(context, *op.result(0))), *op.result(0));
}

// ---- libdevice ----

namespace {

constexpr std::string_view kExactSymbols[] = {"fabs", "fmax",    "fmin",   "fma",   "copysign", "isnan",    "isinf",
                                              "abs",  "min",     "max",    "mulhi", "popc",     "clz",      "ffs",
                                              "brev", "signbit", "finite", "fmod",  "ldexp",    "byte_perm"};

/// S-81: libdevice's f32 functions take subnormals for zero, even those that only choose. True if one may come in.
bool may_flush(EncloseContext& context, const ir::Op& op) {
  if (context.is_real()) return false;
  for (const ir::Value* value : op.operands()) {
    if (kind_of(*value) != ScalarKind::f32) continue;
    const BoundsRef bounds = context.rounded(*value);
    for (std::int64_t i = 0; i < bounds->count(); ++i) {
      if (holds_subnormal(bounds->at(i))) return true;
    }
  }
  return false;
}

bool enclose_exact_symbol(EncloseContext& context, const ir::Op& op, std::string_view name) {
  if (may_flush(context, op)) return false;
  const bool may_make_subnormals = name == "fmaf" || (context.is_real() && name == "fma") || name == "ldexpf" || name == "fmodf";
  if (!may_make_subnormals) return context.keep_points(op);
  if (!name.starts_with("fma")) return false;
  const BoundsRef a = context.rounded(*op.operand(0)), b = context.rounded(*op.operand(1)),
                  c = context.rounded(*op.operand(2));
  const auto made = std::make_shared<Bounds>(a->count());
  multiply_add(*a, *b, *c, *made);
  if (context.is_real()) return context.set(*op.result(0), made), true;
  round_bounds(ScalarKind::f32, *made);
  for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, with_flushed(made->at(i)));
  context.set(*op.result(0), made);
  return true;
}

/// Functions of two numbers, and exactly rounded ones that are never contracted.
bool enclose_pair_symbol(EncloseContext& context, const ir::Op& op, std::string_view name) {
  const ScalarKind kind = kind_of(*op.result(0));
  if (name == "atan2f" || name == "atan2") return enclose_two(context, op, {angle, kAngleUlp, true});
  if (name == "powf" || name == "pow" || name == "powif" || name == "powi")
    return enclose_two(context, op, {power, kPowerUlp, true});
  if (name != "fdiv_rn" || kind != ScalarKind::f32) return false;
  const auto flushed = [](const Bounds& from) {
    const auto copy = std::make_shared<Bounds>(from.count());
    for (std::int64_t i = 0; i < from.count(); ++i) copy->set(i, with_flushed(from.at(i)));
    return copy;
  };
  const BoundsRef a = flushed(*context.rounded(*op.operand(0))), b = flushed(*context.rounded(*op.operand(1)));
  const auto made = std::make_shared<Bounds>(a->count());
  divide(*a, *b, *made);
  round_bounds(kind, *made);
  for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, with_flushed(made->at(i)));
  context.set(*op.result(0), made);
  return true;
}

bool enclose_symbol(EncloseContext& context, const ir::Op& op, std::string_view name, bool is_f32) {
  const ScalarKind kind = kind_of(*op.result(0));
  const bool is_fast = name.starts_with("fast_");
  if (name == "fast_exp") {  // S-83
    return enclose_with(context, op, kExp, {2, kFastExpPerUnit, true}, *op.result(0));
  }
  const Function* function = is_fast ? nullptr : find_function(name);
  if (function == nullptr || op.operand_count() != 1 || kind != (is_f32 ? ScalarKind::f32 : ScalarKind::f64))
    return false;
  const bool is_wide = context.is_real() || !is_f32;
  const bool is_exact = function->cuda_ulp == 0 || (is_wide && name == "sqrt");
  const Errors errors{is_exact ? 0 : std::max(function->cuda_ulp, 2.0), 0, !is_wide, !is_wide && !is_exact};
  return enclose_with(context, op, *function, errors, *op.result(0));
}

}  // namespace

bool enclose_extern(EncloseContext& context, const ir::Op& op) {
  const ir::Attribute symbol = op.attribute("symbol");
  if (!symbol) return false;
  std::string_view name = symbol->text;
  if (!name.starts_with("__nv_")) return false;
  name.remove_prefix(5);
  for (const std::string_view one : kExactSymbols) {
    if (name == one || (name.ends_with("f") && name.substr(0, name.size() - 1) == one))
      return enclose_exact_symbol(context, op, name);
  }
  // Ops on integers alone, and integers from floats: conversions, bits and arithmetic without a rounding of their own.
  const bool has_floats = std::any_of(op.operands().begin(), op.operands().end(),
                                      [](const ir::Value* value) { return is_float(kind_of(*value)); });
  const bool makes_floats = is_float(kind_of(*op.result(0)));
  if (!has_floats || (!makes_floats && !may_flush(context, op))) return context.keep_points(op);
  if (op.operand_count() == 2 && enclose_pair_symbol(context, op, name)) return true;
  if (enclose_symbol(context, op, name, false)) return true;
  return name.ends_with("f") && enclose_symbol(context, op, name.substr(0, name.size() - 1), true);
}

}  // namespace lockstep::enclosure
