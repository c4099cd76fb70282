// Lane maps: from which lane of which operand every lane of a result comes, for ops that move elements and compute
// nothing (splat, broadcast, trans, join ...). For those who follow single elements through a kernel. Invariant: lanes
// are row-major numbers. Not here: values, ops whose way depends on values (tt.gather).
#pragma once

#include <cstdint>

#include "ir/op.h"

namespace lockstep::interpreter {

struct LaneSource {
  std::size_t operand = 0;
  std::int64_t lane = 0;
};

/// True for the ops that lane_source() is for.
bool moves_lanes(const ir::Op& op);
/// True where lane i of every operand makes lane i of every result: element-wise ops.
bool keeps_lanes(const ir::Op& op);
/// Precondition: moves_lanes(op), and a lane of that result.
LaneSource lane_source(const ir::Op& op, std::size_t result, std::int64_t lane);

}  // namespace lockstep::interpreter
