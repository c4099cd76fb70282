// Layouts: every element is held, texts compute the index that the bits say, shape ops and reductions are renamings.
#include "backend_cuda/layout/layout.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

namespace lockstep::backend_cuda {
namespace {

int moved(const std::vector<int>& bits, int number) {
  int index = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] != kReplicated && (number >> i & 1) != 0) index |= 1 << bits[i];
  }
  return index;
}

int index_of(const Layout& layout, int r, int lane, int warp) {
  return moved(layout.reg, r) | moved(layout.lane, lane) | moved(layout.warp, warp);
}

/// How many (thread, register) pairs hold each element.
std::map<int, int> holders(const Layout& layout) {
  std::map<int, int> count;
  for (int r = 0; r < layout.registers(); ++r) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int warp = 0; warp < 1 << layout.warp.size(); ++warp) ++count[index_of(layout, r, lane, warp)];
    }
  }
  return count;
}

void expect_covers(const Layout& layout, int elements) {
  const std::map<int, int> count = holders(layout);
  ASSERT_EQ(static_cast<int>(count.size()), elements) << layout.to_string();
  EXPECT_EQ(count.rbegin()->first, elements - 1);
  for (const auto& [index, holding] : count) EXPECT_EQ(holding, count.begin()->second) << index;
}

TEST(Layout, BlockedHoldsEveryElementOnceOrInEqualCopies) {
  for (const std::int64_t rows : {1, 2, 16, 128}) {
    for (const std::int64_t columns : {1, 4, 64, 512}) {
      for (const int per_thread : {1, 2, 8}) {
        for (const int warps : {1, 4, 16}) {
          expect_covers(blocked_layout({rows, columns}, {1, 0}, per_thread, warps), static_cast<int>(rows * columns));
          expect_covers(blocked_layout({rows, columns}, {0, 1}, per_thread, warps), static_cast<int>(rows * columns));
        }
      }
    }
  }
}

TEST(Layout, BlockedGivesAThreadAdjacentElements) {
  const Layout layout = blocked_layout({1024}, {0}, 4, 4);
  EXPECT_EQ(layout.reg, (std::vector<int>{0, 1, 9}));
  EXPECT_EQ(layout.contiguous_bits(bits_in_order({1024}, {0})), 2);
  EXPECT_FALSE(layout.is_replicated());
  EXPECT_EQ(layout.owner_text(), "");
}

TEST(Layout, SmallTilesAreReplicatedAndHaveOneOwner) {
  const Layout layout = blocked_layout({8}, {0}, 1, 4);
  EXPECT_TRUE(layout.is_replicated());
  EXPECT_EQ(layout.owner_text(), "(lane & 0x18) == 0 && (warp & 0x3) == 0");
}

TEST(Layout, AccumulatorsAreThoseOfMma) {
  // PTX ISA, mma.m16n8k16: c0, c1 in row lane / 4, columns 2 (lane % 4) and the next; c2, c3 eight rows below.
  const Layout layout = mma_layout(16, 8, 1, 1);
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < 4; ++r) {
      const int row = lane / 4 + 8 * (r / 2), column = lane % 4 * 2 + r % 2;
      EXPECT_EQ(index_of(layout, r, lane, 0), row * 8 + column);
    }
  }
  for (const int warp_rows : {1, 2, 4}) expect_covers(mma_layout(64, 32, warp_rows, 4), 64 * 32);
  expect_covers(mma_layout(16, 8, 1, 4), 16 * 8);
  // Of four warps two share the columns; which, the products in the prelude count by the lowest bit.
  EXPECT_EQ(mma_layout(16, 16, 1, 4).warp, (std::vector<int>{3, kReplicated}));
  expect_covers(mma_layout(128, 256, 8, 8), 128 * 256);
}

TEST(Layout, ReducedLayoutKeepsWhatIsLeft) {
  const Layout layout = blocked_layout({16, 64}, {1, 0}, 4, 4);
  const Layout rows = layout.without(0, 6);  // columns are gone
  const std::map<int, int> count = holders(rows);
  EXPECT_EQ(count.size(), 16u);
  for (int r = 0; r < layout.registers(); ++r) {
    for (int thread = 0; thread < 128; ++thread) {
      const int row = index_of(layout, r, thread % 32, thread / 32) >> 6;
      bool is_held = false;
      for (int k = 0; k < rows.registers(); ++k) is_held |= index_of(rows, k, thread % 32, thread / 32) == row;
      EXPECT_TRUE(is_held) << "a thread lost a row that it took part in";
    }
  }
}

TEST(Layout, OperandOfABroadcastHoldsWhatTheResultNeeds) {
  const Layout result = blocked_layout({16, 64}, {1, 0}, 4, 4);
  const BitMap map = {kReplicated, kReplicated, kReplicated, kReplicated, kReplicated, kReplicated, 0, 1, 2, 3};
  const Layout operand = result.mapped(map);
  expect_covers(operand, 16);
  for (int thread = 0; thread < 128; ++thread) {
    for (int r = 0; r < result.registers(); ++r) {
      const int row = index_of(result, r, thread % 32, thread / 32) >> 6;
      bool is_held = false;
      for (int k = 0; k < operand.registers(); ++k) is_held |= index_of(operand, k, thread % 32, thread / 32) == row;
      EXPECT_TRUE(is_held);
    }
  }
}

TEST(Layout, TextsGroupRunsOfBits) {
  EXPECT_EQ(move_bits_text("r", {0, 1, 9}), "(r & 0x3) | ((r & 0x4) << 7)");
  EXPECT_EQ(move_bits_text("lane", {kReplicated, 0, 1}), "((lane & 0x6) >> 1)");
  EXPECT_EQ(move_bits_text("warp", {kReplicated}), "0");
  EXPECT_EQ(blocked_layout({1024}, {0}, 4, 4).thread_text(), "((lane & 0x1f) << 2) | ((warp & 0x3) << 7)");
}

}  // namespace
}  // namespace lockstep::backend_cuda
