// ProgramOrder: what orders two programs of a launch in the execution up to here: the releases and acquires that lead
// from one to the other, and the accesses of both to the same bytes of which one writes, each ordered by that or a
// race. The rules are the race checker's (sanitizer/race/happens_before.h), asked about the past run again. The order of the
// grid orders nothing. Invariant: a path is given exactly where the checker's clocks know of one. Not here: text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

/// An access as it was made.
struct OrderedAccess {
  std::uint64_t program = 0;
  const Point* point = nullptr;
  Moment moment;
};

/// What one program released, another one acquired.
struct OrderEdge {
  OrderedAccess released, acquired;
  std::uint64_t address = 0;  // of the element; an atomic tile's first
  std::string left, seen;     // its bytes after the release, and as the acquire read them
};

/// Two ops, one of each program, that touched the same bytes, one of them writing: the first pair of accesses that
/// nothing orders, else the first one.
struct Conflict {
  OrderedAccess first, second;  // in time
  bool first_writes = false, second_writes = false;
  ByteRange bytes;
  std::uint64_t bytes_in_all = 0;  // that both ops touched, counted for each pair of accesses
  bool is_ordered = false;
  // Of a race:
  FindingCode code = FindingCode::none;    // of the finding that `--check races` makes of it
  std::string blame;        // "flag[0] is set by a relaxed atomic (line 9)": what tried to order them; may be empty
  std::string_view remedy;  // what would
};

struct ProgramOrder {
  /// From the first program asked about to the second one, and back; empty: nothing orders them that way. Where there
  /// are conflicts that it orders, the way orders the first of them.
  std::array<std::vector<OrderEdge>, 2> paths;
  std::vector<Conflict> conflicts;          // races first, then in the order of time
  std::array<std::uint64_t, 2> accesses{};  // that each made, of memory that several programs may meet in
  bool has_fences = false;                  // inline assembly that orders memory: not modelled, nothing is known
  bool is_truncated = false;                // too many accesses to compare: conflicts may be missing
};

/// Precondition: two different programs of the grid. Problem: pause() came.
Expected<ProgramOrder, Problem> find_program_order(Engine& engine, std::uint64_t first, std::uint64_t second);

}  // namespace lockstep::debugger
