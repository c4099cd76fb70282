// Timeline: which program ran when up to now, where in its turns it touched memory or multiplied matrices, and what
// ordered programs or failed to: acquired releases, and races. It finds a page of turns at a time by running the past
// again. Invariant: the engine is where it was before. Cost: the turns of the page point by point; if programs may
// meet, all turns before them, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

struct TimelineTick {
  enum class Kind : std::uint8_t { load, store, atomic, dot } kind = Kind::load;
  std::uint64_t step = 0;  // ops of the program before it
};

/// One turn: a stretch of a program's ops.
struct TimelineTurn {
  std::uint64_t number = 0, program = 0;
  std::uint64_t first_step = 0, steps = 0;  // ops of the program before it, ops in it
  std::vector<TimelineTick> ticks;          // the first few
};

/// A link between two accesses, in time.
struct TimelineLink {
  struct End {
    std::uint64_t program = 0, turn = 0, step = 0;
    Place place;
  };
  End from, to;
  bool is_race = false;  // else the first released what the second one acquired
};

struct Timeline {
  std::uint64_t turns = 0;  // up to now, those of other pages included
  std::vector<TimelineTurn> shown;
  std::vector<TimelineLink> links;  // that end in a turn of the page, the first few, races first
  bool is_truncated = false;        // ticks or links are missing
};

constexpr std::uint64_t kMostTimelineTurns = 1024;

/// Turns [first, first + count). Problem: pause() came.
Expected<Timeline, Problem> find_timeline(Engine& engine, std::uint64_t first, std::uint64_t count);

}  // namespace lockstep::debugger
