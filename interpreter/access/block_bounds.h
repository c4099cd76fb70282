// BlockBounds: whether a block of a block pointer leaves the tensor that the pointer describes in a dimension that
// boundaryCheck does not name (LS106), or begins after it because it was advanced too far (LS108). If it then leaves
// the argument's memory, the access path reports an error with these words; if it stays inside, this file reports a
// warning. Invariant: reads and writes do not depend on it. Not here: descriptors, which check everything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/access/block.h"

namespace lockstep::interpreter {

/// A tt.advance between one iteration of a loop and the next.
struct BlockAdvance {
  Location location;
  std::uint32_t dimensions = 0;  // bit d: those that it may move
};

/// The IR's facts about the block pointer of an access; made once a plan.
struct BlockBounds {
  std::uint32_t checked = 0;           // bit d: boundaryCheck names dimension d
  std::vector<BlockAdvance> advances;  // of one iteration of the innermost loop that carries the pointer
  std::uint32_t advanced_twice = 0;    // bit d: two or more of them move dimension d

  /// The block lies in the shape, or leaves it only in dimensions that boundaryCheck covers.
  bool is_inside(const BlockRecord& record, const std::vector<std::int64_t>& block) const {
    for (std::size_t d = 0; d < block.size(); ++d) {
      const bool is_checked = (checked >> d & 1) != 0;
      if (is_checked && (advanced_twice >> d & 1) == 0) continue;
      if (is_checked ? record.offset[d] >= record.shape[d]
                     : record.offset[d] < 0 || record.offset[d] > record.shape[d] - block[d])
        return false;
    }
    return true;
  }
};

/// For a tt.load or tt.store through a block pointer.
BlockBounds plan_block_bounds(const ir::Op& op, std::uint32_t checked);

/// For a block that is not inside: reports the warning, or prepares the access path's message for a block that leaves
/// the argument. `guard` must live as long as the result.
BlockShape judge_block(Machine& machine, const Step* step, const BlockShape& shape, const BlockRecord& record,
                       const BlockBounds& bounds, std::string& guard);

}  // namespace lockstep::interpreter
