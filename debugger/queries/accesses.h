// Accesses: who touched certain bytes of memory in the launch's past, found by running it again. `who` and `why` ask
// this first. Invariant: the engine is where it was before. Cost: every program of the past runs point by point.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

/// One op's execution that touched the bytes.
struct MemoryAccess {
  interpreter::TouchKind kind = interpreter::TouchKind::load;
  const Point* point = nullptr;
  std::uint64_t program = 0;
  Mark mark;
  std::int64_t lane = 0;                 // row-major, the first that touched them
  std::string before, after;             // the bytes; of loads the same
  std::vector<std::int64_t> iterations;  // of the loops around, outermost first, from 0
};

/// In the order of time, up to now. `truncated`: there are more than `most`; of those after the first `most`, only the
/// last one is kept.
struct AccessList {
  std::vector<MemoryAccess> accesses;
  std::uint64_t total = 0;
  bool is_truncated = false;
};
/// Problem: pause() came.
Expected<AccessList, Problem> find_accesses(Engine& engine, ByteRange bytes, std::size_t most = 1000);

}  // namespace lockstep::debugger
