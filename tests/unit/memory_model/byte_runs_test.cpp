// Runs of bytes, and the sectors and lines that they lie in: numbers by hand.
#include "memory_model/byte_runs.h"

#include <gtest/gtest.h>

namespace lockstep::memory_model {
namespace {

std::vector<Extent> joined(std::vector<Extent> ranges) {
  join_runs(ranges);
  return ranges;
}

std::size_t count(std::vector<Extent> ranges) { return joined(std::move(ranges)).size(); }

TEST(ByteRuns, joins_what_meets_or_overlaps) {
  EXPECT_EQ(count({}), 0u);
  EXPECT_EQ(count({{8, 12}, {0, 4}, {4, 8}}), 1u);
  EXPECT_EQ(count({{0, 16}, {4, 8}, {12, 20}}), 1u);
  EXPECT_EQ(count({{0, 4}, {5, 8}}), 2u);
  EXPECT_EQ(bytes_of_runs(joined({{0, 16}, {4, 8}, {12, 20}, {32, 33}})), 21u);
}

TEST(ByteRuns, a_unit_counts_once) {
  EXPECT_EQ(units_of({}, kSectorBytes), 0u);
  EXPECT_EQ(units_of({{0, 1}, {31, 32}}, kSectorBytes), 1u);
  EXPECT_EQ(units_of({{31, 33}}, kSectorBytes), 2u);
  EXPECT_EQ(units_of({{0, 4}, {64, 68}, {96, 100}}, kSectorBytes), 3u);
  EXPECT_EQ(units_of({{0, 4}, {64, 68}, {96, 100}}, kLineBytes), 1u);
  EXPECT_EQ(units_of({{100, 300}}, kLineBytes), 3u);
}

TEST(ByteRuns, the_end_of_the_address_space) {
  const Address last = ~Address{0};
  EXPECT_EQ(units_of({{last - 31, last}}, kSectorBytes), 1u);
  EXPECT_EQ(units_of({{last - 32, last}}, kSectorBytes), 2u);
}

}  // namespace
}  // namespace lockstep::memory_model
