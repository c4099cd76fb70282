// Coverage: what rectangles leave out of a view, and how it is said.
#include "sanitizer/coverage/coverage_map.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sanitizer/undef/undefined_bytes.h"

namespace lockstep::sanitizer {
namespace {

using interpreter::LoggedRange;
using memory_model::AddressSpace;
using memory_model::View;

struct Memory {
  Memory(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides, std::uint64_t bytes) {
    const auto storage = space.allocate("out", bytes);
    id = *space.add_view(*storage, "out", ScalarKind::f32, 0, std::move(shape), std::move(strides));
  }
  const View& view() const { return space.view(id); }
  LoggedRange wrote(std::int64_t first, std::int64_t last, std::uint32_t program = 0) const {
    return {view().base + static_cast<std::uint64_t>(first) * 4, view().base + static_cast<std::uint64_t>(last + 1) * 4,
            program, true};
  }
  AddressSpace space;
  memory_model::ViewId id;
};

TEST(Coverage, one_sweep_covers_all) {
  const Memory memory({100}, {1}, 400);
  const auto found = coverage_of(memory.view(), {memory.wrote(0, 63), memory.wrote(64, 99)}, false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->never.count, 0);
}

TEST(Coverage, a_tail_is_named) {
  const Memory memory({100}, {1}, 400);
  const auto found = coverage_of(memory.view(), {memory.wrote(0, 63)}, false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->never.count, 36);
  const Pattern pattern = pattern_of(memory.view(), found->never);
  EXPECT_TRUE(pattern.is_tail);
  EXPECT_EQ(pattern.text, "out[64..99]");
}

TEST(Coverage, holes_of_rows_have_a_period) {
  const Memory memory({2, 12}, {12, 1}, 96);
  std::vector<LoggedRange> ranges;
  for (std::int64_t i = 0; i < 24; i += 4) ranges.push_back(memory.wrote(i, i + 2));
  const auto found = coverage_of(memory.view(), ranges, false);
  ASSERT_TRUE(found);
  const Pattern pattern = pattern_of(memory.view(), found->never);
  EXPECT_FALSE(pattern.is_tail);
  EXPECT_EQ(pattern.text, "elements 3, 7, 11, one in 4 of each row");
}

TEST(Coverage, gaps_of_a_view_are_not_its_elements) {
  const Memory memory({4, 3}, {8, 1}, 128);
  std::vector<LoggedRange> ranges;
  for (std::int64_t row = 0; row < 4; ++row) ranges.push_back(memory.wrote(row * 8, row * 8 + 2));
  const auto found = coverage_of(memory.view(), ranges, false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->elements, 12);
  EXPECT_EQ(found->never.count, 0);
}

TEST(Coverage, rows_of_a_rectangle_are_taken_apart) {
  const Memory memory({4, 8}, {8, 1}, 128);
  LoggedRange range = memory.wrote(0, 27);
  range.rows = 4;
  range.run = 16;
  range.stride = 32;
  const auto found = coverage_of(memory.view(), {range}, false);
  ASSERT_TRUE(found);
  EXPECT_EQ(pattern_of(memory.view(), found->never).text, "out[0..3, 4..7]");
  EXPECT_TRUE(pattern_of(memory.view(), found->never).is_tail);
}

TEST(Coverage, two_programs_are_told_apart_and_one_is_not) {
  const Memory memory({16}, {1}, 64);
  const auto twice = coverage_of(memory.view(), {memory.wrote(0, 7, 1), memory.wrote(4, 11, 3)}, true);
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->twice.count, 4);
  EXPECT_EQ(twice->first, 1u);
  EXPECT_EQ(twice->second, 3u);
  const auto again = coverage_of(memory.view(), {memory.wrote(0, 7, 1), memory.wrote(0, 7, 1)}, true);
  EXPECT_EQ(again->twice.count, 0);
}

TEST(Coverage, writers_do_not_depend_on_the_order_of_ranges) {
  const Memory memory({16}, {1}, 64);
  std::vector<LoggedRange> ranges = {memory.wrote(0, 7, 5), memory.wrote(0, 7, 2), memory.wrote(0, 7, 9),
                                     memory.wrote(0, 7, 5)};
  for (int i = 0; i < 4; ++i) {
    const auto twice = coverage_of(memory.view(), ranges, true);
    ASSERT_TRUE(twice);
    EXPECT_EQ(twice->first, 2u);
    EXPECT_EQ(twice->second, 5u);
    std::rotate(ranges.begin(), ranges.begin() + 1, ranges.end());
  }
}

TEST(UndefinedBytes, another_view_defines_what_it_shares) {
  Memory memory({16}, {1}, 64);
  const auto other = memory.space.add_view(memory.view().storage, "y", ScalarKind::f32, 8, {4}, {1});
  ASSERT_TRUE(other);
  memory.space.mark_uninitialised(memory.id);
  UndefinedBytes bytes(memory.space);
  const auto at = [&](std::int64_t i) { return memory.view().base + static_cast<std::uint64_t>(i) * 4; };
  EXPECT_TRUE(bytes.any(at(0), 4));
  EXPECT_FALSE(bytes.any(at(8), 16));
  EXPECT_TRUE(bytes.any(at(8), 20));
  bytes.define(at(0), 32);
  EXPECT_FALSE(bytes.any(at(0), 48));
  EXPECT_TRUE(bytes.any(at(12), 4));
}

TEST(UndefinedBytes, storages_beyond_all_memory_cost_what_is_touched) {
  constexpr std::int64_t kElements = std::int64_t{1} << 36;
  Memory memory({kElements}, {1}, static_cast<std::uint64_t>(kElements) * 4);
  memory.space.mark_uninitialised(memory.id);
  UndefinedBytes bytes(memory.space);
  const auto at = [&](std::int64_t i) { return memory.view().base + static_cast<std::uint64_t>(i) * 4; };
  for (const std::int64_t i : {std::int64_t{0}, kElements / 2 + 1021, kElements - 1}) {
    EXPECT_TRUE(bytes.any(at(i), 4)) << i;
    bytes.define(at(i), 16);
    EXPECT_FALSE(bytes.any(at(i), 16)) << i;
    EXPECT_TRUE(bytes.any(at(i) - 1, 2) || i == 0) << i;
  }
}

TEST(UndefinedBytes, gaps_of_a_view_are_not_undefined) {
  Memory memory({4, 3}, {8, 1}, 128);
  memory.space.mark_uninitialised(memory.id);
  UndefinedBytes bytes(memory.space);
  const auto at = [&](std::int64_t i) { return memory.view().base + static_cast<std::uint64_t>(i) * 4; };
  EXPECT_TRUE(bytes.any(at(8), 4));
  EXPECT_FALSE(bytes.any(at(3), 20));
}

}  // namespace
}  // namespace lockstep::sanitizer
