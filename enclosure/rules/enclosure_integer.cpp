#include "enclosure/rules/enclosure_integer.h"

#include <algorithm>

#include "enclosure/enclose_context.h"
#include "enclosure/rules/enclosure_bits.h"
#include "ir/interfaces/op_kinds.h"

namespace lockstep::enclosure {

using ir::Arithmetic;

namespace {

constexpr double kExactly = 0x1p52;  // integers below are exact in f64, and so are their sums

struct Range {
  double low = 0, high = 0;
};
Range range_of(ScalarKind kind) {
  if (kind == ScalarKind::i1) return {0, 1};
  const double half = std::ldexp(1.0, std::min(bit_width(kind), 53) - 1);
  return {-half, half - 1};
}

Interval within(ScalarKind kind, const Interval& value) {
  const Range range = range_of(kind);
  return value.low >= range.low && value.high <= range.high ? value : unbounded_interval(0);
}

Interval product(const Interval& a, const Interval& b) {
  const double corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

/// and, or, xor of truth values.
Interval combine_truths(Arithmetic what, const Interval& a, const Interval& b) {
  if (what == Arithmetic::conjunction) return {std::min(a.low, b.low), std::min(a.high, b.high)};
  if (what == Arithmetic::disjunction) return {std::max(a.low, b.low), std::max(a.high, b.high)};
  if (!a.is_point() || !b.is_point()) return {0, 1};
  const double differs = a.low != b.low ? 1 : 0;
  return {differs, differs};
}

Interval combine_integers(Arithmetic what, ScalarKind kind, const Interval& a, const Interval& b) {
  const bool is_truth = kind == ScalarKind::i1;
  switch (what) {
    case Arithmetic::sum: return is_truth ? unbounded_interval(0) : Interval{a.low + b.low, a.high + b.high};
    case Arithmetic::difference: return is_truth ? unbounded_interval(0) : Interval{a.low - b.high, a.high - b.low};
    case Arithmetic::product: return is_truth ? unbounded_interval(0) : product(a, b);
    case Arithmetic::minimum: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Arithmetic::maximum: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    default: return is_truth ? combine_truths(what, a, b) : unbounded_interval(0);
  }
}

Interval combine_checked(const ir::Calculation& what, ScalarKind kind, Interval a, Interval b) {
  const bool is_truth = kind == ScalarKind::i1;
  if (is_truth && a.is_unbounded()) a = {0, 1};
  if (is_truth && b.is_unbounded()) b = {0, 1};
  if (a.is_unbounded() || b.is_unbounded()) return a.is_unbounded() ? a : b;
  const bool is_extremum = ir::is_extremum(what.arithmetic), is_unsigned = what.numbers == ir::Numbers::without_sign;
  if (is_extremum && is_unsigned && (a.low < 0 || b.low < 0)) return unbounded_interval(0);
  if (is_extremum && !is_unsigned && is_truth) return unbounded_interval(0);
  return within(kind, combine_integers(what.arithmetic, kind, a, b));
}

/// One operand.
Interval resize(const ir::Op& op, ScalarKind from, ScalarKind to, const Interval& a) {
  if (a.is_unbounded()) return a;
  if (ir::extends_with_sign(op)) return from == ScalarKind::i1 ? Interval{-a.high, -a.low} : a;
  if (op.def().numbers == ir::Numbers::without_sign && a.low < 0) return unbounded_interval(0);
  return within(to, a);
}

}  // namespace

bool enclose_integer(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const ScalarKind from = kind_of(*op.operand(0)), kind = kind_of(*op.result(0));
  if (ir::is_bitwise(op) && kind != ScalarKind::i1) return enclose_bits(context, op);
  const BoundsRef a = context.bounds(*op.operand(0));
  const auto made = std::make_shared<Bounds>(a->count());
  if (op.operand_count() == 1) {
    for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, resize(op, from, kind, a->at(i)));
  } else {
    const ir::Calculation what = ir::calculation(op);
    const BoundsRef b = context.bounds(*op.operand(1));
    for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, combine_checked(what, kind, a->at(i), b->at(i)));
  }
  context.set(*op.result(0), made);
  return true;
}

// ---- comparison ----

namespace {

/// Predicates in MLIR's order: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
Interval compare_integers(std::int64_t predicate, const Interval& a, const Interval& b) {
  if (a.is_unbounded() || b.is_unbounded()) return kEither;
  constexpr std::int64_t kFirstUnsigned = 6, kLess = 2;
  if (predicate < kLess) {
    const bool may_differ = !(a.is_point() && b.is_point() && a.low == b.low);
    const bool may_agree = a.low <= b.high && b.low <= a.high;
    if (may_differ && may_agree) return kEither;
    return may_agree == (predicate == 0) ? kTrue : kFalse;
  }
  if (predicate >= kFirstUnsigned) {
    if (a.low < 0 || b.low < 0) return kEither;
    predicate -= kFirstUnsigned - kLess;
  }
  const bool is_swapped = predicate >= 4, or_equal = predicate % 2 != 0;
  const Interval &x = is_swapped ? b : a, &y = is_swapped ? a : b;  // x < y
  const bool surely = or_equal ? x.high <= y.low : x.high < y.low;
  const bool never = or_equal ? x.low > y.high : x.low >= y.high;
  return surely ? kTrue : never ? kFalse : kEither;
}

}  // namespace

bool enclose_compare_integers(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const std::int64_t predicate = op.integer_attribute("predicate", 0);
  const bool is_truth = kind_of(*op.operand(0)) == ScalarKind::i1;
  const BoundsRef a = context.bounds(*op.operand(0)), b = context.bounds(*op.operand(1));
  const auto made = std::make_shared<Bounds>(a->count());
  for (std::int64_t i = 0; i < made->count(); ++i) {
    // One bit with a sign: true is -1. Only equality is the same for both readings.
    made->set(i, is_truth && predicate >= 2 ? kEither : compare_integers(predicate, a->at(i), b->at(i)));
  }
  context.set(*op.result(0), made);
  return true;
}

// ---- numbers ----

namespace {

Interval to_integer(ScalarKind kind, bool is_unsigned, const Interval& a) {
  if (a.is_unbounded() || a.is_nan() || !a.is_finite()) return unbounded_interval(0);
  const Interval cut{std::trunc(a.low), std::trunc(a.high)};
  if (is_unsigned && cut.low < 0) return unbounded_interval(0);
  return within(kind, cut);
}

}  // namespace

bool enclose_number_cast(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const ScalarKind from = kind_of(*op.operand(0)), to = number_kind(context, *op.result(0));
  const BoundsRef a = context.rounded(*op.operand(0));
  const auto made = std::make_shared<Bounds>(a->count());
  const bool is_unsigned = op.def().numbers == ir::Numbers::without_sign, is_truth = from == ScalarKind::i1;
  for (std::int64_t i = 0; i < made->count(); ++i) {
    const Interval value = a->at(i);
    if (!is_float(to)) {
      made->set(i, to_integer(to, is_unsigned, value));
    } else if (value.is_unbounded() || (is_unsigned && value.low < 0) || std::fabs(value.low) > kExactly ||
               std::fabs(value.high) > kExactly) {
      made->set(i, value.is_unbounded() ? value : unbounded_interval(0));
    } else {
      made->set(i, !is_unsigned && is_truth ? Interval{-value.high, -value.low} : value);
    }
  }
  if (is_float(to)) round_bounds(to, *made);
  context.set(*op.result(0), made);
  return true;
}

}  // namespace lockstep::enclosure
