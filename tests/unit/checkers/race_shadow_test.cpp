// The shadow of racing memory: states by run of bytes, pages that split, sets of accesses.
#include "checkers/race_shadow.h"

#include <gtest/gtest.h>

#include <map>

namespace lockstep::checkers {
namespace {

constexpr std::uint64_t kBase = 0x10000;

RaceAccesses access(std::uint32_t program, std::uint32_t clock = 1, std::uint32_t site = 1) {
  return {.first = program, .last = program, .clock = clock, .site = site, .bytes = 4};
}

/// What is there, as runs from kBase on: bytes to state.
std::map<std::uint64_t, std::uint32_t> states_of(RaceShadow& shadow, std::uint64_t bytes) {
  std::map<std::uint64_t, std::uint32_t> states;
  shadow.for_each(kBase, bytes, [&](std::uint32_t from, std::uint64_t at, std::uint64_t) {
    states[at - kBase] = from;
    return from;
  });
  return states;
}

void put(RaceShadow& shadow, std::uint64_t at, std::uint64_t bytes, std::uint32_t state) {
  shadow.for_each(kBase + at, bytes, [state](std::uint32_t, std::uint64_t, std::uint64_t) { return state; });
}

TEST(RaceShadow, RunsInOneStateAreSeenAtOnce) {
  RaceShadow shadow;
  put(shadow, 16, 64, 5);
  put(shadow, 32, 16, 7);
  EXPECT_EQ(states_of(shadow, 128),
            (std::map<std::uint64_t, std::uint32_t>{{0, 0}, {16, 5}, {32, 7}, {48, 5}, {80, 0}}));
}

TEST(RaceShadow, SmallAccessesSplitTheirPageAndLoseNothing) {
  RaceShadow shadow;
  put(shadow, 0, 8, 5);
  put(shadow, 3, 2, 6);
  EXPECT_EQ(states_of(shadow, 12), (std::map<std::uint64_t, std::uint32_t>{{0, 5}, {3, 6}, {5, 5}, {8, 0}}));
}

TEST(RaceShadow, RunsGoOnOverPages) {
  RaceShadow shadow;
  put(shadow, 4092, 8, 3);
  std::uint64_t bytes = 0;
  shadow.for_each(kBase + 4000, 200, [&](std::uint32_t from, std::uint64_t, std::uint64_t length) {
    bytes += from == 3 ? length : 0;
    return from;
  });
  EXPECT_EQ(bytes, 8u);
}

TEST(RaceShadow, ProgramsInTurnMakeOneEntry) {
  RaceShadow shadow;
  const RaceClock nothing;
  std::uint32_t set = 0;
  for (std::uint32_t i = 0; i < 100; ++i) set = shadow.add(set, access(i), nothing);
  ASSERT_EQ(shadow.accesses(set).size(), 1u);
  EXPECT_EQ(shadow.accesses(set)[0].last, 99u);
  EXPECT_EQ(shadow.add(set, access(50), nothing), set);
}

TEST(RaceShadow, WhatIsOrderedBeforeGoesWhereTheNewOneDoesAsMuch) {
  RaceShadow shadow;
  RaceClock known;
  known.learn(RaceClock(1, 4), true, [](std::uint32_t) { return 0u; });
  RaceAccesses update = access(1, 4, 2);
  update.has_written = true;
  const std::uint32_t one = shadow.add(0, update, {});
  EXPECT_EQ(shadow.accesses(shadow.add(one, access(2), known)).size(), 2u);  // a look does not make up for an update
  RaceAccesses other = access(2);
  other.has_written = true;
  EXPECT_EQ(shadow.accesses(shadow.add(one, other, known)).size(), 1u);
  EXPECT_EQ(shadow.accesses(shadow.add(one, other, {})).size(), 2u);  // not ordered
}

TEST(RaceShadow, SetsStaySmall) {
  RaceShadow shadow;
  std::uint32_t set = 0;
  for (std::uint32_t i = 0; i < 100; ++i) set = shadow.add(set, access(2 * i, i + 1), {});
  EXPECT_EQ(shadow.accesses(set).size(), RaceShadow::kMostRuns);
  EXPECT_EQ(shadow.accesses(set).back().first, 198u);
}

}  // namespace
}  // namespace lockstep::checkers
