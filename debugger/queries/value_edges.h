// Hand-overs: which values become which where a program passes an op of control flow: what loops carry, branches and
// calls pass, returns give back. For those who follow values through a recorded way, forwards or backwards. Invariant:
// all of one list happen at once. Not here: what is followed.
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

/// At `point`; empty where the op hands on nothing. `next`: where the program stands behind it, which decides between
/// branches; null: nowhere. A loop without an iteration gives what it starts from, so its op hands that on, too.
std::vector<ValueEdge> value_edges(const DebugKernel& kernel, const Point& point, const Point* next);

}  // namespace lockstep::debugger
