// AheadRuns: which turns of a timeline ran programs at full speed, and where the others began.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "debugger/engine/programs.h"
#include "interpreter/launch/launch.h"

namespace lockstep::debugger {

class AheadRuns {
 public:
  /// Turns [first_turn, first_turn + count) belong to programs [first_program, ...).
  struct Gap {
    std::uint64_t first_turn = 0, first_program = 0, count = 0;
    std::vector<interpreter::ProgramRange> finished;
  };
  void add(Gap gap) { gaps_.push_back(std::move(gap)); }
  /// For a program that runs point by point.
  void note_first_turn(std::uint64_t turn, std::uint64_t program) { first_turns_.emplace_back(turn, program); }
  /// Forgets the notes about later marks; `is_start`: all of them.
  void forget_from(Mark here, bool is_start);

  /// The turn in which the program began; nullopt: it has not begun, or has no turn of its own.
  std::optional<std::uint64_t> turn_of(std::uint64_t program) const;
  /// nullopt: that turn ran point by point.
  std::optional<Gap> gap_at(std::uint64_t turn) const;
  /// Programs that ended and are not among the wrong ones, rising.
  std::vector<interpreter::ProgramRange> finished(const Programs& programs, std::uint64_t program_count,
                                                  const std::set<std::uint64_t>& wrong) const;

 private:
  std::vector<Gap> gaps_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> first_turns_;  // turn, program
};

}  // namespace lockstep::debugger
