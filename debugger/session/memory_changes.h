// MemoryChanges: which elements of an argument are no longer as the launch found them. Elements are compared bit by bit,
// so that a NaN that stayed is no change and a zero that got a sign is one. Invariant: asking changes nothing. Not here:
// who changed them (queries/accesses.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "debugger/expression/scope.h"

namespace lockstep::debugger {

struct MemoryChanges {
  std::vector<std::int64_t> elements;  // row-major numbers, rising
  Tensor before, now;                  // all elements of the argument
};

/// Errors: the argument has more elements than a value may have; its memory cannot be read.
Expected<MemoryChanges, std::string> changes_of(MemoryWindow window, const Scope& scope);

}  // namespace lockstep::debugger
