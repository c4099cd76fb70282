// Whose turn it is: every program gets its turns in every order, a copy goes on as the original does, and a turn that
// somebody takes out of order loses nobody's.
#include "interpreter/scheduler/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {
namespace {

using Kind = Scheduler::TimeSlice::Kind;

/// Programs that make so many atomics each, a turn for each, and end.
class Programs {
 public:
  Programs(std::uint64_t count, std::uint64_t schedule, std::uint64_t resident = 0)
      : order_(0, count, schedule, resident) {}

  /// False: all have ended.
  bool step() { return take(order_.next(changes_)); }
  bool switch_to(std::uint64_t program) {
    const auto known = atomics_.find(program);
    const bool has_ended = known != atomics_.end() && known->second == kEnded;
    if (!is_open_ || program == now_.program || has_ended) return false;
    return begin(order_.take_over(program, changes_));
  }
  /// The next turn has begun; end_turn() ends it.
  bool begin_turn() { return begin(order_.next(changes_)); }
  void end_turn() {
    std::uint64_t& atomics = atomics_[now_.program];
    is_open_ = false;
    if (atomics == kAtomics) {
      atomics = kEnded;
      ++ended_;
      return order_.note_end();
    }
    ++atomics;
    order_.note_yield(true, ++changes_);
  }
  std::uint64_t ended() const { return ended_; }
  const std::vector<std::uint64_t>& way() const { return way_; }
  std::uint64_t most_alive() const { return most_alive_; }
  const Scheduler& order() const { return order_; }

 private:
  static constexpr std::uint64_t kAtomics = 3, kEnded = 99;
  bool begin(const Scheduler::TimeSlice& turn) {
    if (turn.kind == Kind::over) return false;
    EXPECT_NE(turn.kind, Kind::idle);
    EXPECT_EQ(turn.kind == Kind::start, !atomics_.contains(turn.program)) << turn.program;
    EXPECT_TRUE(order_.has_started(turn.program));
    now_ = turn;
    is_open_ = true;
    way_.push_back(turn.program);
    atomics_[turn.program];
    most_alive_ = std::max(most_alive_, atomics_.size() - ended_);
    return true;
  }
  bool take(const Scheduler::TimeSlice& turn) {
    if (!begin(turn)) return false;
    end_turn();
    return true;
  }

  Scheduler order_;
  std::map<std::uint64_t, std::uint64_t> atomics_;
  Scheduler::TimeSlice now_;
  bool is_open_ = false;
  std::uint64_t changes_ = 0, ended_ = 0, most_alive_ = 0;
  std::vector<std::uint64_t> way_;
};

std::vector<std::uint64_t> schedules() {
  return {1, 2, 0x123456789, *RaceReversal{0, 0, 4, 2}.number(), *RaceReversal{3, 1, 900, 1}.number()};
}

TEST(Scheduler, EveryProgramComesToItsEnd) {
  for (const std::uint64_t schedule : schedules()) {
    Programs programs(1000, schedule);
    while (programs.step()) {
    }
    EXPECT_EQ(programs.ended(), 1000u) << schedule;
    EXPECT_EQ(programs.order().not_started(), 0u);
    EXPECT_EQ(programs.way().size(), 4000u);
  }
}

TEST(Scheduler, ACopyGoesOnAsTheOriginal) {
  for (const std::uint64_t schedule : schedules()) {
    Programs programs(600, schedule);
    for (int i = 0; i < 700; ++i) programs.step();
    Programs copy = programs;
    while (programs.step()) {
    }
    while (copy.step()) {
    }
    EXPECT_EQ(copy.way(), programs.way());
  }
}

TEST(Scheduler, TurnsOutOfOrderLoseNobodys) {
  for (const std::uint64_t schedule : schedules()) {
    Programs programs(600, schedule);
    SplitMix64 random(schedule);
    while (programs.begin_turn()) {
      if (random.below(3) == 0) programs.switch_to(random.below(600));
      if (random.below(9) == 0) programs.switch_to(random.below(600));
      programs.end_turn();
    }
    EXPECT_EQ(programs.ended(), 600u) << schedule;
    EXPECT_EQ(programs.order().not_started(), 0u);
  }
}

TEST(Scheduler, NoMoreAreAliveThanHaveRoom) {
  Programs programs(100, 7, 5);
  while (programs.step()) {
  }
  EXPECT_EQ(programs.ended(), 100u);
  EXPECT_EQ(programs.most_alive(), 5u);
}

TEST(Scheduler, TheGridsOrderSaysWhoseTurnItIsWhereNobodyWaits) {
  Scheduler order(2, 6, 0, 0);
  EXPECT_EQ(order.next_of_all(), 2u);
  order.skip_to(4);
  EXPECT_EQ(order.next(0).program, 4u);
  order.note_end();
  EXPECT_EQ(order.next_of_all(), 5u);
  EXPECT_EQ(order.next(0).program, 5u);
  EXPECT_EQ(order.next_of_all(), std::nullopt);
  order.note_end();
  EXPECT_EQ(order.next(0).kind, Kind::over);
}

TEST(Scheduler, OneThatOnlyWaitsGivesWayAndIsAskedAboutInTheEnd) {
  for (const std::uint64_t schedule : {std::uint64_t{0}, std::uint64_t{5}}) {
    Scheduler order(0, 2, schedule, 0);
    for (;;) {
      const auto turn = order.next(0);
      if (turn.kind == Kind::idle) break;
      order.note_yield(false, 0);
    }
    EXPECT_EQ(order.waiting().size(), 2u);
    ProgramState waits, polls;
    waits.is_stuck = polls.is_stuck = polls.poll_may_expire = true;
    const Step step{};
    polls.polling = &step;
    EXPECT_EQ(order.look_around({&waits, &polls}).expired, &polls);
    EXPECT_TRUE(polls.poll_expired);
    const auto outlook = order.look_around({&waits, &waits});
    EXPECT_TRUE(outlook.is_over && outlook.is_proven);
    waits.is_stuck = false;
    EXPECT_FALSE(order.look_around({&waits, &waits}).is_over);
  }
}

}  // namespace
}  // namespace lockstep::interpreter
