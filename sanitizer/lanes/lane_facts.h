// LaneFacts: what the IR alone says about a kernel's memory ops, for the checker of hazards between lanes: which
// arguments they reach, which threads need a load of one element, which loads a software pipeline may start early, and
// whether two ops access the same tile of addresses. Invariant: "same" and "private" are certain. Not here: facts about
// a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/access/access_lanes.h"
#include "interpreter/batching/effects.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

struct LaneAccess {
  const ir::Op* op = nullptr;
  interpreter::TouchKind kind = interpreter::TouchKind::load;
  interpreter::PointerSet memory;
  std::uint32_t order = 0;  // in the text of the IR
  /// Accesses with one number have the same address and the same mask in every lane, whenever they run in one iteration
  /// of the loops around both. 0: unknown.
  std::uint64_t tile = 0;
  /// A load of one element whose value every thread of the program uses, so that each executes the load.
  bool is_everyones = false;
  /// Loads that necessarily come before this store, because the stored value is computed from them.
  std::vector<const ir::Op*> sources;
  /// Those of them whose every lane the store needs for any element (a reduction to one element lies between).
  std::vector<const ir::Op*> whole_sources;
  /// A load that a software pipeline starts iterations early in this loop; null: none does.
  const ir::Op* pipelined_in = nullptr;
  int stages = 0;  // that the loop asks for; 0: the kernel's
  // Atomics:
  bool acquires = false, releases = false, is_answered = false;  // answered: its result is used
};

class LaneFacts {
 public:
  LaneFacts(const ir::Module& module, const ir::Op& kernel);

  const std::vector<LaneAccess>& accesses() const { return accesses_; }

 private:
  std::vector<LaneAccess> accesses_;
};

}  // namespace lockstep::sanitizer
