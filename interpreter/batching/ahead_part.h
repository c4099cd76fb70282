// Ahead part: what a program of a kernel that runs in order can compute before its turn, from arguments, its number and
// memory that nothing writes: scans that are chains, and reductions of the same values. Those of several programs run
// as one (batch_rewrite.h), so that their chains run side by side. Invariant: the ops are in the function's entry block,
// have no effect but loads that are not volatile, and need no other op. Not here: which ops these are (ahead_search.h),
// whether a launch writes that memory (prepared.h), and whose results a program takes (ahead_plan.h).
#pragma once

#include <unordered_set>
#include <vector>

#include "interpreter/batching/effects.h"
#include "ir/op.h"

namespace lockstep::interpreter {

struct AheadPart {
  std::vector<const ir::Op*> kept;        // whose results programs take, in the order of the text
  std::unordered_set<const ir::Op*> ops;  // they and what they need
  PointerSet read;                        // memory that the loads among them read

  bool empty() const { return kept.empty(); }
};

}  // namespace lockstep::interpreter
