// Conflicts: the accesses of two programs that touch the same bytes, one of them writing: ordered by the later one's
// knowledge of the earlier one (sanitizer/race/happens_before.h), or races. Private to the room.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "debugger/queries/ordered_access.h"
#include "interpreter/access/access_lanes.h"
#include "sanitizer/race/happens_before.h"

namespace lockstep::debugger {

/// An access of one of the two.
struct Touch {
  std::size_t side = 0;  // 0 or 1
  OrderedAccess access;
  std::uint32_t site = 0;
  sanitizer::RaceAccessKind kind;  // writes: it has (a compare and swap that fails has not)
  std::uint32_t clock = 0;        // of its program
  sanitizer::KnownPrograms knew;   // of the other one
};

class Touches {
 public:
  void add(const Touch& touch, interpreter::AccessLanes& lanes);
  std::uint64_t count(std::size_t side) const { return counts_[side]; }
  bool is_truncated() const { return is_truncated_; }
  /// One for each pair of ops; races first.
  std::vector<Conflict> conflicts(const sanitizer::HappensBefore& model, const memory_model::AddressSpace& memory);
  /// After conflicts(): for each side, the clock that the other one must know for its first ordered conflict; 1: none.
  const std::array<std::uint32_t, 2>& wanted_clocks() const { return wanted_; }

 private:
  struct Run {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t touch = 0;
  };
  /// A pair of ops, in the order of time.
  struct Pair {
    std::uint32_t first = 0, second = 0;  // touches
    ByteRange bytes;
    std::uint64_t bytes_in_all = 0;
    bool is_ordered = false;
  };

  void meet(const Run& one, const Run& other, const sanitizer::HappensBefore& model);
  bool did_before(const Touch& touch, ByteRange bytes, bool (*what)(const Touch&)) const;
  void tell_race(const Pair& pair, const sanitizer::HappensBefore& model, const memory_model::AddressSpace& memory,
                 Conflict& conflict) const;

  std::vector<Touch> touches_;
  std::vector<Run> runs_;
  std::array<std::uint64_t, 2> counts_{};
  std::map<std::pair<std::uint32_t, std::uint32_t>, Pair> pairs_;  // by site: of the first side, of the second one
  std::array<std::uint32_t, 2> wanted_{1, 1};
  std::array<Mark, 2> wanted_at_{};
  bool is_truncated_ = false;
};

}  // namespace lockstep::debugger
