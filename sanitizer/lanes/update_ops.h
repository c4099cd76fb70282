// LaneUpdate: the ops of a kernel that update memory by a load and a store of the same elements, found in its text.
// Private to LaneUpdates and UpdateKernel. Not here: whether lanes share elements in a launch (lane_updates.h).
#pragma once

#include <unordered_set>
#include <vector>

#include "ir/op.h"
#include "sanitizer/lanes/lane_facts.h"

namespace lockstep::sanitizer {

/// A store whose value comes from a load by ops that work lane by lane.
struct LaneUpdate {
  const ir::Op *store = nullptr, *load = nullptr;
  std::vector<const ir::Op*> ops;                        // from the load to the store, in the order of the text
  std::vector<const ir::Value*> leaves;                  // what those use and do not make, but for the load
  std::unordered_set<const ir::Value*> made;             // the load's result and what is made of it
  bool is_spread = false;                                // more lanes store than loaded
  bool is_used_here_alone = false;                       // what was loaded matters to nothing but the store
  bool is_clamped = false;                               // its indices are computed, with a minimum or a maximum
};

/// Every pair of a store and a load in a kernel whose memory may be the same.
std::vector<LaneUpdate> find_updates(const std::vector<LaneAccess>& accesses);

}  // namespace lockstep::sanitizer
