// HappensBefore: which accesses of programs are ordered by what this execution did, access by access in the order in
// which they were made. Programs are the threads; every byte's last stores, loads and atomics stand in a shadow
// (race_shadow.h), clocks follow what atomics release and acquire (race_clock.h, after FastTrack). The race checker
// (race_engine.h) and the debugger's `hb` share this model. Invariant: nothing in this execution orders two accesses
// that it reports as a race. Not here: which launches need it (race_filter.h), words (race_report.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/access/access_lanes.h"
#include "sanitizer/race/race_shadow.h"
#include "sanitizer/race/race_sites.h"

namespace lockstep::sanitizer {

/// An access to one element that other programs saw.
struct RaceTouch {
  std::uint32_t program = 0;
  std::uint32_t site = 0;  // 0: not known
  std::int32_t view = -1;
  std::uint64_t address = 0;
};

/// Why synchronisation between two accesses does not order them. A side whose site is 0 is correct.
struct RaceBlame {
  RaceTouch released, acquired;
};

/// By number, from 1; 0: nothing is to blame.
class RaceBlames {
 public:
  std::uint32_t add(const RaceBlame& blame);
  const RaceBlame& operator[](std::uint32_t number) const { return blames_[number]; }

 private:
  std::vector<RaceBlame> blames_ = std::vector<RaceBlame>(1);
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t>, std::uint32_t> known_;
};

/// Both atomic, of one width and of a scope that covers the grid: they never race.
bool atomics_agree(const RaceAccessKind& kind, std::uint32_t bytes, const RaceAccesses& other);

/// Receives the synchronisation edges of an access.
class OrderWatcher {
 public:
  /// An atomic leaves release `number` behind at the address, going on from release `before` (0: none); `is_proper`: of
  /// release order and of a scope that covers the grid, so that it hands on what its program did up to `clock`.
  virtual void released(std::uint32_t number, std::uint32_t before, const RaceTouch& touch, std::uint32_t clock,
                        bool is_proper) = 0;
  /// A proper acquire has learnt what release `number` and those before it pass on; `known` includes it.
  virtual void acquired(std::uint32_t number, const RaceTouch& touch, const RaceClock& known) = 0;

 protected:
  ~OrderWatcher() = default;
};

class HappensBefore {
 public:
  /// `follows_clocks`: some program may acquire what others release.
  explicit HappensBefore(bool follows_clocks) : follows_clocks_(follows_clocks) {}

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
  struct RacedBytes {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t from = 0;
    Race race;
  };

  Access access_of(std::uint64_t program, const ir::Op& op, const Location& location,
                   const interpreter::AccessLanes& lanes);
  /// Before the op touches memory with active lanes. `expected`: for a compare-and-swap, the bits that a lane compares
  /// with. Adds the bytes that race, in no order; returns whether anything was written.
  using ExpectedBits = std::function<std::uint64_t(std::int64_t lane)>;
  bool make(const Access& access, interpreter::AccessLanes& lanes, const ExpectedBits& expected,
            std::vector<RacedBytes>& raced);
  /// An earlier tt.atomic_poll of the program has seen its value, so that the program knows more than when it began to
  /// wait.
  void end_poll(std::uint64_t program);
  /// The program's next reads of these bytes belong to the race with that record.
  void mark_raced(std::uint64_t address, std::uint64_t bytes, std::uint32_t record, std::uint32_t program);
  /// Of the bytes under way; between accesses.
  void forget_marks() { marked_.clear(); }

  const RaceSites& sites() const { return sites_; }
  const RaceBlames& blames() const { return blames_; }
  /// What a program knows; null: it has made no access yet.
  const Program* program(std::uint32_t number) const;

  /// For callers that trace how a program learnt something. Null: none.
  void set_watcher(OrderWatcher* watcher) { watcher_ = watcher; }

 private:
  struct Transition {
    std::uint32_t to = 0;
    Race race;
  };

  void make_access(const Access& access, interpreter::AccessLanes& lanes, std::vector<RacedBytes>& raced);
  bool swap_lanes(Access access, interpreter::AccessLanes& lanes, const ExpectedBits& expected,
                  std::vector<RacedBytes>& raced);
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
  std::uint32_t marked(std::uint32_t from, std::uint32_t record, std::uint32_t program);

  bool follows_clocks_;
  RaceSites sites_;
  RaceShadow shadow_;
  RaceBlames blames_;
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
  OrderWatcher* watcher_ = nullptr;
};

}  // namespace lockstep::sanitizer
