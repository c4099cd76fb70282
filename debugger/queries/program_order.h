// ProgramOrder: what orders two programs of a launch in the execution up to here: the releases and acquires that lead
// from one to the other, and the accesses of both to the same bytes of which one writes, each ordered by that or a
// race. The rules are the race checker's (sanitizer/race/happens_before.h), applied to the past. The order of the grid
// orders nothing. Invariant: there is a path exactly where the checker's clocks have one. Not here: text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/queries/ordered_access.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

/// One program's release that another one acquired.
struct OrderEdge {
  OrderedAccess released, acquired;
  std::uint64_t address = 0;  // of the element; an atomic tile's first
  std::string left, seen;     // its bytes after the release, and as the acquire read them
};

struct ProgramOrder {
  /// From the first program to the second one, and back; empty: nothing orders them that way. If it orders conflicts,
  /// the way orders the first of them.
  std::array<std::vector<OrderEdge>, 2> paths;
  std::vector<Conflict> conflicts;          // races first, then in the order of time
  std::array<std::uint64_t, 2> accesses{};  // that each made, of memory that several programs may meet in
  bool has_fences = false;                  // inline assembly that orders memory: not modelled, nothing is known
  bool is_truncated = false;                // too many accesses to compare: conflicts may be missing
};

/// Precondition: two different programs of the grid. Problem: pause() came.
Expected<ProgramOrder, Problem> find_program_order(Engine& engine, std::uint64_t first, std::uint64_t second);

}  // namespace lockstep::debugger
