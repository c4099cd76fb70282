// RaceEngine: races between programs, while a launch runs step by step: what happens before what (happens_before.h)
// told of every access that a launch's checkers see, and what races reported. Not here: which launches need it
// (race_filter.h), and the words (race_report.h).
#pragma once

#include <cstdint>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/race/happens_before.h"
#include "sanitizer/race/race_report.h"

namespace lockstep::sanitizer {

class RaceEngine {
 public:
  /// `is_watched`: by storage. `follows_clocks`: some program may acquire what others release.
  RaceEngine(const LaunchContext& context, const std::vector<bool>& is_watched, bool follows_clocks);

  /// Before a memory op runs.
  void before(Execution& run);
  /// A tt.atomic_poll has seen what it waited for.
  void after(Execution& run) { order_.end_poll(run.program()); }
  void finish(Report& report) { report_.finish(report); }

 private:
  using Access = HappensBefore::Access;
  using RacedBytes = HappensBefore::RacedBytes;

  void report(Execution& run, const Access& access, interpreter::AccessLanes& lanes, std::vector<RacedBytes>& raced);
  void note_race(Execution& run, const Access& access, const RacedBytes& bytes, std::int64_t lane,
                 std::uint64_t address);
  bool is_watched(Execution& run) const;

  std::vector<bool> is_watched_view_;
  HappensBefore order_;
  RaceReport report_{order_.sites(), order_.blames()};
};

}  // namespace lockstep::sanitizer
