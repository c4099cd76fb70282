// Which bytes each program of a launch may touch, as numbers, and whether programs are apart: none
// touches what another one writes. Invariant: "apart" is never said of programs that may meet; it is missing for some
// that do not. Method: programs lie at steps along the axes of the grid; sorted by size, each step is at least as long
// as all that lies below it. That is asked of whole stretches of bytes first, then of rows and columns of a pitch. Not
// here: where the numbers come from (access_places.h). Units: bytes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "interpreter/apart/range_rules.h"

namespace lockstep::interpreter::apart {

/// `count` places, `step` apart.
struct PlaceRun {
  Wide step = 1, count = 1;
};

/// What the programs of a launch touch through one access: program (x, y, z) nothing but
/// [base + x * step[0] + y * step[1] + z * step[2] + a place of each run, and `bytes` from there on).
struct ProgramPlace {
  /// Larger steps and counts make sums that need more than 128 bits; such a place must not be known.
  static constexpr Wide kMost = Wide{1} << 56;

  bool is_write = false;
  bool is_known = true;              // false: each program may touch anything in [begin, end)
  std::uint64_t begin = 0, end = 0;  // nobody touches a byte outside
  Wide base = 0;
  std::array<Wide, 3> step{};
  std::vector<PlaceRun> runs;  // steps > 0, counts > 1
  int bytes = 1;
};

/// `places`: all accesses to some storages; they are sorted.
bool programs_are_apart(std::vector<ProgramPlace>& places, const std::array<std::int64_t, 3>& grid);

}  // namespace lockstep::interpreter::apart
