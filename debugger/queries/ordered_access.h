// Accesses of programs in their order, and two that conflict.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "debugger/engine/engine.h"

namespace lockstep::debugger {

/// An access as it happened.
struct OrderedAccess {
  std::uint64_t program = 0;
  const Point* point = nullptr;
  Mark mark;
};

/// Two ops, one of each program, that touched the same bytes, one of them writing: the first unordered pair, else the
/// first one.
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

}  // namespace lockstep::debugger
