// What an access touches, counted: numbers by hand.
#include "debugger/queries/access_map.h"

#include <gtest/gtest.h>

namespace lockstep::debugger {
namespace {

using memory_model::Extent;
using LaneMark = LaneAddresses::LaneMark;

/// A tile whose lane (i0, i1, ...) is at base + sum(i_d * strides[d]) bytes, all inside.
LaneAddresses tile(std::vector<std::int64_t> shape, const std::vector<std::int64_t>& strides, std::uint64_t base,
                   std::int64_t bytes) {
  LaneAddresses lanes;
  lanes.shape = std::move(shape);
  lanes.bytes = bytes;
  std::int64_t count = 1;
  for (const std::int64_t extent : lanes.shape) count *= extent;
  for (std::int64_t lane = 0; lane < count; ++lane) {
    std::int64_t rest = lane, offset = 0;
    for (std::size_t d = lanes.shape.size(); d-- > 0;) {
      offset += rest % lanes.shape[d] * strides[d];
      rest /= lanes.shape[d];
    }
    lanes.addresses.push_back(base + static_cast<std::uint64_t>(offset));
    lanes.marks.push_back(LaneMark::inside);
  }
  return lanes;
}

std::string drawn(const Ruler& ruler) {
  std::string text;
  for (const RulerCell& cell : ruler.cells)
    text += cell.outside > 0                ? '!'
            : cell.used == ruler.cell_bytes ? '#'
            : cell.used > 0                 ? '+'
            : cell.holds > 0                ? '.'
                                            : ' ';
  return text;
}

TEST(AccessMap, a_row_is_one_run) {
  const AccessMap map = map_access(tile({64}, {4}, 4096, 4));
  EXPECT_EQ(map.inside, 64);
  EXPECT_EQ(map.elements, 64);
  ASSERT_EQ(map.runs.size(), 1u);
  EXPECT_EQ(map.bytes, 256u);
  EXPECT_EQ(map.sectors, 8u);
  EXPECT_EQ(map.lines, 2u);
  EXPECT_EQ(map.hole_bytes, 0u);
  EXPECT_EQ(map.strides, (std::vector<std::optional<std::int64_t>>{4}));
  EXPECT_EQ(map.first(), 4096u);
  EXPECT_EQ(map.last(), 4096u + 63 * 4);
  EXPECT_DOUBLE_EQ(map.sector_use(), 1);
}

TEST(AccessMap, a_row_that_begins_within_a_sector) {
  const AccessMap map = map_access(tile({8}, {4}, 4096 + 16, 4));
  EXPECT_EQ(map.sectors, 2u);
  EXPECT_EQ(map.lines, 1u);
  EXPECT_DOUBLE_EQ(map.sector_use(), 0.5);
  EXPECT_DOUBLE_EQ(map.line_use(), 0.25);
}

TEST(AccessMap, a_column_uses_four_bytes_of_each_sector) {
  const AccessMap map = map_access(tile({16}, {400}, 4096, 4));
  EXPECT_EQ(map.runs.size(), 16u);
  EXPECT_EQ(map.sectors, 16u);
  EXPECT_EQ(map.lines, 16u);
  EXPECT_EQ(map.hole_bytes, 15u * 396);
  EXPECT_DOUBLE_EQ(map.sector_use(), 1.0 / 8);
}

TEST(AccessMap, rows_of_a_matrix) {
  const AccessMap map = map_access(tile({4, 8}, {64, 2}, 4096, 2));
  EXPECT_EQ(map.runs.size(), 4u);
  EXPECT_EQ(map.bytes, 64u);
  EXPECT_EQ(map.sectors, 4u);
  EXPECT_EQ(map.lines, 2u);
  EXPECT_EQ(map.strides, (std::vector<std::optional<std::int64_t>>{64, 2}));
}

TEST(AccessMap, lanes_that_share_elements) {
  const AccessMap map = map_access(tile({4, 8}, {0, 4}, 4096, 4));
  EXPECT_EQ(map.inside, 32);
  EXPECT_EQ(map.elements, 8);
  EXPECT_EQ(map.bytes, 32u);
  EXPECT_EQ(map.sectors, 1u);
}

TEST(AccessMap, lanes_that_are_off_touch_nothing) {
  LaneAddresses lanes = tile({8}, {4}, 4096, 4);
  lanes.marks[0] = lanes.marks[7] = LaneMark::off;
  lanes.addresses[7] = 17;  // whatever
  const AccessMap map = map_access(lanes);
  EXPECT_EQ(map.masked, 2);
  EXPECT_EQ(map.inside, 6);
  EXPECT_EQ(map.runs.front().begin, 4100u);
  EXPECT_EQ(map.strides.front(), 4);
}

TEST(AccessMap, lanes_outside_are_named_and_not_counted_in_bytes) {
  LaneAddresses lanes = tile({32}, {4}, 4096, 4);
  for (std::size_t i = 8; i < 32; ++i) lanes.marks[i] = LaneMark::outside;
  const AccessMap map = map_access(lanes);
  EXPECT_EQ(map.outside, 24);
  EXPECT_EQ(map.bytes, 32u);
  ASSERT_EQ(map.outside_lanes.size(), kMostOutside);
  EXPECT_EQ(map.outside_lanes.front().lane, 8);
  EXPECT_EQ(map.outside_lanes.front().address, 4096u + 32);
}

TEST(AccessMap, nothing_is_on) {
  LaneAddresses lanes = tile({4}, {4}, 4096, 4);
  lanes.marks.assign(4, LaneMark::off);
  const AccessMap map = map_access(lanes);
  EXPECT_EQ(map.inside, 0);
  EXPECT_EQ(map.sectors, 0u);
  EXPECT_EQ(map.strides.front(), std::nullopt);
  EXPECT_TRUE(ruler_of(lanes, map, {}, 8).cells.empty());
}

TEST(AccessMap, irregular_lanes_have_no_stride) {
  LaneAddresses lanes = tile({3}, {4}, 4096, 4);
  lanes.addresses[2] = 8192;
  EXPECT_EQ(map_access(lanes).strides.front(), std::nullopt);
}

TEST(AccessMap, the_ruler_shows_the_whole_buffer_where_it_fits) {
  const LaneAddresses lanes = tile({12}, {4}, 4096 + 32, 4);
  const Extent buffer{4096, 4096 + 160};
  EXPECT_EQ(drawn(ruler_of(lanes, map_access(lanes), buffer, 8)), ".#+..");
}

TEST(AccessMap, the_ruler_is_of_what_is_touched_in_a_large_buffer) {
  const LaneAddresses lanes = tile({32}, {64}, 4096, 4);
  const Ruler ruler = ruler_of(lanes, map_access(lanes), {0, 1 << 20}, 16);
  EXPECT_EQ(ruler.cell_bytes, 128u);
  EXPECT_EQ(drawn(ruler), "++++++++++++++++");
}

TEST(AccessMap, the_ruler_marks_lanes_outside_that_are_near) {
  LaneAddresses lanes = tile({24}, {4}, 4096, 4);
  for (std::size_t i = 16; i < 24; ++i) lanes.marks[i] = LaneMark::outside;
  const Extent buffer{4096, 4096 + 64};
  EXPECT_EQ(drawn(ruler_of(lanes, map_access(lanes), buffer, 8)), "##!");
  lanes.addresses[23] = 1 << 30;  // far away: not drawn
  EXPECT_EQ(drawn(ruler_of(lanes, map_access(lanes), buffer, 8)), "##!");
}

TEST(AccessMap, the_ruler_of_lanes_that_are_all_outside) {
  LaneAddresses lanes = tile({2}, {4}, 4096, 4);
  lanes.marks.assign(2, LaneMark::outside);
  EXPECT_EQ(drawn(ruler_of(lanes, map_access(lanes), {0, 64}, 8)), "!");
}

TEST(AccessMap, addresses_at_both_ends_of_the_address_space) {
  LaneAddresses lanes = tile({2}, {4}, 0, 4);
  lanes.addresses[0] = ~std::uint64_t{0} - 1;
  lanes.marks.assign(2, LaneMark::outside);
  EXPECT_EQ(ruler_of(lanes, map_access(lanes), {}, 8).cells.size(), 1u);
}

}  // namespace
}  // namespace lockstep::debugger
