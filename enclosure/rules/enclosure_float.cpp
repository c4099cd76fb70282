#include "enclosure/rules/enclosure_float.h"

#include <algorithm>

#include "enclosure/enclose_context.h"
#include "enclosure/interval.h"
#include "enclosure/rules/widen.h"
#include "enclosure/rules/written_number.h"
#include "ir/interfaces/op_kinds.h"

namespace lockstep::enclosure {


BoundsRef copy_of(const Bounds& bounds) {
  auto made = std::make_shared<Bounds>(bounds.count(), bounds.shares_ends());
  std::copy_n(bounds.low(), bounds.count(), made->low());
  if (!bounds.shares_ends()) std::copy_n(bounds.high(), bounds.count(), made->high());
  made->is_unrounded = bounds.is_unrounded;
  return made;
}

BoundsRef EncloseContext::rounded(const ir::Value& value) {
  BoundsRef found = bounds(value);
  if (!found->is_unrounded) return found;
  found = copy_of(*found);
  round_bounds(number_kind(*this, value), *found);
  return found;
}

namespace {
/// Of a view of a buffer: what it holds.
ir::Type shown_type(const ir::Value& value) {
  return value.type().is_memdesc() ? value.type().pointee() : value.type();
}
}  // namespace

ScalarKind kind_of(const ir::Value& value) {
  return shown_type(value).element().scalar_kind().value_or(ScalarKind::pointer);
}
ScalarKind number_kind(const EncloseContext& context, const ir::Value& value) {
  const ScalarKind kind = kind_of(value);
  return context.is_real() && is_float(kind) ? ScalarKind::f64 : kind;
}
std::int64_t count_of(const ir::Value& value) { return shown_type(value).element_count(); }
std::vector<std::int64_t> shape_of(const ir::Value& value) { return shown_type(value).shape(); }

bool enclose_points(EncloseContext& context, const ir::Op& op) { return context.keep_points(op); }
bool enclose_control(EncloseContext&, const ir::Op&) { return false; }
bool enclose_memory(EncloseContext& context, const ir::Op& op) { return context.access_memory(op); }

bool enclose_constant(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const ir::Attribute value = op.attribute("value");
  const ir::Value& result = *op.result(0);
  const ScalarKind kind = kind_of(result);
  if (!value || kind == ScalarKind::pointer) return false;
  const std::int64_t count = count_of(result);
  if (value.is_dense() && !value->is_splat) {
    context.set(result, read_elements(kind, value->data.data(), count));
    return true;
  }
  std::uint64_t bits = value.is_float() ? value->float_bits : static_cast<std::uint64_t>(value->integer);
  if (value.is_dense()) std::memcpy(&bits, value->data.data(), static_cast<std::size_t>(size_bytes(kind)));
  if (!value.is_dense() && !value.is_float() && !value.is_integer()) return false;
  const auto made = std::make_shared<Bounds>(count);
  const Interval element =
      context.is_real() && is_float(kind) ? written_number(kind, read_element(kind, bits)) : read_element(kind, bits);
  for (std::int64_t i = 0; i < count; ++i) made->set(i, element);
  context.set(result, made);
  return true;
}

// ---- arithmetic ----

namespace {

/// x - max(x, y): never positive.
bool takes_from_maximum(const ir::Op& op) {
  const bool subtracts = ir::is_float_difference(op);
  const ir::Op* from = subtracts ? op.operand(1)->defining_op() : nullptr;
  if (from == nullptr) return false;
  const bool is_maximum = ir::is_maximum(from->def().arithmetic);
  return is_maximum && (from->operand(0) == op.operand(0) || from->operand(1) == op.operand(0));
}

/// Ends below or above zero move to it; NaN stays.
void keep_sign(const Bounds& bounds, bool is_positive) {
  for (std::int64_t i = 0; i < bounds.count(); ++i) {
    const Interval value = bounds.at(i);
    if (value.is_unbounded() || value.is_nan()) continue;
    bounds.set(i, is_positive ? Interval{std::max(value.low, 0.0), std::max(value.high, 0.0)}
                              : Interval{std::min(value.low, 0.0), std::min(value.high, 0.0)});
  }
}

}  // namespace

bool enclose_sum(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const BoundsRef a = context.bounds(*op.operand(0)), b = context.bounds(*op.operand(1));
  const auto made = std::make_shared<Bounds>(a->count());
  (ir::is_float_sum(op) ? add : subtract)(*a, *b, *made);
  if (takes_from_maximum(op) && !a->is_unrounded) keep_sign(*made, false);
  round_bounds(number_kind(context, *op.result(0)), *made);
  context.set(*op.result(0), made);
  return true;
}

namespace {

/// Both the rounded and the unrounded numbers.
void keep_unrounded(ScalarKind kind, Bounds& bounds) {
  const BoundsRef exact = copy_of(bounds);
  round_bounds(kind, bounds);
  for (std::int64_t i = 0; i < bounds.count(); ++i) bounds.set(i, hull(bounds.at(i), exact->at(i)));
  bounds.is_unrounded = true;
}

}  // namespace

bool enclose_product(EncloseContext& context, const ir::Op& op) {
  const bool is_contracted = context.may_contract(op);
  if (!is_contracted && context.keep_points(op)) return true;
  const BoundsRef a = context.rounded(*op.operand(0)), b = context.rounded(*op.operand(1));
  const auto made = std::make_shared<Bounds>(a->count());
  multiply(*a, *b, *made);
  if (op.operand(0) == op.operand(1)) keep_sign(*made, true);
  const ScalarKind kind = number_kind(context, *op.result(0));
  if (!is_contracted) {
    round_bounds(kind, *made);
  } else {
    keep_unrounded(kind, *made);
  }
  context.set(*op.result(0), made);
  return true;
}

namespace {

/// A power of two that is not near the ends of f32, and neither is its reciprocal.
bool is_plain_power(const Interval& divisor) {
  if (!divisor.is_point() || divisor.low == 0) return false;
  int exponent = 0;
  constexpr int kFar = 100;
  return std::fabs(std::frexp(divisor.low, &exponent)) == 0.5 && std::abs(exponent) < kFar;
}

bool scales_only(const Bounds& divisors) {
  for (std::int64_t i = 0; i < divisors.count(); ++i) {
    if (is_plain_power(divisors.at(i))) return true;
  }
  return false;
}

/// S-35: a GPU divides by a power of two exactly, if the result is normal.
void keep_scaled(const Bounds& exact, const Bounds& divisors, Bounds& quotients) {
  constexpr double kLeast = 0x1p-126, kMost = 0x1p127;
  const auto is_normal = [](double x) { return x == 0 || (std::fabs(x) >= kLeast && std::fabs(x) <= kMost); };
  for (std::int64_t i = 0; i < quotients.count(); ++i) {
    const Interval value = exact.at(i);
    const bool crosses_zero = value.low < 0 && value.high > 0;
    if (!is_plain_power(divisors.at(i)) || !is_normal(value.low) || !is_normal(value.high) || crosses_zero) continue;
    if ((value.low == 0) == (value.high == 0)) quotients.set(i, value);
  }
}

enum class Division : std::uint8_t { full, precise, approximate };

bool enclose_division(EncloseContext& context, const ir::Op& op, Division division) {
  const ScalarKind kind = number_kind(context, *op.result(0));
  const bool is_exact = division == Division::precise || kind == ScalarKind::f64;
  if (is_exact && context.keep_points(op)) return true;
  const BoundsRef a = context.rounded(*op.operand(0)), b = context.rounded(*op.operand(1));
  const auto made = std::make_shared<Bounds>(a->count());
  divide(*a, *b, *made);
  if (!is_exact) {
    const BoundsRef scaled = scales_only(*b) ? copy_of(*made) : nullptr;
    const ErrorOf error{std::max(op.def().bound.ulp, op.def().bound.gpu_ulp), 0, division == Division::approximate};
    widen(kind, error, *made);
    if (scaled != nullptr) keep_scaled(*scaled, *b, *made);
  }
  // An approximate division ends in a multiplication, which an assembler may contract like any other.
  if (!is_exact && context.may_contract(op)) {
    keep_unrounded(kind, *made);
  } else {
    round_bounds(kind, *made);
  }
  context.set(*op.result(0), made);
  return true;
}

}  // namespace

bool enclose_quotient(EncloseContext& context, const ir::Op& op) {
  return enclose_division(context, op, Division::full);
}
bool enclose_precise_quotient(EncloseContext& context, const ir::Op& op) {
  return enclose_division(context, op, Division::precise);
}
bool enclose_approximate_quotient(EncloseContext& context, const ir::Op& op) {
  return enclose_division(context, op, Division::approximate);
}

namespace {

/// S-105: a GPU rounds the quotient, and so may be off by a multiple of the divisor.
Interval remainder_of(const Format& format, const Interval& a, const Interval& b) {
  if (a.is_unbounded() || a.is_nan()) return a;
  if (b.is_unbounded() || b.is_nan()) return b;
  if (!a.is_finite() || !b.is_finite() || b.contains(0)) return unbounded_interval(0);
  const double divisor = std::max(std::fabs(b.low), std::fabs(b.high));
  const double least = std::min(std::fabs(b.low), std::fabs(b.high));
  const double dividend = std::max(std::fabs(a.low), std::fabs(a.high));
  const double quotient = dividend / least;
  constexpr double kQuotientError = 0x1p-20;  // far above 2 ulp of f32
  if (quotient * (1 + kQuotientError) >= format.largest) return unbounded_interval(0);
  if (a.is_point() && b.is_point()) {
    const double exact = std::fmod(a.low, b.low), part = std::fabs(exact) / divisor;
    if (part > quotient * kQuotientError && 1 - part > quotient * kQuotientError) return {exact, exact};
  }
  const double most = divisor * (1 + quotient * kQuotientError) * (1 + 0x1p-40);
  return {-most, most};
}

}  // namespace

bool enclose_remainder(EncloseContext& context, const ir::Op& op) {
  const BoundsRef a = context.rounded(*op.operand(0)), b = context.rounded(*op.operand(1));
  const auto made = std::make_shared<Bounds>(a->count());
  const Format format = format_of(number_kind(context, *op.result(0)));
  context.rely_on_model(op);  // S-105: how Triton 3.6 lowers it
  for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, remainder_of(format, a->at(i), b->at(i)));
  round_bounds(number_kind(context, *op.result(0)), *made);
  context.set(*op.result(0), made);
  return true;
}

bool enclose_fma(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const BoundsRef a = context.rounded(*op.operand(0)), b = context.rounded(*op.operand(1)),
                  c = context.rounded(*op.operand(2));
  const auto made = std::make_shared<Bounds>(a->count());
  multiply_add(*a, *b, *c, *made);
  round_bounds(number_kind(context, *op.result(0)), *made);
  context.set(*op.result(0), made);
  return true;
}

// ---- extremes ----

namespace {

enum class Extremum : std::uint8_t { maximum, minimum };

Interval extremum(Extremum which, const Interval& a, const Interval& b) {
  if (which == Extremum::maximum) return {std::max(a.low, b.low), std::max(a.high, b.high)};
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}

/// `keeps_nan`: a NaN on either side wins; else the number does.
Interval extremum(Extremum which, bool keeps_nan, const Interval& a, const Interval& b) {
  if (a.is_unbounded() || b.is_unbounded()) return a.is_unbounded() ? a : b;
  if (a.is_nan() || b.is_nan()) return keeps_nan ? kSurelyNan : a.is_nan() ? b : a;
  return extremum(which, a, b);
}

}  // namespace

bool enclose_extremum(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const ir::Arithmetic what = op.def().arithmetic;
  const bool keeps_nan = what == ir::Arithmetic::maximum || what == ir::Arithmetic::minimum;
  const BoundsRef a = context.rounded(*op.operand(0)), b = context.rounded(*op.operand(1));
  const auto made = std::make_shared<Bounds>(a->count());
  const Extremum which = ir::is_maximum(what) ? Extremum::maximum : Extremum::minimum;
  for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, extremum(which, keeps_nan, a->at(i), b->at(i)));
  context.set(*op.result(0), made);
  return true;
}

bool enclose_clamp(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const bool keeps_nan = op.integer_attribute("propagateNan", 1) != 0;
  const BoundsRef x = context.rounded(*op.operand(0)), low = context.rounded(*op.operand(1)),
                  high = context.rounded(*op.operand(2));
  const auto made = std::make_shared<Bounds>(x->count());
  for (std::int64_t i = 0; i < made->count(); ++i) {
    const Interval value = x->at(i), least = low->at(i), most = high->at(i);
    if (value.is_nan() && !keeps_nan) {  // S-77: one limit or the other
      made->set(i, hull(least, most));
    } else {
      made->set(i, extremum(Extremum::minimum, keeps_nan, extremum(Extremum::maximum, keeps_nan, value, least), most));
    }
  }
  context.set(*op.result(0), made);
  return true;
}

/// For points. GPUs compute 16- and 8-bit types through f32, which loses the sign of a NaN: either sign is copied.
bool enclose_copied_sign(EncloseContext& context, const ir::Op& op) {
  if (!context.keep_points(op)) return false;
  constexpr int kWide = 4;  // bytes of f32
  if (size_bytes(kind_of(*op.operand(1))) >= kWide) return true;
  const ScalarKind kind = kind_of(*op.operand(0));
  const double largest = format_of(kind).largest;
  const BoundsRef sizes = context.bounds(*op.operand(0)), signs = context.bounds(*op.operand(1));
  const auto made = std::make_shared<Bounds>(sizes->count());
  bool is_open = false;
  for (std::int64_t i = 0; i < made->count(); ++i) {
    const Interval value = sizes->at(i), sign = signs->at(i);
    if (value.is_nan()) {
      made->set(i, kSurelyNan);
      continue;
    }
    const double size = std::fabs(value.low), least = std::min(size, largest);  // an infinity may saturate
    is_open = is_open || sign.is_nan();
    made->set(i, sign.is_nan()            ? Interval{-size, size}
                 : std::signbit(sign.low) ? Interval{-size, -least}
                                          : Interval{least, size});
  }
  if (is_open) context.set(*op.result(0), made);
  return true;
}

bool enclose_sign(EncloseContext& context, const ir::Op& op) {
  const bool negates = op.def().arithmetic == ir::Arithmetic::negation;
  if (context.keep_points(op)) return true;
  const BoundsRef a = context.bounds(*op.operand(0));
  const auto made = std::make_shared<Bounds>(a->count());
  for (std::int64_t i = 0; i < made->count(); ++i) {
    const Interval value = a->at(i);
    const bool crosses = value.contains(0);
    if (value.is_unbounded() || value.is_nan()) {
      made->set(i, value);
    } else if (negates || value.high <= 0) {
      made->set(i, {-value.high, -value.low});
    } else {
      made->set(i, crosses ? Interval{0, std::max(-value.low, value.high)} : value);
    }
  }
  made->is_unrounded = a->is_unrounded;
  context.set(*op.result(0), made);
  return true;
}

bool enclose_flush(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const BoundsRef a = context.rounded(*op.operand(0));
  const double least_normal = std::ldexp(1.0, format_of(number_kind(context, *op.operand(0))).least_exponent);
  const auto flushed = [&](double x) { return std::fabs(x) < least_normal ? std::copysign(0.0, x) : x; };
  const auto made = std::make_shared<Bounds>(a->count());
  for (std::int64_t i = 0; i < made->count(); ++i) {  // it never falls
    const Interval value = a->at(i);
    const bool is_number = !value.is_unbounded() && !value.is_nan();
    made->set(i, is_number ? Interval{flushed(value.low), flushed(value.high)} : value);
  }
  context.set(*op.result(0), made);
  return true;
}

// ---- conversions ----

namespace {

double toward_zero(const Format& format, double value) {
  const double rounded = round_to(format, value);
  if (rounded - rounded != 0) return value - value == 0 ? std::copysign(format.largest, value) : rounded;
  if (std::fabs(rounded) <= std::fabs(value)) return rounded;
  return std::copysign(std::fabs(rounded) - ulp_at(format, std::nextafter(std::fabs(rounded), 0.0)), value);
}

bool rounds_toward_zero(const ir::Op& op) {
  if (op.attribute("rounding")) return op.integer_attribute("rounding", 1) == 0;
  return op.attribute("roundingmode") && op.integer_attribute("roundingmode", 0) == 3;
}

bool has_other_rounding(const ir::Op& op) {
  const std::int64_t mode = op.integer_attribute("roundingmode", 0);
  return mode != 0 && mode != 3;
}

}  // namespace

bool enclose_float_cast(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const ScalarKind from = number_kind(context, *op.operand(0)), to = number_kind(context, *op.result(0));
  const BoundsRef a = context.rounded(*op.operand(0));
  if (context.is_real()) return context.set(*op.result(0), a), true;
  if (has_other_rounding(op)) return false;
  const Format format = format_of(to);
  if (format.precision >= format_of(from).precision && !is_float8(to) && from != ScalarKind::f8E5M2) {
    // Wider, but bf16 to f16 loses its range.
    if (!(from == ScalarKind::bf16 && to == ScalarKind::f16)) {
      context.set(*op.result(0), a);
      return true;
    }
  }
  if (from == ScalarKind::f8E5M2 && to == ScalarKind::bf16) return false;  // S-75
  const auto made = copy_of(*a);
  if (rounds_toward_zero(op)) {
    double* ends[] = {made->low(), made->high()};
    for (int e = 0; e < (made->shares_ends() ? 1 : 2); ++e) {
      for (std::int64_t i = 0; i < made->count(); ++i) ends[e][i] = toward_zero(format, ends[e][i]);
    }
  } else {
    round_bounds(to, *made);
  }
  // S-76: before sm_90, narrowing to f8 cuts the number first, which moves a tie by one place.
  if (is_float8(to)) widen(to, {1, 0, false}, *made);
  context.set(*op.result(0), made);
  return true;
}

// ---- comparison and selection ----

namespace {

/// Predicates in MLIR's order: false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true. Up to `ord`, the
/// bits say equal, greater, less; from ueq (8) on, those of the number less 7 do.
Interval compare_floats(std::int64_t predicate, const Interval& a, const Interval& b) {
  const bool unordered = predicate > 7;
  const std::int64_t bits = predicate - (unordered ? 7 : 0);
  if (predicate == 0 || predicate == 15) return predicate == 0 ? kFalse : kTrue;
  const bool is_uno = predicate == 14;
  const bool equal = !is_uno && (bits & 1) != 0, greater = !is_uno && (bits & 2) != 0,
             less = !is_uno && (bits & 4) != 0;
  if (a.is_unbounded() || b.is_unbounded()) return kEither;
  if (a.is_nan() || b.is_nan()) return unordered ? kTrue : kFalse;
  const bool may_be_less = a.low<b.high, may_be_greater = a.high> b.low;
  const bool may_be_equal = a.low <= b.high && b.low <= a.high;
  bool may_hold = false, may_fail = false;
  for (const auto& [possible, wanted] :
       {std::pair{may_be_less, less}, std::pair{may_be_greater, greater}, std::pair{may_be_equal, equal}}) {
    if (possible) (wanted ? may_hold : may_fail) = true;
  }
  return may_hold && may_fail ? kEither : may_hold ? kTrue : kFalse;
}

}  // namespace

bool enclose_compare_floats(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const BoundsRef a = context.rounded(*op.operand(0)), b = context.rounded(*op.operand(1));
  const auto made = std::make_shared<Bounds>(a->count());
  const std::int64_t predicate = op.integer_attribute("predicate", 0);
  for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, compare_floats(predicate, a->at(i), b->at(i)));
  context.set(*op.result(0), made);
  return true;
}

bool enclose_nan_test(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const BoundsRef a = context.rounded(*op.operand(0));
  const auto made = std::make_shared<Bounds>(a->count());
  for (std::int64_t i = 0; i < made->count(); ++i) {
    const Interval value = a->at(i);
    made->set(i, value.is_unbounded() ? kEither : value.is_nan() ? kTrue : kFalse);
  }
  context.set(*op.result(0), made);
  return true;
}

bool enclose_select(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const BoundsRef condition = context.bounds(*op.operand(0)), a = context.bounds(*op.operand(1)),
                  b = context.bounds(*op.operand(2));
  const auto made = std::make_shared<Bounds>(a->count());
  const bool is_one = condition->count() == 1;
  for (std::int64_t i = 0; i < made->count(); ++i) {
    const Interval which = condition->at(is_one ? 0 : i);
    if (which.is_unbounded() || (which.low <= 0 && which.high >= 1)) {
      made->set(i, hull(a->at(i), b->at(i)));
    } else {
      made->set(i, which.low >= 1 ? a->at(i) : b->at(i));
    }
  }
  made->is_unrounded = a->is_unrounded || b->is_unrounded;
  context.set(*op.result(0), made);
  return true;
}

}  // namespace lockstep::enclosure
