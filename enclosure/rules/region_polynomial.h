// Regions that are polynomials of their arguments (affine recurrences, products of matrices, complex products): where
// the polynomial, and the one of magnitudes, are the same in any bracketing, the result of a tree of roundings has a
// bound by induction. Let P be the exact fold, M the same of magnitudes, and every term of one application hold at most
// one argument of either side. A term of P then passes through K = (n - 1) * roundings at most, each a factor within 1
// +- u, so that a rounded tree lies within ((1 + u)^K - 1) * M of P. The loss by underflow, at most tiny at a rounding,
// reaches the result times the factors of the segments before and after. Private to the room.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "enclosure/bounds.h"
#include "ir/op.h"

namespace lockstep::enclosure {

struct RegionPolynomials {
  /// A coefficient and up to one argument of either side; -1: none.
  struct Term {
    double coefficient = 0;
    int left = -1, right = -1;
  };
  std::vector<std::vector<Term>> results, magnitudes;  // by place
  int roundings = 0;                                   // that a term passes through, at most
  bool is_rounded = true;                              // false: integers, exact modulo their size
  bool is_commutative = false;
  std::vector<bool> is_product;  // the last op is a multiplication: a GPU may contract it into what adds to it
};

/// Null: not a polynomial, or not visibly the same in any bracketing.
std::shared_ptr<const RegionPolynomials> polynomials_of(const ir::Region& region);

/// One lane: n leaves of `places` intervals each, leaf after leaf.
struct Leaves {
  std::int64_t n = 0;
  std::vector<Interval> values;  // [n][places]
};
/// Bounds of the result of any tree over the first k + 1 leaves, for each k from `first` on: [n - first][places].
/// `any_order`: of all leaves in any order (needs is_commutative). Not rounded. An element may be unbounded.
std::vector<Interval> fold_polynomials(const RegionPolynomials& polynomials, ScalarKind kind, const Leaves& leaves,
                                       std::int64_t first, bool any_order);

}  // namespace lockstep::enclosure
