// Scheduler: chooses the next turn among the programs of a launch on one thread, one at a time. Grid order: a program
// that only waits gives way; those that were started are resumed in rounds, and a new one is started when a whole round
// changed nothing. So few programs are alive at once, and locks and flags work for any waiting program. A launch with a
// schedule draws the next program to continue or start from this seed; or it follows the grid's order except for one
// held program (race_reversal.h). Invariant: a copy with the same input gives the same answers; the launch
// (cooperative.h) and the debugger both follow it. Not here: programs' states, memory, running anything.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "interpreter/scheduler/race_reversal.h"

namespace lockstep::interpreter {

struct ProgramState;

/// splitmix64.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t state_;
};

/// Programs from `first` to the end of the grid, each once: in order, or drawn from those that are due soon.
class StartOrder {
 public:
  StartOrder(std::uint64_t first, std::uint64_t end, bool is_mixed) : next_(first), end_(end), is_mixed_(is_mixed) {}
  bool has_more() const { return count() != 0; }
  std::uint64_t count() const { return end_ - next_ - early_.size() + window_.size(); }  // still to be taken
  std::uint64_t take(SplitMix64& random);
  /// This one is taken now, out of order. Precondition: !has_taken(program).
  void take_early(std::uint64_t program);
  bool has_taken(std::uint64_t program) const;
  /// The next one, if all later ones follow it in rising order. nullopt: they do not, or there is none.
  std::optional<std::uint64_t> next_of_all() const;
  /// Those from next_of_all() up to `program` are taken.
  void skip_to(std::uint64_t program) { next_ = program; }

 private:
  std::uint64_t next_, end_;
  bool is_mixed_;
  std::vector<std::uint64_t> window_;  // of a mixed order: those that are due
  std::set<std::uint64_t> early_;      // from next_ on
};

/// The progress of a directed order.
class ReversalState {
 public:
  explicit ReversalState(std::uint64_t schedule) : order_(RaceReversal::of(schedule)) {}
  bool is_on() const { return order_.has_value(); }
  bool holds(std::uint64_t program) const {
    return is_on() && !is_released_ && program == order_->held && held_ == order_->held_after;
  }
  void note_atomic(std::uint64_t program);
  void note_end(std::uint64_t program) { is_released_ |= is_on() && program == order_->awaited; }
  /// No other program can move. False: nothing was held back.
  bool release();

 private:
  std::optional<RaceReversal> order_;
  std::uint64_t held_ = 0, awaited_ = 0;
  bool is_released_ = false;
};

class Scheduler {
 public:
  static constexpr std::uint64_t kMaxIdleRounds = 1u << 16;

  Scheduler() : Scheduler(0, 0, 0, 0) {}
  /// Programs [first, end); RunRequest's schedule and resident.
  Scheduler(std::uint64_t first, std::uint64_t end, std::uint64_t schedule, std::uint64_t resident)
      : schedule_(schedule),
        resident_(resident),
        random_(schedule),
        reversal_(schedule),
        starts_(first, end, schedule != 0 && resident == 0 && !reversal_.is_on()) {}

  /// resume, start: a program's turn; its end is told by note_end or note_yield. over: all have ended. idle: nobody can
  /// move, as it seems; look_around() says whether that is the end.
  struct TimeSlice {
    enum class Kind : std::uint8_t { resume, start, over, idle } kind = Kind::over;
    std::uint64_t program = 0;
    std::uint32_t seat = 0;  // a small number that the program has for itself while it lives
  };
  /// `changes`, here and below: Machine::memory_changes.
  TimeSlice next(std::uint64_t changes);
  /// The program of the turn has ended.
  void note_end();
  /// The program gave way: it waits, or (ProgramState::has_more_to_do) made an atomic.
  void note_yield(bool has_more_to_do, std::uint64_t changes);
  /// `program` takes a turn now, in any order; the interrupted program continues later. Precondition: it is another
  /// program of the grid that has not ended.
  TimeSlice take_over(std::uint64_t program, std::uint64_t changes);

  /// The started and unended programs, when idle.
  std::vector<TimeSlice> waiting() const;
  struct Outlook {
    bool is_over = false;             // nobody will ever move
    bool is_proven = false;           // else: nothing changed for kMaxIdleRounds
    ProgramState* expired = nullptr;  // time passed: the poll of this one has given up
  };
  /// After `idle`. `states`: of waiting(), in its order.
  Outlook look_around(const std::vector<ProgramState*>& states);

  bool has_started(std::uint64_t program) const { return starts_.has_taken(program) && put_off_ != program; }
  std::uint64_t not_started() const { return starts_.count() + (put_off_ ? 1 : 0); }
  /// StartOrder's, for an order without a held program.
  std::optional<std::uint64_t> next_of_all() const;
  void skip_to(std::uint64_t program) { starts_.skip_to(program); }

 private:
  struct Seated {
    std::uint64_t program = 0;
    std::uint32_t seat = 0;
    bool has_ended = false;             // in a round that goes on
    std::optional<std::uint64_t> seen;  // changes of memory when it yielded after an atomic
  };
  bool is_drawn() const { return schedule_ != 0 && !reversal_.is_on(); }
  bool may_start() const;
  std::optional<std::uint64_t> next_to_start();
  TimeSlice next_in_order(std::uint64_t changes);
  TimeSlice next_drawn(std::uint64_t changes);
  TimeSlice resume(std::size_t index, std::uint64_t changes);
  TimeSlice start(std::uint64_t program);
  void begin_round(std::uint64_t changes);
  bool end_round(std::uint64_t changes);
  void sit_down();
  void settle_drawn(std::size_t index, std::uint64_t seen, bool has_more_to_do, std::uint64_t changes);

  std::uint64_t schedule_, resident_;
  SplitMix64 random_;
  ReversalState reversal_;
  StartOrder starts_;
  std::optional<std::uint64_t> put_off_;  // a program that a directed order lets begin later
  std::vector<Seated> live_;
  std::vector<std::uint32_t> free_seats_;
  std::uint32_t seats_ = 0;
  // The current turn.
  Seated now_;
  std::optional<std::size_t> index_;  // of live_; nullopt: it is the program's first turn
  bool goes_on_ = false;              // the same program's turn is the next one, too
  std::uint64_t turn_changes_ = 0;    // when it began
  // Grid order: a round.
  bool is_in_round_ = false, has_ended_ = false;
  std::size_t at_ = 0;
  // Random orders: those in front wait.
  std::size_t asleep_ = 0;
  std::uint64_t idle_rounds_ = 0, changes_ = 0;  // changes_: when the round began, or when somebody was put to sleep
};

}  // namespace lockstep::interpreter
