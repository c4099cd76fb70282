// LaneMovement: from which lane of which operand every lane of a result comes, for ops that move elements and compute
// nothing (splat, broadcast, trans, join ...), by their row's `movement`. Invariant: lanes are row-major numbers. Not
// here: values, ops whose movement depends on values (gathers, except for their one operand that does not).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/op.h"
#include "ir/op_traits.h"

namespace lockstep::ir {

struct LaneSource {
  std::size_t operand = 0;
  std::int64_t lane = 0;
};

/// True for the movements that lane_source() handles.
bool moves_lanes(Movement movement);
bool moves_lanes(const Op& op);
/// True where lane i of every operand makes lane i of every result: element-wise ops.
bool keeps_lanes(const Op& op);
/// Precondition: moves_lanes(op), and a lane of that result.
LaneSource lane_source(const Op& op, std::size_t result, std::int64_t lane);
/// For a value whose lanes follow those of some tile: the dimension of that tile for each of its own; -1: none known.
using Dimensions = std::vector<int>;
/// Of the tile itself.
Dimensions own_dimensions(const Value& tile);
/// The dimensions of the operand of an op with one operand whose lanes it moves.
Dimensions dimensions_before(const Op& op, const Dimensions& dimensions);
/// The lane of a gather's operand 0 that a lane of its result comes from; `index`: operand 1's value there. An index
/// outside counts modulo the extent (S-101).
std::int64_t gathered_lane(const Op& gather, std::int64_t lane, std::int64_t index);

}  // namespace lockstep::ir
