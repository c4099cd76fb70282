// What the accesses of a kernel are to the race checker: plain or atomic, of which order and scope, and what shape of
// use they make (a lock, a counter, a loop that waits). Keyed by op; the call path only affects its place.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/module.h"
#include "support/location.h"

namespace lockstep::sanitizer {

/// Volatile loads are relaxed atomics of the widest scope, as in PTX.
struct RaceAccessKind {
  bool reads = false, writes = false, is_atomic = false;
  bool is_observed = false;  // somebody uses what an atomic read
  bool acquires = false, releases = false;
  bool is_cta = false;     // scope of an atomic
  bool continues = false;  // a read-modify-write: releases before it stay to be learnt
  bool swaps = false;      // exchange, compare and swap: what locks are made of
  bool compares = false;   // compare and swap: may not write
  bool may_spin = false;   // in a loop that may wait for others
};

/// Precondition: interpreter::touches_memory(op).
RaceAccessKind race_access_kind(const ir::Op& op);

struct RaceSite {
  const ir::Op* op = nullptr;
  Location location;
  RaceAccessKind kind;
  std::uint32_t bytes = 0;  // of an element
};

/// The sites of a launch by number, from 1.
class RaceSites {
 public:
  std::uint32_t number_of(const ir::Op& op, const Location& location, std::uint32_t bytes);
  const RaceSite& operator[](std::uint32_t number) const { return sites_[number]; }

 private:
  std::vector<RaceSite> sites_ = std::vector<RaceSite>(1);
  std::unordered_map<const ir::Op*, std::vector<std::uint32_t>> by_op_;
};

}  // namespace lockstep::sanitizer
