// RaceEngine: happens-before between programs, while a launch runs step by step. Programs are the threads; every byte's
// last stores, loads and atomics stand in a shadow (race_shadow.h), clocks follow what atomics release and acquire
// (race_clock.h, after FastTrack). Invariant: accesses that are reported are ordered by nothing that this execution
// did. Not here: which launches need it (race_filter.h), and the words (race_report.h).
#pragma once

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checkers/execution.h"
#include "checkers/race_report.h"
#include "checkers/race_shadow.h"
#include "checkers/race_sites.h"

namespace lockstep::checkers {

class RaceEngine {
 public:
  /// `is_watched`: by storage. `follows_clocks`: somebody may acquire what others release.
  RaceEngine(const LaunchContext& context, const std::vector<bool>& is_watched, bool follows_clocks);

  /// A memory op is about to run.
  void before(Execution& run);
  /// A tt.atomic_poll has seen what it waited for.
  void after(Execution& run);
  void finish(Report& report) { report_.finish(report); }

 private:
  struct Program {
    std::uint32_t clock = 1;
    RaceClock known;  // of the others
  };
  /// The access under way.
  struct Access {
    std::uint32_t program = 0, site = 0;
    RaceAccessKind kind;
    Program* state = nullptr;
    std::int32_t view = -1;
  };
  struct Race {
    RaceAccesses other;
    std::uint32_t other_program = 0;
    bool is_race = false, other_is_read = false, has_read_before = false, unlocks = false;
    std::uint32_t raced = 0;  // record that the program's own load of these bytes is in
  };
  struct Transition {
    std::uint32_t to = 0;
    Race race;
  };
  struct RacedBytes {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t from = 0;
    Race race;
  };

  void make_access(Execution& run, const Access& access, interpreter::AccessLanes& lanes);
  void swap_lanes(Execution& run, Access access, interpreter::AccessLanes& lanes);
  void touch(std::uint64_t address, std::uint64_t bytes, const Access& access, std::vector<RacedBytes>& raced);
  const Transition& transition(std::uint32_t from, const Access& access);
  RaceState next_state(const RaceState& from, const Access& access);
  std::uint32_t released_by(std::uint32_t before, const Access& access);
  bool holds_lock(const RaceState& state, std::uint32_t program) const;
  Race find_race(const RaceState& from, const Access& access) const;
  Race about(Race race, const RaceState& from, const Access& access) const;
  bool races_with(const RaceAccesses& one, const Access& access, Race& race) const;
  void learn(std::uint64_t address, std::uint64_t bytes, const Access& access);
  void learn_of(const RaceState& state, std::uint64_t address, const Access& access);
  void report(Execution& run, const Access& access, interpreter::AccessLanes& lanes, std::vector<RacedBytes>& raced);
  void note_race(Execution& run, const Access& access, const RacedBytes& bytes, std::int64_t lane,
                 std::uint64_t address);
  std::uint32_t mark_raced(std::uint32_t from, std::uint32_t record, std::uint32_t program);
  bool is_watched(Execution& run) const;
  Access access_of(Execution& run);

  const LaunchContext& context_;
  std::vector<bool> is_watched_view_;
  bool follows_clocks_;
  RaceSites sites_;
  RaceShadow shadow_;
  RaceReport report_{sites_};
  std::unordered_map<std::uint32_t, Program> programs_;
  std::unordered_map<std::uint32_t, Transition> transitions_;                // of the access under way, by state
  std::unordered_map<std::uint32_t, std::uint32_t> releases_;                // of the access under way, by clock
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> marked_;  // of the access under way: state, record
  std::uint64_t access_address_ = 0;                                         // of the bytes under way, for blame
  struct Polled {
    Access access;
    std::vector<std::uint64_t> addresses;
  };
  std::unordered_map<std::uint32_t, Polled> polled_;
};

}  // namespace lockstep::checkers
