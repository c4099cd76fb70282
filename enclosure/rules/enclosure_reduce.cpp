#include "enclosure/rules/enclosure_reduce.h"

#include <algorithm>

#include "enclosure/rules/any_order.h"
#include "enclosure/rules/fold.h"
#include "enclosure/rules/region.h"
#include "enclosure/rules/region_laws.h"
#include "ir/opcode.h"

namespace lockstep::enclosure {

namespace {

/// The most evaluations of a region, of one element each, for which every tree is tried; for one run of an op.
constexpr double kCheapTrees = 0x1p18, kMostTrees = 0x1p22;

/// A reduction or scan as its rules see it.
struct Folding {
  EncloseContext& context;
  const ir::Op& op;
  const RegionLaws& laws;
  Axis axis;
  bool is_scan = false, is_reverse = false;
  const ir::Region& region() const { return op.region(); }
  std::int64_t place_of(std::int64_t k) const { return is_reverse ? axis.n - 1 - k : k; }
};

/// The additions that a term passes through if a tile is spread evenly over 32 threads or more, and replicated only if
/// it has fewer elements: those of its thread, and a tree over 32 lanes and at most 32 warps.
double spread_depth(const Axis& axis) {
  constexpr std::int64_t kLanes = 32, kTree = 10;
  const std::int64_t held = (axis.outer * axis.n * axis.inner + kLanes - 1) / kLanes;
  return static_cast<double>(std::min(axis.n - 1, std::min(axis.n, held) - 1 + kTree));
}

Tiles operands_of(const Folding& fold) {
  Tiles found;
  for (const ir::Value* value : fold.op.operands()) found.push_back(fold.context.bounds(*value));
  return found;
}

/// `made` becomes a result; products that may be contracted stay unrounded.
void set_result(const Folding& fold, std::size_t place, const BoundsRef& made, bool is_product) {
  const ir::Value& result = *fold.op.result(place);
  if (is_product && fold.context.may_contract(fold.op)) {
    made->is_unrounded = true;
  } else {
    round_bounds(number_kind(fold.context, result), *made);
  }
  fold.context.set(result, made);
}

// ---- known operations ----

/// Fills one lane's results: a scan's by position, a reduction's single one.
template <typename Add, typename Result>
void fold_lane(const Folding& fold, const Bounds& from, std::int64_t o, std::int64_t i, const Bounds& made,
               const Add& add, const Result& result) {
  for (std::int64_t k = 0; k < fold.axis.n; ++k) {
    const std::int64_t at = fold.axis.at(o, fold.place_of(k), i);
    add(from.at(at));
    if (fold.is_scan) made.set(at, k == 0 ? from.at(at) : result());
  }
  if (!fold.is_scan) made.set(o * fold.axis.inner + i, fold.axis.n == 1 ? from.at(fold.axis.at(o, 0, i)) : result());
}

BoundsRef sums(const Folding& fold, const Bounds& from, ScalarKind kind) {
  const Axis& axis = fold.axis;
  const bool spreads = !fold.is_scan && fold.context.spreads_sums();
  if (spreads) fold.context.rely_on_model(fold.op);
  const double depth = spreads ? spread_depth(axis) : kAnyDepth;
  const CauseId cause = fold.context.cause(fold.op);
  const auto made = std::make_shared<Bounds>(fold.is_scan ? from.count() : axis.lanes());
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    for (std::int64_t i = 0; i < axis.inner; ++i) {
      Terms terms;
      if (fold.is_scan) {
        fold_lane(
            fold, from, o, i, *made, [&](const Interval& term) { terms.add(term); },
            [&] { return sum_in_any_order(kind, terms, cause); });
      } else {
        terms.add(from.low() + axis.at(o, 0, i), from.high() + axis.at(o, 0, i), axis.n, axis.inner);
        made->set(o * axis.inner + i, sum_in_any_order(kind, terms, cause, depth));
      }
    }
  }
  return made;
}

BoundsRef products(const Folding& fold, const Bounds& from, ScalarKind kind) {
  const auto made = std::make_shared<Bounds>(fold.is_scan ? from.count() : fold.axis.lanes());
  for (std::int64_t o = 0; o < fold.axis.outer; ++o) {
    for (std::int64_t i = 0; i < fold.axis.inner; ++i) {
      Factors factors;
      fold_lane(
          fold, from, o, i, *made, [&](const Interval& factor) { factors.add(factor); },
          [&] { return product_in_any_order(kind, factors, fold.context.cause(fold.op)); });
    }
  }
  return made;
}

/// Any tree gives the same numbers: the halving tree for a reduction, the sequence for a scan.
std::optional<Tiles> fold_once(const Folding& fold) {
  Tiles tiles;
  for (const ir::Value* value : fold.op.operands()) tiles.push_back(fold.context.rounded(*value));
  return fold.is_scan ? scan_in_sequence(fold.context, fold.op, tiles, fold.axis, fold.is_reverse)
                      : fold_by_halves(fold.context, fold.op, tiles, fold.axis);
}

/// A place with a known law. False: an op of the region is unknown.
bool fold_place(const Folding& fold, std::size_t r, std::optional<Tiles>& exact) {
  const ir::Value &from = *fold.op.operand(r), &to = *fold.op.result(r);
  switch (fold.laws.places[r]) {
    case PlaceLaw::sum: set_result(fold, r, sums(fold, *fold.context.bounds(from), number_kind(fold.context, to)), false); return true;
    case PlaceLaw::product:
      set_result(fold, r, products(fold, *fold.context.rounded(from), number_kind(fold.context, to)), true);
      return true;
    default: break;
  }
  if (fold.context.is_point(from)) return fold.context.keep_point(to), true;
  if (!exact && !(exact = fold_once(fold))) return false;
  fold.context.set(to, (*exact)[r]);
  return true;
}

bool fold_by_places(const Folding& fold) {
  std::optional<Tiles> exact;
  for (std::size_t r = 0; r < fold.laws.places.size(); ++r) {
    if (!fold_place(fold, r, exact)) return false;
  }
  return true;
}

// ---- choices ----

/// Whether values of one lane, all points, are different.
bool differ(const Bounds& values, const Axis& axis, std::int64_t o, std::int64_t i) {
  std::vector<double> sorted;
  for (std::int64_t k = 0; k < axis.n; ++k) {
    const Interval value = values.at(axis.at(o, k, i));
    if (!value.is_point()) return false;
    sorted.push_back(value.low);
  }
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

/// A reduction that selects one of its elements, in any order of comparison: the same one if the deciding values
/// differ, else any.
bool reduce_choice(const Folding& fold) {
  const Axis& axis = fold.axis;
  Tiles tiles;
  for (const ir::Value* value : fold.op.operands()) tiles.push_back(fold.context.rounded(*value));
  const auto chosen = fold.laws.key ? fold_by_halves(fold.context, fold.op, tiles, axis) : std::nullopt;
  for (std::size_t r = 0; r < tiles.size(); ++r) {
    const auto made = std::make_shared<Bounds>(axis.lanes());
    for (std::int64_t o = 0; o < axis.outer; ++o) {
      for (std::int64_t i = 0; i < axis.inner; ++i) {
        const std::int64_t lane = o * axis.inner + i;
        if (chosen && differ(*tiles[*fold.laws.key], axis, o, i)) {
          made->set(lane, (*chosen)[r]->at(lane));
          continue;
        }
        Interval any = tiles[r]->at(axis.at(o, 0, i));
        for (std::int64_t k = 1; k < axis.n; ++k) any = hull(any, tiles[r]->at(axis.at(o, k, i)));
        made->set(lane, any);
      }
    }
    fold.context.set(*fold.op.result(r), made);
  }
  return true;
}

// ---- polynomials ----

bool fold_by_polynomials(const Folding& fold) {
  const RegionPolynomials& polynomials = *fold.laws.polynomials;
  const Tiles tiles = operands_of(fold);
  const ScalarKind kind = number_kind(fold.context, *fold.op.operand(0));
  const std::size_t places = tiles.size();
  const Axis& axis = fold.axis;
  Tiles made;
  for (const BoundsRef& tile : tiles)
    made.push_back(std::make_shared<Bounds>(fold.is_scan ? tile->count() : axis.lanes()));
  for (std::int64_t lane = 0; lane < axis.lanes(); ++lane) {
    const std::int64_t o = lane / axis.inner, i = lane % axis.inner;
    Leaves leaves{axis.n, {}};
    for (std::int64_t k = 0; k < axis.n; ++k) {
      for (const BoundsRef& tile : tiles) leaves.values.push_back(tile->at(axis.at(o, fold.place_of(k), i)));
    }
    const std::int64_t first = fold.is_scan ? 0 : axis.n - 1;
    const auto results = fold_polynomials(polynomials, kind, leaves, first, !fold.is_scan);
    for (std::size_t at = 0; at < results.size(); ++at) {
      const std::int64_t k = first + static_cast<std::int64_t>(at / places);
      made[at % places]->set(fold.is_scan ? axis.at(o, fold.place_of(k), i) : lane, results[at]);
    }
  }
  for (std::size_t r = 0; r < places; ++r) {
    const bool is_product = polynomials.is_product[r] || tiles[r]->is_unrounded;
    set_result(fold, r, made[r], is_product);
  }
  return true;
}

// ---- any region ----

/// Every tree, if that costs `most` evaluations at most and the launch has them left.
std::optional<Tiles> every_tree(const Folding& fold, double most) {
  const double cost = fold.is_scan ? cost_of_every_tree(fold.axis) : cost_of_every_order(fold.axis);
  if (cost > most || !fold.context.spend(cost)) return std::nullopt;
  const Tiles tiles = operands_of(fold);
  return fold.is_scan ? scan_every_tree(fold.context, fold.op, tiles, fold.axis, fold.is_reverse)
                      : reduce_every_order(fold.context, fold.op, tiles, fold.axis);
}

bool fold_every_tree(const Folding& fold, double most) {
  const auto made = every_tree(fold, most);
  if (!made) return false;
  std::optional<Tiles> exact;
  for (std::size_t r = 0; r < made->size(); ++r) {
    const bool is_known = !fold.is_scan && fold.laws.places[r] != PlaceLaw::none;
    if (is_known && fold_place(fold, r, exact)) continue;
    set_result(fold, r, (*made)[r], (*made)[r]->is_unrounded);
  }
  return true;
}

bool fold_one(const Folding& fold) {
  for (std::size_t r = 0; r < fold.op.result_count(); ++r)
    fold.context.set(*fold.op.result(r), copy_of(*fold.context.rounded(*fold.op.operand(r))));
  return true;
}

bool enclose_fold(const Folding& fold) {
  const RegionLaws& laws = fold.laws;
  if (laws.places.size() != fold.op.result_count()) return false;
  if (fold.axis.n == 1) return fold.context.keep_points(fold.op) || fold_one(fold);
  if (laws.is_associative && (fold.is_scan || laws.is_commutative)) {
    if (fold.context.keep_points(fold.op)) return true;
    const auto made = fold_once(fold);
    for (std::size_t r = 0; made && r < made->size(); ++r) fold.context.set(*fold.op.result(r), (*made)[r]);
    return made.has_value();
  }
  if (laws.are_places_known()) return fold_by_places(fold);
  if (laws.is_choice && !fold.is_scan) return reduce_choice(fold);
  const bool has_polynomials = laws.polynomials != nullptr && laws.polynomials->is_rounded;
  if (fold.is_scan && fold_every_tree(fold, has_polynomials ? kCheapTrees : kMostTrees)) return true;
  if (has_polynomials && (fold.is_scan || laws.polynomials->is_commutative)) return fold_by_polynomials(fold);
  const bool is_hopeless = fold.is_scan || has_polynomials || laws.shows_order;
  return !is_hopeless && fold_every_tree(fold, kMostTrees);
}

}  // namespace

bool enclose_reduce(EncloseContext& context, const ir::Op& op) {
  return enclose_fold({context, op, laws_of(context, op.region(), false), axis_of(op), false, false});
}

bool enclose_scan(EncloseContext& context, const ir::Op& op) {
  const bool is_reverse = op.integer_attribute("reverse", 0) != 0;
  return enclose_fold({context, op, laws_of(context, op.region(), true), axis_of(op), true, is_reverse});
}

bool enclose_map(EncloseContext& context, const ir::Op& op) {
  if (op.integer_attribute("pack", 1) != 1) return false;  // S-96: neighbours are those that one thread holds
  if (is_exact_region(op.region()) && context.keep_points(op)) return true;
  Tiles tiles;
  for (const ir::Value* value : op.operands()) tiles.push_back(context.rounded(*value));
  const auto made = evaluate_region(context, op.region(), tiles);
  if (!made || made->size() != op.result_count()) return false;
  for (std::size_t r = 0; r < op.result_count(); ++r) context.set(*op.result(r), (*made)[r]);
  return true;
}

}  // namespace lockstep::enclosure
