// LaneBoxes: accesses of one program that are known to be harmless as wholes, before anybody looks at single lanes. An
// access joins them if it is one strided box that gives every lane of a store a byte of its own and, against each of
// them where one of the two is a store, either is the same box in the same lanes or shares no byte with it. Atomics
// may share bytes with each other only. Invariant: no two accesses that it holds make a hazard under the model `tile`.
// Not here: the accesses that do not join.
#pragma once

#include <cstdint>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/lanes/lane_facts.h"

namespace lockstep::sanitizer {

struct LaneBox {
  std::uint32_t access = 0;  // its number
  const LaneAccess* op = nullptr;
  interpreter::AddressBox box{};
  std::vector<std::int64_t> shape;  // of the tile
  int bytes = 0;                    // of an element

  /// Calls body(lane, address) for every lane that is on.
  template <typename Body>
  void for_each_lane(Body&& body) const {
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::int64_t k = 0; k < box.count; ++k) {
      std::int64_t lane = 0;
      std::uint64_t address = box.origin;
      for (std::size_t d = 0; d < index.size(); ++d) {
        lane = lane * shape[d] + box.low[d] + index[d];
        address += static_cast<std::uint64_t>(index[d] * box.stride[d]);
      }
      body(lane, address);
      for (std::size_t d = index.size(); d-- > 0;) {
        if (++index[d] < box.shape[d]) break;
        index[d] = 0;
      }
    }
  }
};

class LaneBoxes {
 public:
  /// False: it may meet one of them, or is not a plain box; nothing was added.
  bool add(std::uint32_t number, const LaneAccess& op, interpreter::AccessLanes& lanes);
  const std::vector<LaneBox>& all() const { return boxes_; }
  void clear() { boxes_.clear(); }

 private:
  std::vector<LaneBox> boxes_;
};

}  // namespace lockstep::sanitizer
