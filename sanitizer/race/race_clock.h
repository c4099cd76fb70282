// Clocks of programs for the race checker: what a program knows of the others' progress, by intervals of programs that
// it knows the same of. Two numbers a program: `sure` counts what synchronisation orders, `would` what it would order
// if every access on the way were an atomic that acquires and releases; where they differ, `blame` says what is in the
// way. Invariant: would >= sure, and blame is 0 where they are equal. Not here: memory, and what is reported.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace lockstep::sanitizer {

struct KnownPrograms {
  std::uint32_t first = 0, last = 0;  // both included
  std::uint32_t sure = 0, would = 0, blame = 0;
};

class RaceClock {
 public:
  RaceClock() = default;
  /// The clock of a program that knows only itself.
  RaceClock(std::uint32_t program, std::uint32_t clock) : runs_{{program, program, clock, clock, 0}} {}

  /// A null entry if nothing is known.
  KnownPrograms of(std::uint32_t program) const;
  /// The first program of [first, last], except `self`, that is not known to have reached `clock`; false: none.
  bool first_unordered(std::uint32_t first, std::uint32_t last, std::uint32_t clock, std::uint32_t self,
                       std::uint32_t& out) const;
  /// Learns what `other` knows: surely (is_proper), or only as it would be; `blame_of(b)`: what to blame where
  /// something is only so, given what `other` blames (0: nothing).
  void learn(const RaceClock& other, bool is_proper, const std::function<std::uint32_t(std::uint32_t)>& blame_of);
  bool empty() const { return runs_.empty(); }
  const std::vector<KnownPrograms>& runs() const { return runs_; }

 private:
  std::vector<KnownPrograms> runs_;  // rising, disjoint, neighbours differ
};

}  // namespace lockstep::sanitizer
