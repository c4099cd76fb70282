// Folds along one tree, and the hull of all trees. A tree over the leaves i..j splits them once at its root, so that
// its result lies in region(B[i, k], B[k + 1, j]) for some k, by induction on the length. If the order of leaves is
// open, too, a tree of m leaves joins one of a leaves with one of m - a, each of any leaves.
#include "enclosure/rules/fold.h"

#include <algorithm>

#include "enclosure/rules/region.h"

namespace lockstep::enclosure {

Axis axis_of(const ir::Op& op) {
  const std::vector<std::int64_t> shape = shape_of(*op.operand(0));
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  Axis view;
  for (std::size_t d = 0; d < shape.size(); ++d) (d < axis ? view.outer : d == axis ? view.n : view.inner) *= shape[d];
  return view;
}

std::optional<Tiles> combine(EncloseContext& context, const ir::Op& op, const Tiles& a, const Tiles& b) {
  Tiles arguments = a;
  arguments.insert(arguments.end(), b.begin(), b.end());
  return evaluate_region(context, op.region(), arguments);
}

namespace {

/// Positions k of the axis, `first` and every one after it, `rows` of them.
BoundsRef rows_of(const Bounds& from, const Axis& axis, std::int64_t first, std::int64_t rows) {
  auto made = std::make_shared<Bounds>(axis.outer * rows * axis.inner);
  const std::int64_t run = rows * axis.inner;
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    std::copy_n(from.low() + axis.at(o, first, 0), run, made->low() + o * run);
    std::copy_n(from.high() + axis.at(o, first, 0), run, made->high() + o * run);
  }
  made->is_unrounded = from.is_unrounded;
  return made;
}

void put_row(const Bounds& row, const Axis& axis, std::int64_t k, Bounds& to) {
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    for (std::int64_t i = 0; i < axis.inner; ++i) to.set(axis.at(o, k, i), row.at(o * axis.inner + i));
  }
  to.is_unrounded = to.is_unrounded || row.is_unrounded;
}

Tiles empty_like(const Tiles& tiles) {
  Tiles made;
  for (const BoundsRef& tile : tiles) made.push_back(std::make_shared<Bounds>(tile->count()));
  return made;
}

}  // namespace

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

std::optional<Tiles> scan_in_sequence(EncloseContext& context, const ir::Op& op, const Tiles& tiles, const Axis& axis,
                                      bool is_reverse) {
  Tiles current, kept = empty_like(tiles);
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
    for (std::size_t r = 0; r < tiles.size(); ++r) put_row(*current[r], axis, at, *kept[r]);
  }
  return kept;
}

// ---- every tree ----

namespace {

constexpr std::int64_t kTile = 4096;  // elements that the region is evaluated on at once

/// [position][lane], the first position of the scan first.
Tiles by_position(const Tiles& tiles, const Axis& axis, bool is_reverse) {
  Tiles made = empty_like(tiles);
  for (std::size_t r = 0; r < tiles.size(); ++r) {
    for (std::int64_t o = 0; o < axis.outer; ++o) {
      for (std::int64_t k = 0; k < axis.n; ++k) {
        const std::int64_t to = ((is_reverse ? axis.n - 1 - k : k) * axis.outer + o) * axis.inner;
        std::copy_n(tiles[r]->low() + axis.at(o, k, 0), axis.inner, made[r]->low() + to);
        std::copy_n(tiles[r]->high() + axis.at(o, k, 0), axis.inner, made[r]->high() + to);
      }
    }
    made[r]->is_unrounded = tiles[r]->is_unrounded;
  }
  return made;
}

void copy_part(const Bounds& from, std::int64_t first, std::int64_t count, Bounds& to, std::int64_t at) {
  std::copy_n(from.low() + first, count, to.low() + at);
  std::copy_n(from.high() + first, count, to.high() + at);
  to.is_unrounded = to.is_unrounded || from.is_unrounded;
}

void take_hull(Bounds& into, const Bounds& from, std::int64_t first) {
  for (std::int64_t i = 0; i < into.count(); ++i) into.set(i, hull(into.at(i), from.at(first + i)));
  into.is_unrounded = into.is_unrounded || from.is_unrounded;
}

/// Segments of one length from those of all shorter ones. `known[m]`: of m leaves, [start][lane]; in any order: [lane].
class Joiner {
 public:
  Joiner(EncloseContext& context, const ir::Op& op, const std::vector<Tiles>& known, std::int64_t lanes,
         bool in_order)
      : context_(context), op_(op), known_(known), lanes_(lanes), in_order_(in_order) {}

  /// `count`: elements of a tile of segments of this length.
  std::optional<Tiles> join(std::int64_t length, std::int64_t count) {
    const std::int64_t together = std::max<std::int64_t>(1, kTile / count);
    Tiles whole;
    for (std::int64_t first = 1; first < length; first += together) {
      const auto made = join_some(length, count, first, std::min(together, length - first));
      if (!made) return std::nullopt;
      if (whole.empty()) {
        for (const BoundsRef& tile : *made) {
          whole.push_back(std::make_shared<Bounds>(count));
          copy_part(*tile, 0, count, *whole.back(), 0);
        }
      }
      for (std::size_t r = 0; r < whole.size(); ++r) {
        for (std::int64_t at = 0; at < (*made)[r]->count(); at += count) take_hull(*whole[r], *(*made)[r], at);
      }
    }
    return whole;
  }

 private:
  std::optional<Tiles> join_some(std::int64_t length, std::int64_t count, std::int64_t first, std::int64_t splits) {
    Tiles left, right;
    for (std::size_t r = 0; r < known_[1].size(); ++r) {
      left.push_back(std::make_shared<Bounds>(count * splits));
      right.push_back(std::make_shared<Bounds>(count * splits));
      for (std::int64_t s = 0; s < splits; ++s) {
        const std::int64_t taken = first + s;
        copy_part(*known_[static_cast<std::size_t>(taken)][r], 0, count, *left.back(), s * count);
        copy_part(*known_[static_cast<std::size_t>(length - taken)][r], in_order_ ? taken * lanes_ : 0, count,
                  *right.back(), s * count);
      }
    }
    return combine(context_, op_, left, right);
  }

  EncloseContext& context_;
  const ir::Op& op_;
  const std::vector<Tiles>& known_;
  std::int64_t lanes_;
  bool in_order_;
};

}  // namespace

double cost_of_every_tree(const Axis& axis) {
  const auto n = static_cast<double>(axis.n);
  return n * n * n / 6 * static_cast<double>(axis.lanes());
}

std::optional<Tiles> scan_every_tree(EncloseContext& context, const ir::Op& op, const Tiles& tiles, const Axis& axis,
                                     bool is_reverse) {
  const std::int64_t lanes = axis.lanes();
  std::vector<Tiles> known(static_cast<std::size_t>(axis.n) + 1);
  known[1] = by_position(tiles, axis, is_reverse);
  Joiner joiner(context, op, known, lanes, true);
  for (std::int64_t length = 2; length <= axis.n; ++length) {
    auto made = joiner.join(length, (axis.n - length + 1) * lanes);
    if (!made) return std::nullopt;
    known[static_cast<std::size_t>(length)] = std::move(*made);
  }
  Tiles result = empty_like(tiles);
  for (std::size_t r = 0; r < tiles.size(); ++r) {
    for (std::int64_t k = 0; k < axis.n; ++k) {  // the segment of k + 1 leaves that starts at the first
      const Bounds& from = *known[static_cast<std::size_t>(k + 1)][r];
      const std::int64_t at = is_reverse ? axis.n - 1 - k : k;
      result[r]->is_unrounded = result[r]->is_unrounded || from.is_unrounded;
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        result[r]->set(axis.at(lane / axis.inner, at, lane % axis.inner), from.at(lane));
    }
  }
  return result;
}

// ---- every order ----

double cost_of_every_order(const Axis& axis) {
  const auto n = static_cast<double>(axis.n);
  return n * n / 2 * static_cast<double>(axis.lanes());
}

std::optional<Tiles> reduce_every_order(EncloseContext& context, const ir::Op& op, const Tiles& tiles,
                                        const Axis& axis) {
  const std::int64_t lanes = axis.lanes();
  const Tiles leaves = by_position(tiles, axis, false);
  std::vector<Tiles> known(static_cast<std::size_t>(axis.n) + 1);
  for (const BoundsRef& tile : leaves) {
    auto whole = std::make_shared<Bounds>(lanes);
    copy_part(*tile, 0, lanes, *whole, 0);
    for (std::int64_t k = 1; k < axis.n; ++k) take_hull(*whole, *tile, k * lanes);
    known[1].push_back(std::move(whole));
  }
  Joiner joiner(context, op, known, lanes, false);
  for (std::int64_t m = 2; m <= axis.n; ++m) {
    auto made = joiner.join(m, lanes);
    if (!made) return std::nullopt;
    known[static_cast<std::size_t>(m)] = std::move(*made);
  }
  return known.back();
}

}  // namespace lockstep::enclosure
