// Touched facts and the scan of floats: what a launch's ranges say, against the same worked out byte by byte.
#include "sanitizer/core/touched_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "interpreter/access/storage_copy.h"
#include "sanitizer/numeric/float_scan.h"

namespace lockstep::sanitizer {
namespace {

using interpreter::LaunchReport;
using interpreter::LoggedRange;
using memory_model::AddressSpace;
using memory_model::View;

struct TouchedMemory {
  explicit TouchedMemory(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides, std::uint64_t bytes) {
    const auto storage = space.allocate("out", bytes);
    id = *space.add_view(*storage, "out", ScalarKind::f32, 0, std::move(shape), std::move(strides));
  }
  const View& view() const { return space.view(id); }
  float* floats() const { return reinterpret_cast<float*>(interpreter::bytes_at(view().base)); }
  AddressSpace space;
  memory_model::ViewId id;
};

/// Rectangles of `rows` x `columns` floats at a row and column of a matrix.
LoggedRange rectangle_of(const View& view, std::uint64_t row, std::uint64_t rows, std::uint64_t column,
                      std::uint64_t columns) {
  const std::uint64_t pitch = static_cast<std::uint64_t>(view.strides[0]) * 4;
  const std::uint64_t begin = view.base + row * pitch + column * 4, run = columns * 4;
  if (rows == 1) return {begin, begin + run, 0, true};
  return {begin, begin + (rows - 1) * pitch + run, 0, true, static_cast<std::uint32_t>(rows), run, pitch};
}

LaunchReport report_of(std::vector<LoggedRange> ranges) {
  LaunchReport report;
  for (const LoggedRange& range : ranges)
    report.bytes_written += range.rows == 1 ? range.end - range.begin : range.rows * range.run;
  interpreter::sort_log(ranges);
  report.touched = std::make_shared<const std::vector<LoggedRange>>(std::move(ranges));
  return report;
}

TEST(TouchedFacts, tiles_of_a_matrix_cover_it_once) {
  const TouchedMemory memory({64, 96}, {96, 1}, 64 * 96 * 4);
  std::vector<LoggedRange> tiles;
  for (std::uint64_t row = 0; row < 64; row += 16) {
    for (std::uint64_t column = 0; column < 96; column += 32)
      tiles.push_back(rectangle_of(memory.view(), row, 16, column, 32));
  }
  const LaunchReport report = report_of(tiles);
  const TouchedFacts facts(report, false);
  EXPECT_TRUE(facts.stored_each_byte_once());
  ASSERT_NE(facts.coverage(memory.view()), nullptr);
  EXPECT_EQ(facts.coverage(memory.view())->never.count, 0);
  EXPECT_EQ(facts.coverage(memory.view())->elements, 64 * 96);
}

TEST(TouchedFacts, what_is_unknown_proves_nothing) {
  const TouchedMemory memory({4, 4}, {4, 1}, 64);
  const LaunchReport report;
  const TouchedFacts facts(report, false);
  EXPECT_FALSE(facts.stored_each_byte_once());
  EXPECT_EQ(facts.coverage(memory.view()), nullptr);
}

TEST(TouchedFacts, rows_that_overlap_themselves_are_stored_twice) {
  const TouchedMemory memory({4, 16}, {16, 1}, 64 * 4);
  // 4 rows of 16 floats, each 4 floats behind the one before: 28 floats, 36 of them stored again.
  const LoggedRange rows{memory.view().base, memory.view().base + 28 * 4, 0, true, 4, 16 * 4, 4 * 4};
  const LaunchReport report = report_of({rows});
  const TouchedFacts facts(report, false);
  EXPECT_FALSE(facts.stored_each_byte_once());
  ASSERT_NE(facts.coverage(memory.view()), nullptr);
  EXPECT_EQ(facts.coverage(memory.view())->never.count, 64 - 28);
}

TEST(TouchedFacts, agree_with_bytes_one_by_one) {
  std::mt19937 random(11);
  const TouchedMemory memory({24, 40}, {40, 1}, 24 * 40 * 4);
  for (int round = 0; round < 400; ++round) {
    std::vector<int> times(24 * 40, 0);
    std::vector<LoggedRange> ranges;
    const bool is_crowded = round % 2 == 0;
    for (int i = 0, most = is_crowded ? 12 : 3; i < most; ++i) {
      const std::uint64_t row = random() % 24, column = random() % 40;
      const std::uint64_t rows = 1 + random() % (24 - row), columns = 1 + random() % (40 - column);
      ranges.push_back(rectangle_of(memory.view(), row, rows, column, columns));
      for (std::uint64_t r = row; r < row + rows; ++r) {
        for (std::uint64_t c = column; c < column + columns; ++c) ++times[r * 40 + c];
      }
    }
    const LaunchReport report = report_of(ranges);
    const TouchedFacts facts(report, false);
    EXPECT_EQ(facts.stored_each_byte_once(), *std::max_element(times.begin(), times.end()) == 1) << round;
    std::vector<bool> never(times.size(), false);
    const Coverage* found = facts.coverage(memory.view());
    ASSERT_NE(found, nullptr);
    for (const auto& [first, last] : found->never.runs) {
      for (std::int64_t i = first; i <= last; ++i) never[static_cast<std::size_t>(i)] = true;
    }
    for (std::size_t i = 0; i < times.size(); ++i) ASSERT_EQ(never[i], times[i] == 0) << round << ' ' << i;
    EXPECT_EQ(found->never.count, std::count(times.begin(), times.end(), 0));
  }
}

TEST(TouchedFacts, a_program_that_reads_what_it_wrote) {
  const TouchedMemory memory({8, 16}, {16, 1}, 8 * 16 * 4);
  const auto of = [&](std::uint64_t column, std::uint32_t program, bool is_write) {
    LoggedRange range = rectangle_of(memory.view(), 0, 8, column, 4);
    range.chunk = program;
    range.is_write = is_write;
    return range;
  };
  const auto meets = [](std::vector<LoggedRange> ranges) {
    const LaunchReport report = report_of(std::move(ranges));
    return TouchedFacts(report, true).read_what_it_wrote();
  };
  EXPECT_FALSE(meets({of(0, 0, false), of(4, 0, true), of(8, 1, true)})) << "columns between each other";
  EXPECT_FALSE(meets({of(0, 0, false), of(0, 1, true)})) << "that is another program";
  EXPECT_TRUE(meets({of(0, 2, false), of(2, 2, true), of(8, 1, true)}));
  interpreter::AccessLog log;
  LoggedRange store = of(0, 0, true), load = of(0, 0, false);
  EXPECT_TRUE(log.note(store) && log.note(load));
  EXPECT_EQ(log.entries().size(), 1u);
  EXPECT_TRUE(meets(log.take())) << "the load went into the store's entry";
}

TEST(FloatScan, finds_one_element_in_much_memory) {
  constexpr std::int64_t kRows = 600, kColumns = 1000;
  const TouchedMemory memory({kRows, kColumns}, {kColumns, 1}, kRows * kColumns * 4);
  const LaunchReport all = report_of({rectangle_of(memory.view(), 0, kRows, 0, kColumns)});
  const auto finds = [&](const LaunchReport& report, unsigned threads) {
    FloatScan scan;
    scan.add_written(memory.view(), report.touched.get());
    return scan.finds_special(threads);
  };
  EXPECT_FALSE(finds(all, 2));
  memory.floats()[400 * kColumns + 999] = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(finds(all, 1));
  EXPECT_TRUE(finds(all, 3));
  memory.floats()[400 * kColumns + 999] = std::nanf("");
  EXPECT_TRUE(finds(all, 2));
  EXPECT_TRUE(finds(LaunchReport(), 2)) << "where nothing is known all of it is looked at";
  EXPECT_FALSE(finds(report_of({rectangle_of(memory.view(), 0, 1, 0, 9)}), 2)) << "what nobody wrote is not looked at";
  EXPECT_TRUE(finds(report_of({rectangle_of(memory.view(), 399, 3, 990, 10)}), 2));
}

}  // namespace
}  // namespace lockstep::sanitizer
