// What a layout is asked: holders, threads, conversions, banks, orders of reductions.
#include "ir/layouts/layout_questions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "encoding_reader.h"
#include "ir/layouts/linear_solve.h"
#include "ir/layouts/reduction_order.h"
#include "ir/layouts/scan_order.h"
#include "ir/layouts/shared_access.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::ir {
namespace {

const std::string kBlockedRows =
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>";
const std::string kMmaResult =
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";

LinearLayout layout_of(const std::string& text, const std::vector<std::int64_t>& shape) {
  static EncodingTestReader reader;
  const Encoding* encoding = reader.read(text);
  EXPECT_NE(encoding, nullptr) << reader.messages();
  return to_linear_layout(*encoding, shape);
}

TEST(LayoutQuestions, EveryHolderHoldsAndNobodyElseDoes) {
  for (const auto& [text, shape] : std::vector<std::pair<std::string, std::vector<std::int64_t>>>{
           {kBlockedRows, {16, 64}}, {kBlockedRows, {4, 8}}, {kMmaResult, {16, 16}}, {kMmaResult, {64, 8}},
           {"#ttg.slice<{dim = 1, parent = " + kBlockedRows + "}>", {32}}}) {
    const LinearLayout layout = layout_of(text, shape);
    std::map<std::vector<std::int32_t>, std::set<std::vector<std::int32_t>>> expected;
    for (std::int32_t warp = 0; warp < layout.input_size("warp"); ++warp) {
      for (std::int32_t lane = 0; lane < layout.input_size("lane"); ++lane) {
        const auto elements = elements_of_thread(layout, lane, warp);
        for (std::size_t reg = 0; reg < elements.size(); ++reg) {
          expected[elements[reg]].insert({static_cast<std::int32_t>(reg), lane, warp});
        }
      }
    }
    for (const auto& [element, places] : expected) {
      std::set<std::vector<std::int32_t>> found;
      int acting = 0;
      for (const RegisterPlace& place : holders_of(layout, element)) {
        found.insert({place.reg, place.lane, place.warp});
        acting += acts_for_element(layout, place) ? 1 : 0;
      }
      EXPECT_EQ(found, places) << text;
      EXPECT_EQ(acting, 1) << text;
    }
  }
}

TEST(LayoutQuestions, AThreadOfATensorCoreResult) {
  const LinearLayout layout = layout_of(kMmaResult, {16, 16});
  const std::vector<std::vector<std::int32_t>> expected{{1, 2}, {1, 3}, {9, 2}, {9, 3}};
  EXPECT_EQ(elements_of_thread(layout, 5, 0), expected);  // PTX, mma.m16n8: rows lane / 4 and 8 more, columns lane % 4
  const std::vector<RegisterPlace> places = holders_of(layout, {9, 3});
  EXPECT_EQ(places, (std::vector<RegisterPlace>{{3, 5, 0, 0}, {3, 5, 2, 0}}));
}

TEST(LayoutQuestions, WhatAConversionCosts) {
  const std::vector<std::int64_t> matrix{64, 32};
  const std::map<std::string, ConversionCost> names{{"registers", ConversionCost::registers},
                                                    {"shuffle", ConversionCost::shuffle},
                                                    {"shared_memory", ConversionCost::shared_memory}};
  std::ifstream file(std::string(LOCKSTEP_TESTS_DIR) + "/layouts/conversions.txt");
  std::map<std::string, int> asked;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string source, target, extents, cost;
    std::getline(fields, source, '\t');
    std::getline(fields, target, '\t');
    std::getline(fields, extents, '\t');
    std::getline(fields, cost, '\t');
    const std::vector<std::int64_t> shape = extents == "64" ? std::vector<std::int64_t>{64} : matrix;
    const ConversionCost found = conversion_cost(layout_of(source, shape), layout_of(target, shape));
    EXPECT_EQ(std::max(found, ConversionCost::registers), names.at(cost)) << source << "\n" << target << " " << extents;
    ++asked[cost];
  }
  for (const auto& [cost, kind] : names) EXPECT_GE(asked[cost], 4) << cost;
  const LinearLayout same = layout_of(kBlockedRows, {16, 64});
  EXPECT_EQ(conversion_cost(same, same), ConversionCost::nothing);
}

TEST(LayoutQuestions, ConversionsAmongBlocksNeedTheCluster) {
  const std::string rows = kBlockedRows.substr(0, kBlockedRows.size() - 2) + ", CGALayout = [[1, 0]]}>";
  const std::string columns = kBlockedRows.substr(0, kBlockedRows.size() - 2) + ", CGALayout = [[0, 1]]}>";
  EXPECT_EQ(conversion_cost(layout_of(rows, {32, 64}), layout_of(columns, {32, 64})), ConversionCost::cluster);
  EXPECT_EQ(conversion_cost(layout_of(rows, {32, 64}), layout_of(rows, {32, 64})), ConversionCost::nothing);
}

const Encoding* shared(EncodingTestReader& reader, const std::string& text) {
  const Encoding* encoding = reader.read(text);
  EXPECT_NE(encoding, nullptr) << reader.messages();
  return encoding;
}

TEST(SharedAccess, PlacesOfElements) {
  EncodingTestReader reader;
  const SharedPlaces swizzled(
      *shared(reader, "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"), {64, 64});
  for (std::int32_t row = 0; row < 64; ++row) {
    for (std::int32_t column = 0; column < 64; ++column) {
      EXPECT_EQ(swizzled.offset_of({row, column}), row * 64 + ((column / 8) ^ (row % 8)) * 8 + column % 8);
    }
  }
  const SharedPlaces padded(*shared(reader, "#ttg.padded_shared<[32:+4, 64:+8] {order = [1, 0], shape = [8, 32]}>"),
                            {8, 32});
  EXPECT_EQ(padded.offset_of({0, 31}), 31);
  EXPECT_EQ(padded.offset_of({1, 0}), 32 + 4);
  EXPECT_EQ(padded.offset_of({2, 1}), 65 + 2 * 4 + 8);
  const SharedPlaces split(
      *shared(reader, "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>"),
      {64});
  EXPECT_EQ(split.offset_of({40}), 8);
  EXPECT_EQ(split.block_of({40}), 1);
}

TEST(SharedAccess, ConflictsOfBanks) {
  EncodingTestReader reader;
  const std::string rows =
      "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>";
  const std::string columns =
      "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>";
  const SharedPlaces plain(
      *shared(reader, "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"), {32, 32});
  const SharedPlaces swizzled(
      *shared(reader, "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 32, order = [1, 0]}>"), {32, 32});
  const SharedPlaces padded(*shared(reader, "#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, 32]}>"),
                            {32, 32});
  const auto access = [](const std::string& text, const SharedPlaces& buffer) {
    const SharedAccess one = shared_access(layout_of(text, {32, 32}), buffer, 32);
    return std::vector<std::int32_t>{one.vector, one.instructions, one.conflicts()};
  };
  using Figures = std::vector<std::int32_t>;
  EXPECT_EQ(access(rows, plain), (Figures{1, 32, 0}));
  // A lane moves four columns of its row at once; the eight lanes of a quarter meet in four banks.
  EXPECT_EQ(access(columns, plain), (Figures{4, 8, 8 * 4 * 7}));
  EXPECT_EQ(access(columns, swizzled), (Figures{1, 32, 0}));
  EXPECT_EQ(access(rows, swizzled), (Figures{1, 32, 0}));
  EXPECT_EQ(access(columns, padded), (Figures{1, 32, 0}));
  const SharedPlaces larger(
      *shared(reader, "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"), {16, 64});
  const SharedAccess wide = shared_access(layout_of(kBlockedRows, {16, 64}), larger, 32);
  EXPECT_EQ(wide.vector, 4);
  EXPECT_EQ(wide.instructions, 2);
  EXPECT_EQ(wide.least_wavefronts, 8);
  EXPECT_EQ(wide.conflicts(), 0);  // a quarter of a warp reads one row of 32 words
}

TEST(ReductionOrder, RegistersThenLanesThenWarps) {
  const LinearLayout layout = layout_of(kBlockedRows, {32, 64});
  const ReductionOrder columns = reduction_order(layout, 1);
  const std::vector<std::vector<std::int32_t>> halves{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}};
  EXPECT_EQ(columns.registers, halves);
  EXPECT_EQ(columns.lane_masks, (std::vector<std::int32_t>{4, 2, 1}));
  EXPECT_FALSE(columns.needs_shared_memory());
  const ReductionOrder rows = reduction_order(layout, 0);
  EXPECT_EQ(rows.registers.size(), 8u);
  EXPECT_EQ(rows.registers[1], (std::vector<std::int32_t>{1, 9}));
  EXPECT_EQ(rows.lane_masks, (std::vector<std::int32_t>{16, 8}));
  EXPECT_EQ(rows.warp_bits, (std::vector<int>{0, 1}));
  EXPECT_EQ(rows.part_masks, (std::vector<std::int32_t>{2, 1}));
}

TEST(ReductionOrder, CopiesAreNotCountedTwice) {
  // Four columns: lanes 1, 2 and 4 hold copies.
  const ReductionOrder order = reduction_order(layout_of(kBlockedRows, {16, 4}), 1);
  EXPECT_EQ(order.registers, (std::vector<std::vector<std::int32_t>>{{0, 1, 2, 3}}));
  EXPECT_TRUE(order.lane_masks.empty());
}

TEST(ScanOrder, NeighboursOfAThreadThenLanesThenChunks) {
  const Extents rows_first{1, 0};
  const auto columns = scan_order(layout_of(kBlockedRows, {32, 64}), 1, rows_first);
  ASSERT_TRUE(columns.has_value());
  EXPECT_EQ(columns->per_thread, 4);
  EXPECT_EQ(columns->lanes, 8);
  const auto rows = scan_order(layout_of(kBlockedRows, {32, 64}), 0, rows_first);
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->per_thread, 1);
  EXPECT_EQ(rows->lanes, 4);
  // Lanes that hold copies do not count.
  const auto few = scan_order(layout_of(kBlockedRows, {16, 4}), 1, rows_first);
  ASSERT_TRUE(few.has_value());
  EXPECT_EQ(few->per_thread, 4);
  EXPECT_EQ(few->lanes, 1);
}

TEST(ScanOrder, OnlyWhereThreadsFollowOneAnother) {
  EXPECT_FALSE(scan_order(layout_of(kMmaResult, {64, 32}), 0, {1, 0}).has_value());
}

TEST(ReductionOrder, EveryElementIsAddedOnce) {
  for (const std::string& text : {kBlockedRows, kMmaResult}) {
    const LinearLayout layout = layout_of(text, {64, 32});
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const ReductionOrder order = reduction_order(layout, axis);
      // Element (i, j) is 1000 * i + j; whatever the order, the sums along the axis come out.
      std::map<std::vector<std::int32_t>, std::map<std::int32_t, std::int64_t>> parts;  // by result, by part
      for (std::int32_t warp = 0; warp < layout.input_size("warp"); ++warp) {
        std::vector<std::map<std::vector<std::int32_t>, std::int64_t>> lanes;
        for (std::int32_t lane = 0; lane < 32; ++lane) {
          const auto elements = elements_of_thread(layout, lane, warp);
          auto& own = lanes.emplace_back();
          for (const auto& registers : order.registers) {
            std::vector<std::int64_t> values;
            for (const std::int32_t reg : registers) {
              const auto& at = elements[static_cast<std::size_t>(reg)];
              values.push_back(1000 * at[0] + at[1]);
            }
            combine_in_thread(ThreadOrder::balanced_tree, values.size(),
                              [&](std::size_t into, std::size_t from) { values[into] += values[from]; });
            auto key = elements[static_cast<std::size_t>(registers[0])];
            key[axis] = 0;
            own[key] = values[0];
          }
        }
        for (const std::int32_t mask : order.lane_masks) {
          const auto before = lanes;
          for (std::int32_t lane = 0; lane < 32; ++lane) {
            for (auto& [key, value] : lanes[static_cast<std::size_t>(lane)]) {
              value += before[static_cast<std::size_t>(lane ^ mask)].at(key);
            }
          }
        }
        std::int32_t part = 0;
        for (std::size_t i = 0; i < order.warp_bits.size(); ++i) part |= ((warp >> order.warp_bits[i]) & 1) << i;
        for (const auto& own : lanes) {
          for (const auto& [key, value] : own) parts[key][part] = value;
        }
      }
      EXPECT_EQ(parts.size(), axis == 0 ? 32u : 64u);
      for (auto& [key, values] : parts) {
        for (const std::int32_t mask : order.part_masks) {
          const auto before = values;
          for (auto& [part, value] : values) value += before.at(part ^ mask);
        }
        const std::int64_t expected = axis == 0 ? 1000 * (63 * 64 / 2) + 64 * key[1] : 32 * 1000 * key[0] + 31 * 32 / 2;
        for (const auto& [part, value] : values) EXPECT_EQ(value, expected) << text;
      }
    }
  }
}

TEST(ReductionOrder, InOneThread) {
  const auto text = [](ThreadOrder order) {
    std::vector<std::string> values{"a", "b", "c", "d", "e", "f", "g", "h"};
    combine_in_thread(order, values.size(), [&](std::size_t into, std::size_t from) {
      values[into] = "(" + values[into] + values[from] + ")";
    });
    return values[0];
  };
  EXPECT_EQ(text(ThreadOrder::one_after_another), "(((((((ab)c)d)e)f)g)h)");
  EXPECT_EQ(text(ThreadOrder::balanced_tree), "(((ab)(cd))((ef)(gh)))");
}

}  // namespace
}  // namespace lockstep::ir
