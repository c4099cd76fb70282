// Reductions, scans and mapped regions. Sums are enclosed for every order by formula (any_order.h); minima, maxima and
// regions that do not round are the same in every order; any other region is evaluated on bounds along the halving tree
// (scans: by doubling) and in sequence, and the hull of both is widened by one rounding a step, which is a model and
// not a proof.
#include <algorithm>

#include "compare/any_order.h"
#include "compare/enclose.h"
#include "compare/region.h"
#include "ir/opcode.h"

namespace lockstep::compare {

using ir::Opcode;

namespace {

/// A tile seen as [outer, n, inner], the middle one being the axis.
struct Axis {
  std::int64_t outer = 1, n = 1, inner = 1;
  std::int64_t at(std::int64_t o, std::int64_t k, std::int64_t i) const { return (o * n + k) * inner + i; }
};

Axis axis_of(const ir::Op& op) {
  const std::vector<std::int64_t> shape = shape_of(*op.operand(0));
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  Axis view;
  for (std::size_t d = 0; d < shape.size(); ++d) (d < axis ? view.outer : d == axis ? view.n : view.inner) *= shape[d];
  return view;
}

/// Positions k of the axis, `first` and every one after it, `rows` of them.
BoundsRef rows_of(const Bounds& from, const Axis& axis, std::int64_t first, std::int64_t rows) {
  auto made = std::make_shared<Bounds>(axis.outer * rows * axis.inner);
  const std::int64_t run = rows * axis.inner;
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    std::copy_n(from.low() + axis.at(o, first, 0), run, made->low() + o * run);
    std::copy_n(from.high() + axis.at(o, first, 0), run, made->high() + o * run);
  }
  return made;
}

void put_row(const Bounds& row, const Axis& axis, std::int64_t k, const Bounds& to) {
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    for (std::int64_t i = 0; i < axis.inner; ++i) to.set(axis.at(o, k, i), row.at(o * axis.inner + i));
  }
}

std::vector<BoundsRef> operands_of(EncloseContext& context, const ir::Op& op, bool rounds) {
  std::vector<BoundsRef> found;
  for (const ir::Value* value : op.operands())
    found.push_back(rounds ? context.rounded(*value) : context.bounds(*value));
  return found;
}

// ---- known operations ----

/// Additions that a term passes through where a tile is spread evenly over 32 threads or more, replicated at most where
/// it has fewer elements: those of its thread, and a tree over 32 lanes and at most 32 warps.
double spread_depth(const Axis& axis) {
  constexpr std::int64_t kLanes = 32, kTree = 10;
  const std::int64_t held = (axis.outer * axis.n * axis.inner + kLanes - 1) / kLanes;
  return static_cast<double>(std::min(axis.n - 1, std::min(axis.n, held) - 1 + kTree));
}

BoundsRef sum_along(const Bounds& from, const Axis& axis, ScalarKind kind, CauseId cause, double depth) {
  auto made = std::make_shared<Bounds>(axis.outer * axis.inner);
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    for (std::int64_t i = 0; i < axis.inner; ++i) {
      Terms terms;
      terms.add(from.low() + axis.at(o, 0, i), from.high() + axis.at(o, 0, i), axis.n, axis.inner);
      made->set(o * axis.inner + i, sum_in_any_order(kind, terms, cause, depth));
    }
  }
  return made;
}

BoundsRef running_sums(const Bounds& from, const Axis& axis, ScalarKind kind, bool is_reverse, CauseId cause) {
  auto made = std::make_shared<Bounds>(from.count());
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    for (std::int64_t i = 0; i < axis.inner; ++i) {
      Terms terms;
      for (std::int64_t k = 0; k < axis.n; ++k) {
        const std::int64_t at = axis.at(o, is_reverse ? axis.n - 1 - k : k, i);
        terms.add(from.at(at));
        made->set(at, k == 0 ? from.at(at) : sum_in_any_order(kind, terms, cause));
      }
    }
  }
  return made;
}

// ---- any region ----

/// One rounding for each of `steps` combinations, relative to the result: the model for regions of unknown algebra.
void widen_by_steps(ScalarKind kind, std::int64_t steps, Bounds& bounds) {
  if (!is_float(kind)) return;
  const Format format = format_of(kind);
  const double part = std::ldexp(static_cast<double>(steps), -format.precision);
  for (std::int64_t i = 0; i < bounds.count(); ++i) {
    const Interval value = bounds.at(i);
    if (value.is_unbounded() || value.is_nan() || !value.is_finite()) continue;
    const double by = part * std::max(-value.low, value.high);
    bounds.set(i, {value.low - by, value.high + by});
  }
  round_bounds(kind, bounds);
}

using Tiles = std::vector<BoundsRef>;

std::optional<Tiles> combine(EncloseContext& context, const ir::Op& op, const Tiles& a, const Tiles& b) {
  Tiles arguments = a;
  arguments.insert(arguments.end(), b.begin(), b.end());
  return evaluate_region(context, op.region(), arguments);
}

std::optional<Tiles> fold_by_halves(EncloseContext& context, const ir::Op& op, Tiles tiles, const Axis& whole) {
  Axis axis = whole;
  while (axis.n > 1) {
    if (axis.n % 2 != 0) return std::nullopt;
    Tiles left, right;
    for (const BoundsRef& tile : tiles) {
      left.push_back(rows_of(*tile, axis, 0, axis.n / 2));
      right.push_back(rows_of(*tile, axis, axis.n / 2, axis.n / 2));
    }
    auto made = combine(context, op, left, right);
    if (!made) return std::nullopt;
    tiles = std::move(*made);
    axis.n /= 2;
  }
  return tiles;
}

/// Position after position; `keep` takes each, if given.
std::optional<Tiles> fold_in_sequence(EncloseContext& context, const ir::Op& op, const Tiles& tiles, const Axis& axis,
                                      bool is_reverse, Tiles* keep) {
  Tiles current;
  for (std::int64_t k = 0; k < axis.n; ++k) {
    const std::int64_t at = is_reverse ? axis.n - 1 - k : k;
    Tiles next;
    for (const BoundsRef& tile : tiles) next.push_back(rows_of(*tile, axis, at, 1));
    if (k > 0) {
      auto made = combine(context, op, current, next);
      if (!made) return std::nullopt;
      next = std::move(*made);
    }
    current = std::move(next);
    for (std::size_t r = 0; keep != nullptr && r < tiles.size(); ++r) put_row(*current[r], axis, at, *(*keep)[r]);
  }
  return current;
}

/// Positions k of the axis, `first` and `rows` of them.
void put_rows(const Bounds& rows, const Axis& axis, std::int64_t first, const Bounds& to) {
  const std::int64_t run = rows.count() / axis.outer;
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    std::copy_n(rows.low() + o * run, run, to.low() + axis.at(o, first, 0));
    std::copy_n(rows.high() + o * run, run, to.high() + axis.at(o, first, 0));
  }
}

/// Every position with the one 1, then 2, 4, 8 ... before it: the order of lanes that pass on what they have.
std::optional<Tiles> scan_by_doubling(EncloseContext& context, const ir::Op& op, const Tiles& tiles, const Axis& axis,
                                      bool is_reverse) {
  Tiles current;
  for (const BoundsRef& tile : tiles) current.push_back(rows_of(*tile, axis, 0, axis.n));
  for (std::int64_t apart = 1; apart < axis.n; apart *= 2) {
    Tiles before, behind;
    for (const BoundsRef& tile : current) {
      before.push_back(rows_of(*tile, axis, is_reverse ? apart : 0, axis.n - apart));
      behind.push_back(rows_of(*tile, axis, is_reverse ? 0 : apart, axis.n - apart));
    }
    const auto made = combine(context, op, before, behind);
    if (!made) return std::nullopt;
    for (std::size_t r = 0; r < current.size(); ++r) put_rows(*(*made)[r], axis, is_reverse ? 0 : apart, *current[r]);
  }
  return current;
}

BoundsRef with_two_ends(const Bounds& bounds) {
  auto made = std::make_shared<Bounds>(bounds.count());
  std::copy_n(bounds.low(), bounds.count(), made->low());
  std::copy_n(bounds.high(), bounds.count(), made->high());
  return made;
}

void take_hull(const Bounds& into, const Bounds& other) {
  for (std::int64_t i = 0; i < into.count(); ++i) into.set(i, hull(into.at(i), other.at(i)));
}

bool reduce_region(EncloseContext& context, const ir::Op& op, const Axis& axis) {
  const Tiles tiles = operands_of(context, op, true);
  if (axis.n == 1) {  // nothing is combined
    for (std::size_t r = 0; r < tiles.size(); ++r) context.set(*op.result(r), copy_of(*tiles[r]));
    return true;
  }
  auto folded = fold_by_halves(context, op, tiles, axis);
  if (!folded) return false;
  const bool is_exact = is_exact_region(op.region());
  std::optional<Tiles> other;
  if (!is_exact && !(other = fold_in_sequence(context, op, tiles, axis, false, nullptr))) return false;
  for (std::size_t r = 0; r < tiles.size(); ++r) {
    const BoundsRef made = with_two_ends(*(*folded)[r]);
    if (other) {
      take_hull(*made, *(*other)[r]);
      widen_by_steps(kind_of(*op.result(r)), axis.n, *made);
    }
    context.set(*op.result(r), made);
  }
  return true;
}

bool scan_region(EncloseContext& context, const ir::Op& op, const Axis& axis, bool is_reverse) {
  const Tiles tiles = operands_of(context, op, true);
  Tiles kept;
  for (const BoundsRef& tile : tiles) kept.push_back(std::make_shared<Bounds>(tile->count()));
  if (!fold_in_sequence(context, op, tiles, axis, is_reverse, &kept)) return false;
  const bool is_exact = is_exact_region(op.region());
  std::optional<Tiles> other;
  if (!is_exact && !(other = scan_by_doubling(context, op, tiles, axis, is_reverse))) return false;
  for (std::size_t r = 0; r < tiles.size(); ++r) {
    if (other) take_hull(*kept[r], *(*other)[r]);
    if (!is_exact) widen_by_steps(kind_of(*op.result(r)), axis.n, *kept[r]);
    context.set(*op.result(r), kept[r]);
  }
  return true;
}

bool is_sum(const ir::Op& op) {
  const ir::Op* only = op.operand_count() == 1 ? only_op(op.region()) : nullptr;
  return only != nullptr && only->def().opcode == Opcode::arith_addf;
}

/// The order in which a layout combines moves the result by roundings at most.
bool is_combined_alike(EncloseContext& context, const ir::Op& op, bool in_order) {
  if (!has_known_order(op.region())) return false;
  if (only_op(op.region()) != nullptr) return true;
  const auto [known, is_new] = context.orders().try_emplace(&op.region(), false);
  if (is_new) known->second = order_shows(context, op.region(), in_order);
  return !known->second;
}

}  // namespace

bool enclose_reduce(EncloseContext& context, const ir::Op& op) {
  if (!is_combined_alike(context, op, false)) return false;
  if (is_exact_region(op.region()) && context.keep_points(op)) return true;
  const Axis axis = axis_of(op);
  if (!is_sum(op)) return reduce_region(context, op, axis);
  const ir::Value& result = *op.result(0);
  const double depth = context.spreads_sums() ? spread_depth(axis) : kAnyDepth;
  context.set(result, sum_along(*context.bounds(*op.operand(0)), axis, kind_of(result), context.cause(op), depth));
  return true;
}

bool enclose_scan(EncloseContext& context, const ir::Op& op) {
  if (!is_combined_alike(context, op, true)) return false;
  if (is_exact_region(op.region()) && context.keep_points(op)) return true;
  const Axis axis = axis_of(op);
  const bool is_reverse = op.integer_attribute("reverse", 0) != 0;
  if (!is_sum(op)) return scan_region(context, op, axis, is_reverse);
  const ir::Value& result = *op.result(0);
  const BoundsRef made =
      running_sums(*context.bounds(*op.operand(0)), axis, kind_of(result), is_reverse, context.cause(op));
  round_bounds(kind_of(result), *made);
  context.set(result, made);
  return true;
}

bool enclose_map(EncloseContext& context, const ir::Op& op) {
  if (op.integer_attribute("pack", 1) != 1) return false;  // S-96: neighbours are those that one thread holds
  if (is_exact_region(op.region()) && context.keep_points(op)) return true;
  const Tiles tiles = operands_of(context, op, true);
  const auto made = evaluate_region(context, op.region(), tiles);
  if (!made || made->size() != op.result_count()) return false;
  for (std::size_t r = 0; r < op.result_count(); ++r) context.set(*op.result(r), (*made)[r]);
  return true;
}

}  // namespace lockstep::compare
