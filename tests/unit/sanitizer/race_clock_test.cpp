// Clocks of programs: what is learnt surely and what would be, by intervals.
#include "sanitizer/race/race_clock.h"

#include <gtest/gtest.h>

namespace lockstep::sanitizer {
namespace {

std::uint32_t no_blame(std::uint32_t old) { return old; }

TEST(RaceClock, NeighboursThatAreKnownTheSameAreOneInterval) {
  RaceClock clock;
  for (std::uint32_t i = 0; i < 1000; ++i) clock.learn(RaceClock(i, 1), true, no_blame);
  EXPECT_EQ(clock.runs().size(), 1u);
  clock.learn(RaceClock(500, 3), true, no_blame);
  EXPECT_EQ(clock.runs().size(), 3u);
  EXPECT_EQ(clock.of(500).sure, 3u);
  EXPECT_EQ(clock.of(501).sure, 1u);
  EXPECT_EQ(clock.of(1000).sure, 0u);
}

TEST(RaceClock, WhatIsNotProperIsBlamed) {
  RaceClock clock;
  clock.learn(RaceClock(4, 7), false, [](std::uint32_t old) { return old == 0 ? 9u : old; });
  EXPECT_EQ(clock.of(4).sure, 0u);
  EXPECT_EQ(clock.of(4).would, 7u);
  EXPECT_EQ(clock.of(4).blame, 9u);
  RaceClock next;
  next.learn(clock, true, [](std::uint32_t old) { return old == 0 ? 1u : old; });
  EXPECT_EQ(next.of(4).blame, 9u);  // the edge that failed first
  next.learn(RaceClock(4, 7), true, no_blame);
  EXPECT_EQ(next.of(4).sure, 7u);
  EXPECT_EQ(next.of(4).blame, 0u);
}

TEST(RaceClock, LearningNeverForgets) {
  RaceClock clock(3, 5);
  clock.learn(RaceClock(3, 2), true, no_blame);
  EXPECT_EQ(clock.of(3).sure, 5u);
  EXPECT_EQ(clock.of(3).would, 5u);
}

TEST(RaceClock, FindsTheFirstThatIsNotOrdered) {
  RaceClock clock;
  for (const std::uint32_t i : {2u, 3u, 4u, 6u}) clock.learn(RaceClock(i, 4), true, no_blame);
  std::uint32_t out = 0;
  EXPECT_FALSE(clock.first_unordered(2, 4, 4, 9, out));
  EXPECT_FALSE(clock.first_unordered(2, 6, 4, 5, out));  // 5 is the program itself
  ASSERT_TRUE(clock.first_unordered(2, 6, 4, 9, out));
  EXPECT_EQ(out, 5u);
  ASSERT_TRUE(clock.first_unordered(2, 4, 5, 9, out));
  EXPECT_EQ(out, 2u);
  ASSERT_TRUE(clock.first_unordered(0, UINT32_MAX, 1, 0, out));
  EXPECT_EQ(out, 1u);
  ASSERT_TRUE(clock.first_unordered(UINT32_MAX, UINT32_MAX, 1, 0, out));
  EXPECT_EQ(out, UINT32_MAX);
}

}  // namespace
}  // namespace lockstep::sanitizer
