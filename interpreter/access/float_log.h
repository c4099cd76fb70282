// FloatLog: float additions of atomics whose old value nobody reads, kept until their turn in program order. Plain data.
// Not here: applying them (atomic.h).
#pragma once

#include <cstdint>
#include <vector>

#include "support/scalar.h"

namespace lockstep::interpreter {

/// Deferred float additions: `count` adjacent elements of `kind` at `address`; their values follow in FloatLog::bytes.
struct FloatAtomic {
  std::uint64_t address = 0;
  std::uint32_t count = 0;
  ScalarKind kind = ScalarKind::f32;
  bool flushes = false;  // as the atomics of f32 do
};
struct FloatLog {
  std::vector<FloatAtomic> entries;
  std::vector<char> bytes;
};

}  // namespace lockstep::interpreter
