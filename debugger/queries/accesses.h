// Accesses: who touched certain bytes of memory in the launch's past, told by running it again. What `who` and `why`
// ask first. Invariant: the engine stands where it stood before. Cost: every program of the past is run point by point.
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

/// In the order of time, up to now. `truncated`: there are more than `most`, and those after the first `most` are left
/// out but for the last one.
struct AccessList {
  std::vector<MemoryAccess> accesses;
  std::uint64_t total = 0;
  bool is_truncated = false;
};
/// Problem: pause() came.
Expected<AccessList, Problem> find_accesses(Engine& engine, ByteRange bytes, std::size_t most = 1000);

}  // namespace lockstep::debugger
