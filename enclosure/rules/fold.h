// Reductions and scans as folds of a region along one axis: tiles as [outer, n, inner], segments of positions, and the
// bounds of the results of all trees over them. Invariant: a function for every tree holds for any region, associative
// or not. Private to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "enclosure/enclose_context.h"

namespace lockstep::enclosure {

/// A tile as [outer, n, inner], whose middle dimension is the axis.
struct Axis {
  std::int64_t outer = 1, n = 1, inner = 1;
  std::int64_t at(std::int64_t o, std::int64_t k, std::int64_t i) const { return (o * n + k) * inner + i; }
  std::int64_t lanes() const { return outer * inner; }
};
Axis axis_of(const ir::Op& op);

/// One for each place: operand or result of the fold.
using Tiles = std::vector<BoundsRef>;

/// The region of (a, b), element by element; nullopt: one of its ops is unknown.
std::optional<Tiles> combine(EncloseContext& context, const ir::Op& op, const Tiles& a, const Tiles& b);

/// Along the halving tree: [outer, inner]. nullopt: as combine, or n is not a power of two.
std::optional<Tiles> fold_by_halves(EncloseContext& context, const ir::Op& op, Tiles tiles, const Axis& axis);
/// Position after position, each result kept at its position.
std::optional<Tiles> scan_in_sequence(EncloseContext& context, const ir::Op& op, const Tiles& tiles, const Axis& axis,
                                      bool is_reverse);

/// Every tree over the leaves before and at each position, in order (from the end, if reversed): for segments of each
/// length the hull over all places where they may be split. Evaluates the region on lanes * n^3 / 6 elements.
std::optional<Tiles> scan_every_tree(EncloseContext& context, const ir::Op& op, const Tiles& tiles, const Axis& axis,
                                     bool is_reverse);
double cost_of_every_tree(const Axis& axis);
/// Every tree over the leaves in every order: by induction on the number of leaves, from the hull of all leaves.
/// Evaluates the region on lanes * n^2 / 2 elements.
std::optional<Tiles> reduce_every_order(EncloseContext& context, const ir::Op& op, const Tiles& tiles,
                                        const Axis& axis);
double cost_of_every_order(const Axis& axis);

}  // namespace lockstep::enclosure
