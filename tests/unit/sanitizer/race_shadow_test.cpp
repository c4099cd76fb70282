// The shadow of racing memory: states by run of bytes, pages that split, sets of accesses.
#include "sanitizer/race/race_shadow.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace lockstep::sanitizer {
namespace {

constexpr std::uint64_t kBase = 0x10000;

RaceAccesses access(std::uint32_t program, std::uint32_t clock = 1, std::uint32_t site = 1) {
  return {.first = program, .last = program, .clock = clock, .site = site, .bytes = 4};
}

/// Of a set, the last one first.
std::vector<RaceAccesses> accesses_of(const RaceShadow& shadow, std::uint32_t set) {
  std::vector<RaceAccesses> all;
  shadow.for_each_access(set, [&](const RaceAccesses& one) { all.push_back(one); });
  EXPECT_EQ(all.size(), shadow.size(set));
  return all;
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
  ASSERT_EQ(shadow.size(set), 1u);
  EXPECT_EQ(accesses_of(shadow, set)[0].last, 99u);
  EXPECT_EQ(shadow.add(set, access(50), nothing), set);
}

TEST(RaceShadow, WhatIsOrderedBeforeGoesWhereTheNewOneDoesAsMuch) {
  RaceShadow shadow;
  RaceClock known;
  known.learn(RaceClock(1, 4), true, [](std::uint32_t) { return 0u; });
  RaceAccesses update = access(1, 4, 2);
  update.has_written = true;
  const std::uint32_t one = shadow.add(0, update, {});
  EXPECT_EQ(shadow.size(shadow.add(one, access(2), known)), 2u);  // a look does not make up for an update
  RaceAccesses other = access(2);
  other.has_written = true;
  EXPECT_EQ(shadow.size(shadow.add(one, other, known)), 1u);
  EXPECT_EQ(shadow.size(shadow.add(one, other, {})), 2u);  // not ordered
}

TEST(RaceShadow, NothingThatComesTogetherIsForgotten) {
  RaceShadow shadow;
  std::uint32_t set = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) set = shadow.add(set, access(2 * i, i + 1), {});
  const auto all = accesses_of(shadow, set);
  ASSERT_EQ(all.size(), 1000u);
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(all[i].first, 2 * (999 - i));
}

TEST(RaceShadow, SetsOfWhatIsOrderedStaySmall) {
  RaceShadow shadow;
  std::uint32_t set = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) set = shadow.add(set, access(2 * (i % 20), i + 1), {});
  EXPECT_GE(shadow.size(set), 20u);
  EXPECT_LE(shadow.size(set), 40u);  // the last of each program, and what came since they were looked through
  RaceClock all;
  for (std::uint32_t i = 0; i < 40; ++i) all.learn(RaceClock(i, 1001), true, [](std::uint32_t) { return 0u; });
  while (shadow.size(set) > 8) set = shadow.add(set, access(50), all);
  EXPECT_EQ(shadow.size(shadow.add(set, access(51), all)), 1u);
}

TEST(RaceShadow, SetsKnowWhetherTheirAccessesAreOfOneKind) {
  RaceShadow shadow;
  std::uint32_t set = 0;
  EXPECT_EQ(shadow.same_kind(set), nullptr);
  for (std::uint32_t i = 0; i < 20; ++i) set = shadow.add(set, access(2 * i, i + 1), {});
  ASSERT_NE(shadow.same_kind(set), nullptr);
  EXPECT_EQ(shadow.same_kind(set)->bytes, 4);
  RaceAccesses wide = access(60, 3);
  wide.bytes = 8;
  const std::uint32_t mixed = shadow.add(set, wide, {});
  EXPECT_EQ(shadow.same_kind(mixed), nullptr);
  EXPECT_EQ(shadow.same_kind(shadow.add(mixed, access(80), {})), nullptr);
}

}  // namespace
}  // namespace lockstep::sanitizer
