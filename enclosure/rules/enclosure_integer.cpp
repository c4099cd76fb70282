#include "enclosure/rules/enclosure_integer.h"

#include <algorithm>

#include "enclosure/enclose_context.h"
#include "enclosure/rules/enclosure_bits.h"
#include "ir/opcode.h"

namespace lockstep::enclosure {

using ir::Opcode;

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
Interval combine_truths(Opcode opcode, const Interval& a, const Interval& b) {
  if (opcode == Opcode::arith_andi) return {std::min(a.low, b.low), std::min(a.high, b.high)};
  if (opcode == Opcode::arith_ori) return {std::max(a.low, b.low), std::max(a.high, b.high)};
  if (!a.is_point() || !b.is_point()) return {0, 1};
  const double differs = a.low != b.low ? 1 : 0;
  return {differs, differs};
}

Interval combine_integers(Opcode opcode, ScalarKind kind, const Interval& a, const Interval& b) {
  const bool is_truth = kind == ScalarKind::i1;
  switch (opcode) {
    case Opcode::arith_addi: return is_truth ? unbounded_interval(0) : Interval{a.low + b.low, a.high + b.high};
    case Opcode::arith_subi: return is_truth ? unbounded_interval(0) : Interval{a.low - b.high, a.high - b.low};
    case Opcode::arith_muli: return is_truth ? unbounded_interval(0) : product(a, b);
    case Opcode::arith_minsi:
    case Opcode::arith_minui: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Opcode::arith_maxsi:
    case Opcode::arith_maxui: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    default: return is_truth ? combine_truths(opcode, a, b) : unbounded_interval(0);
  }
}

bool is_unsigned_extremum(Opcode opcode) { return opcode == Opcode::arith_minui || opcode == Opcode::arith_maxui; }

Interval combine_checked(Opcode opcode, ScalarKind kind, Interval a, Interval b) {
  const bool is_truth = kind == ScalarKind::i1;
  if (is_truth && a.is_unbounded()) a = {0, 1};
  if (is_truth && b.is_unbounded()) b = {0, 1};
  if (a.is_unbounded() || b.is_unbounded()) return a.is_unbounded() ? a : b;
  if (is_unsigned_extremum(opcode) && (a.low < 0 || b.low < 0)) return unbounded_interval(0);
  const bool is_extremum = opcode == Opcode::arith_minsi || opcode == Opcode::arith_maxsi;
  if (is_extremum && is_truth) return unbounded_interval(0);
  return within(kind, combine_integers(opcode, kind, a, b));
}

/// One operand.
Interval resize(Opcode opcode, ScalarKind from, ScalarKind to, const Interval& a) {
  if (a.is_unbounded()) return a;
  if (opcode == Opcode::arith_extsi) return from == ScalarKind::i1 ? Interval{-a.high, -a.low} : a;
  const bool is_unsigned = opcode == Opcode::arith_extui || opcode == Opcode::arith_index_castui;
  if (is_unsigned && a.low < 0) return unbounded_interval(0);
  return within(to, a);
}

}  // namespace

bool enclose_integer(EncloseContext& context, const ir::Op& op) {
  if (context.keep_points(op)) return true;
  const Opcode opcode = op.def().opcode;
  const ScalarKind from = kind_of(*op.operand(0)), kind = kind_of(*op.result(0));
  const bool is_bitwise = opcode == Opcode::arith_andi || opcode == Opcode::arith_ori || opcode == Opcode::arith_xori;
  if (is_bitwise && kind != ScalarKind::i1) return enclose_bits(context, op);
  const BoundsRef a = context.bounds(*op.operand(0));
  const auto made = std::make_shared<Bounds>(a->count());
  if (op.operand_count() == 1) {
    for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, resize(opcode, from, kind, a->at(i)));
  } else {
    const BoundsRef b = context.bounds(*op.operand(1));
    for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, combine_checked(opcode, kind, a->at(i), b->at(i)));
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
  const Opcode opcode = op.def().opcode;
  const ScalarKind from = kind_of(*op.operand(0)), to = kind_of(*op.result(0));
  const BoundsRef a = context.rounded(*op.operand(0));
  const auto made = std::make_shared<Bounds>(a->count());
  const bool from_unsigned = opcode == Opcode::arith_uitofp, is_truth = from == ScalarKind::i1;
  for (std::int64_t i = 0; i < made->count(); ++i) {
    const Interval value = a->at(i);
    if (opcode == Opcode::arith_fptosi || opcode == Opcode::arith_fptoui) {
      made->set(i, to_integer(to, opcode == Opcode::arith_fptoui, value));
    } else if (value.is_unbounded() || (from_unsigned && value.low < 0) || std::fabs(value.low) > kExactly ||
               std::fabs(value.high) > kExactly) {
      made->set(i, value.is_unbounded() ? value : unbounded_interval(0));
    } else {
      made->set(i, !from_unsigned && is_truth ? Interval{-value.high, -value.low} : value);
    }
  }
  if (is_float(to)) round_bounds(to, *made);
  context.set(*op.result(0), made);
  return true;
}

}  // namespace lockstep::compare
