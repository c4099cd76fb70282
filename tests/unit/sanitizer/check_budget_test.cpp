// Which launches of a kernel are looked at, as its launches go on taking time.
#include "sanitizer/core/check_budget.h"

#include <gtest/gtest.h>

namespace lockstep::sanitizer {
namespace {

CheckBudget::Wanted steps() { return {.ranges = true, .steps = true}; }

std::function<LaunchEstimate()> of(double plain, double stepped, bool is_exact = true) {
  return [=] { return LaunchEstimate{plain, stepped, is_exact}; };
}

/// Nothing is known of how long programs ran.
CheckBudget::Spent all_of(double seconds) { return {seconds, seconds}; }

TEST(CheckBudget, FirstLaunchesUpToABound) {
  CheckBudget shorter, longer;
  EXPECT_EQ(shorter.decide({1}, steps(), of(0.001, 0.9)).look, Look::steps);
  EXPECT_EQ(longer.decide({1}, steps(), of(0.001, 1.1)).look, Look::ranges);
  EXPECT_FALSE(longer.decide({1}, steps(), of(0.001, 1.1)).steps_later);
}

TEST(CheckBudget, LaterLaunchesAreHeldAgainstWhatWasTaken) {
  CheckBudget budget;
  budget.decide({1}, steps(), of(0.001, 0.1));
  budget.note({1}, Look::steps, all_of(0.3), false);  // three times what the text said
  EXPECT_EQ(budget.decide({2}, steps(), of(0.001, 0.1)).look, Look::ranges);
  EXPECT_EQ(budget.decide({3}, steps(), of(0.001, 0.05)).look, Look::steps);
}

/// A loop over one launch: looking stays a tenth of it.
TEST(CheckBudget, LoopsAreNotSlowed) {
  CheckBudget budget;
  double looking = 0, total = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Look look = budget.decide({1}, steps(), of(0.001, 0.02)).look;
    const double seconds = look == Look::steps ? 0.02 : look == Look::ranges ? 0.0012 : 0.001;
    budget.note({1}, look, all_of(seconds), false);
    total += seconds;
    looking += seconds - 0.001;
  }
  EXPECT_LT(looking, 0.12 * total);
  EXPECT_GT(looking, 0.05 * total);
  EXPECT_TRUE(budget.was_looked_at({1}, Look::steps));
}

/// The first plain launch ran while the machine was busy, as long as one that is looked at: looking does not seem free.
TEST(CheckBudget, ASlowPlainLaunchBuysNoLooks) {
  CheckBudget budget;
  double looking = 0, total = 0;
  budget.decide({1}, steps(), of(0.001, 0.02));
  budget.note({1}, Look::text, all_of(0.003), false);
  for (int i = 0; i < 10'000; ++i) {
    const Look look = budget.decide({1}, {.ranges = true}, of(0.001, 0.02)).look;
    const CheckBudget::Spent spent = look == Look::ranges ? CheckBudget::Spent{0.002, 0.0012} : all_of(0.001);
    budget.note({1}, look, spent, false);
    total += spent.seconds;
    looking += spent.seconds - 0.001;
  }
  EXPECT_LT(looking, 0.13 * total);
  EXPECT_GT(looking, 0.05 * total);
}

TEST(CheckBudget, NewKindsAreLookedAtLonger) {
  CheckBudget budget;
  std::uint64_t looked = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Look look = budget.decide({i}, steps(), of(0.0001, 0.02)).look;
    budget.note({i}, look, all_of(look == Look::steps ? 0.02 : 0.0001), false);
    looked += look == Look::steps ? 1 : 0;
  }
  EXPECT_GE(looked, 45U);
  EXPECT_LE(looked, 60U);
}

TEST(CheckBudget, WhatHadAnErrorIsLookedAtAgain) {
  CheckBudget budget;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(budget.decide({1}, steps(), of(0.001, 0.1)).look, Look::steps);
    budget.note({1}, Look::steps, all_of(0.1), true);
  }
}

TEST(CheckBudget, UnknownLengthsRunFirst) {
  CheckBudget budget;
  const auto decision = budget.decide({1}, steps(), of(0.001, 0.01, false));
  EXPECT_TRUE(decision.steps_later);
  EXPECT_EQ(decision.look, Look::ranges);
  EXPECT_TRUE(budget.may_step_again({1}, 0.01, 0));
  EXPECT_FALSE(budget.may_step_again({1}, 0.5, 0));
}

TEST(CheckBudget, TimeoutsAreKept) {
  CheckBudget budget;
  CheckBudget::Wanted wanted = steps();
  wanted.seconds_left = 1;
  EXPECT_EQ(budget.decide({1}, wanted, of(0.001, 0.3)).look, Look::ranges);
  wanted.seconds_left = 4;
  EXPECT_EQ(budget.decide({1}, wanted, of(0.001, 0.3)).look, Look::steps);
}

}  // namespace
}  // namespace lockstep::sanitizer
