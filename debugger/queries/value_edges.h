// Hand-overs: which values become which at an op of control flow: values that loops carry, branches and calls pass,
// returns give back. For code that follows values through a recorded path, forwards or backwards. Invariant: all of one
// list happen at once. Not here: the followed values.
#pragma once

#include <cstdint>
#include <vector>

#include "debugger/engine/points.h"

namespace lockstep::debugger {

struct ValueEdge {
  const ir::Value* from = nullptr;
  const ir::Value* to = nullptr;
  std::uint32_t from_activation = 0, to_activation = 0;
};

/// At `point`; empty where the op hands on nothing. `next`: the program's next point, which decides between branches;
/// null: none. A loop without an iteration passes on its initial values, so its op has these edges, too.
std::vector<ValueEdge> value_edges(const DebugKernel& kernel, const Point& point, const Point* next);

}  // namespace lockstep::debugger
