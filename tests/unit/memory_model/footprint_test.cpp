// Footprints against brute force: random shapes and strides of any sign, 0 included, up to rank 4.
#include "memory_model/footprint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>

namespace lockstep::memory_model {
namespace {

struct Window {
  std::vector<std::int64_t> shape, strides;
};

Window random_window(std::mt19937_64& random, int largest_extent) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random); };
  Window window;
  const std::int64_t rank = pick(0, 4);
  for (std::int64_t d = 0; d < rank; ++d) {
    window.shape.push_back(pick(0, 20) == 0 ? 0 : pick(1, largest_extent));
    window.strides.push_back(pick(0, 3) == 0 ? pick(-40, 40) : pick(-9, 9));
  }
  return window;
}

std::set<std::int64_t> covered_slots(const Window& window) {
  std::set<std::int64_t> slots{0};
  for (std::size_t d = 0; d < window.shape.size(); ++d) {
    std::set<std::int64_t> next;
    for (const std::int64_t slot : slots) {
      for (std::int64_t i = 0; i < window.shape[d]; ++i) next.insert(slot + i * window.strides[d]);
    }
    slots = std::move(next);
  }
  return slots;
}

TEST(Footprint, AgreesWithBruteForce) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 3000; ++round) {
    const Window window = random_window(random, 6);
    const std::set<std::int64_t> slots = covered_slots(window);
    const auto footprint = Footprint::make(window.shape, window.strides);
    ASSERT_TRUE(footprint);
    ASSERT_EQ(footprint->is_empty(), slots.empty());
    if (slots.empty()) continue;
    ASSERT_EQ(footprint->lowest(), *slots.begin());
    ASSERT_EQ(footprint->highest(), *slots.rbegin());
    ASSERT_EQ(footprint->slot_count(), static_cast<std::int64_t>(slots.size()));
    std::int64_t run = 0, above = 0;
    for (std::int64_t slot = footprint->highest() + 2; slot >= footprint->lowest() - 2; --slot) {
      run = slots.count(slot) != 0 ? run + 1 : 0;
      ASSERT_EQ(footprint->run_length(slot, 1000), run) << "round " << round << " slot " << slot;
      ASSERT_EQ(footprint->run_length(slot, 2), std::min<std::int64_t>(run, 2));
    }
    for (std::int64_t slot = footprint->lowest(); slot <= footprint->highest(); ++slot) {
      above = slots.count(slot) != 0 ? 0 : above + 1;
      ASSERT_EQ(footprint->distance_above_covered(slot), above);
    }
  }
}

TEST(Footprint, FindIndexReachesEveryCoveredSlotAndNoOther) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 1000; ++round) {
    const Window window = random_window(random, 5);
    const std::set<std::int64_t> slots = covered_slots(window);
    const std::int64_t low = slots.empty() ? -3 : *slots.begin() - 3, high = slots.empty() ? 3 : *slots.rbegin() + 3;
    for (std::int64_t slot = low; slot <= high; ++slot) {
      const auto index = find_index(window.shape, window.strides, slot);
      ASSERT_EQ(index.has_value(), slots.count(slot) != 0);
      if (!index) continue;
      std::int64_t sum = 0;
      for (std::size_t d = 0; d < index->size(); ++d) {
        ASSERT_GE((*index)[d], 0);
        ASSERT_LT((*index)[d], window.shape[d]);
        sum += (*index)[d] * window.strides[d];
      }
      ASSERT_EQ(sum, slot);
    }
  }
}

TEST(Footprint, SharedBytesAgreeWithBruteForce) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 3000; ++round) {
    const Window a = random_window(random, 4), b = random_window(random, 4);
    const std::int64_t size_a = std::int64_t{1} << (random() % 4), size_b = std::int64_t{1} << (random() % 4);
    const std::uint64_t base_a = 4096, base_b = 4096 + random() % 200 - 100;
    std::set<std::uint64_t> bytes;
    for (const std::int64_t slot : covered_slots(a)) {
      for (std::int64_t i = 0; i < size_a; ++i) bytes.insert(base_a + static_cast<std::uint64_t>(slot * size_a + i));
    }
    bool expected = false;
    for (const std::int64_t slot : covered_slots(b)) {
      for (std::int64_t i = 0; i < size_b; ++i) {
        expected |= bytes.count(base_b + static_cast<std::uint64_t>(slot * size_b + i)) != 0;
      }
    }
    const auto found = share_a_byte({base_a, size_a, a.shape, a.strides}, {base_b, size_b, b.shape, b.strides});
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(*found, expected) << "round " << round;
  }
}

TEST(Footprint, BlocksOfDifferentLevelsMayTouch) {
  const std::vector<std::int64_t> shape{2, 2, 2}, strides{7, 5, 1};
  const auto footprint = Footprint::make(shape, strides);
  ASSERT_TRUE(footprint);
  EXPECT_EQ(footprint->run_length(5, 100), 4);
}

TEST(Footprint, HugeRegularWindowsTakeNoMemory) {
  const std::vector<std::int64_t> shape{std::int64_t{1} << 20, std::int64_t{1} << 20},
      strides{std::int64_t{1} << 30, 3};
  const auto footprint = Footprint::make(shape, strides);
  ASSERT_TRUE(footprint);
  EXPECT_TRUE(footprint->covers(3));
  EXPECT_FALSE(footprint->covers(4));
  EXPECT_TRUE(footprint->covers((std::int64_t{5} << 30) + 9));
}

TEST(Footprint, RefusesWhatOverflows) {
  const std::vector<std::int64_t> shape{3, std::int64_t{1} << 40};
  for (const std::int64_t stride : {std::int64_t{1} << 40, INT64_MAX, INT64_MIN, -(std::int64_t{1} << 60)}) {
    const std::vector<std::int64_t> strides{1, stride};
    EXPECT_FALSE(Footprint::make(shape, strides).has_value()) << stride;
  }
  const std::vector<std::int64_t> wide{1 << 20, 1 << 20}, irregular{1 << 11, (1 << 11) + 1};
  EXPECT_FALSE(Footprint::make(wide, irregular).has_value());
}

}  // namespace
}  // namespace lockstep::memory_model
