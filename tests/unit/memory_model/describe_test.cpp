#include "memory_model/describe.h"

#include <gtest/gtest.h>

#include <array>

namespace lockstep::memory_model {
namespace {

struct Fixture : testing::Test {
  AddressSpace memory;
  StorageId x = *memory.allocate("x", 4000), y = *memory.allocate("y", 64);

  const View& add(StorageId storage, std::string name, std::int64_t offset, std::vector<std::int64_t> shape,
                  std::vector<std::int64_t> strides) {
    const auto view =
        memory.add_view(storage, std::move(name), ScalarKind::f32, offset, std::move(shape), std::move(strides));
    EXPECT_TRUE(view.has_value());
    return memory.view(*view);
  }
};

TEST_F(Fixture, FlatTensor) {
  const View& view = add(x, "x", 0, {1000}, {1});
  EXPECT_EQ(shape_text(view), "x has 1000 elements");
  EXPECT_EQ(element_text(view, view.base + 40), "x[10]");
  EXPECT_EQ(element_text(view, view.base + 4000), "x[1000]");
  EXPECT_EQ(element_text(view, view.base - 4), "x[-1]");
  EXPECT_EQ(classify(memory, view, view.base + 3996, 4).place, Place::inside);
  const Classification past = classify(memory, view, view.base + 4000, 4);
  EXPECT_EQ(past.outside, Outside::past_end);
  EXPECT_EQ(past.place, Place::after);
  EXPECT_FALSE(past.storage);
  EXPECT_EQ(classify(memory, view, view.base - 4, 4).outside, Outside::before_start);
  EXPECT_EQ(describe_element(view, view.base + 4004).distance_bytes, 4);
  EXPECT_EQ(describe_element(view, view.base - 3).slot, -1);
  EXPECT_EQ(describe_element(view, view.base - 3).byte_in_slot, 1);
}

TEST_F(Fixture, AccessThatCrossesTheEndIsPastTheEnd) {
  const View& view = add(x, "x", 0, {1000}, {1});
  const Classification crossing = classify(memory, view, view.base + 3998, 4);
  EXPECT_EQ(crossing.place, Place::after);
  EXPECT_EQ(crossing.outside, Outside::past_end);
}

TEST_F(Fixture, GapOfAStridedView) {
  const View& view = add(x, "x", 0, {100}, {3});
  const Classification gap = classify(memory, view, view.base + 8, 4);
  EXPECT_EQ(gap.place, Place::gap);
  EXPECT_EQ(gap.outside, Outside::of_view);
  EXPECT_TRUE(gap.in_own_storage);
  EXPECT_EQ(describe_element(view, view.base + 8).distance_bytes, 4);
  EXPECT_EQ(element_text(view, view.base + 8), "x+8 bytes");
  EXPECT_EQ(classify(memory, view, view.base + 1400, 4).outside, Outside::of_view);
  EXPECT_EQ(shape_text(view), "x has shape [100] and strides [3]");
}

TEST_F(Fixture, NeighbourInTheSameStorageAndInAnother) {
  const View& a = add(x, "a", 100, {10}, {1});
  const View& b = add(x, "b", 110, {10}, {1});
  const View& other = add(y, "y", 0, {16}, {1});
  const Classification into_b = classify(memory, a, a.base + 40, 4);
  EXPECT_EQ(into_b.outside, Outside::in_neighbour);
  EXPECT_EQ(into_b.other_view, b.id);
  EXPECT_EQ(classify(memory, b, b.base - 4, 4).other_view, a.id);
  EXPECT_EQ(classify(memory, a, a.base - 4, 4).outside, Outside::before_start);
  const Classification into_y = classify(memory, a, other.base + 4, 4);
  EXPECT_EQ(into_y.outside, Outside::in_neighbour);
  EXPECT_EQ(into_y.other_view, other.id);
  EXPECT_FALSE(into_y.in_own_storage);
}

TEST_F(Fixture, AnEmptyVectorStillCountsElements) {
  const View& view = add(x, "x", 0, {0}, {1});
  EXPECT_EQ(element_text(view, view.base), "x[0]");
  EXPECT_EQ(element_text(view, view.base + 28), "x[7]");
}

TEST_F(Fixture, TheNarrowestNeighbourIsNamed) {
  const View& whole = add(x, "pool", 0, {1000}, {1});
  const View& a = add(x, "a", 0, {10}, {1});
  const View& b = add(x, "b", 10, {10}, {1});
  EXPECT_EQ(classify(memory, a, a.base + 40, 4).other_view, b.id);
  EXPECT_EQ(classify(memory, a, a.base + 80, 4).other_view, whole.id);
}

TEST_F(Fixture, MatrixIndicesExtendOutwards) {
  const View& view = add(x, "x", 0, {4, 8}, {8, 1});
  EXPECT_EQ(element_text(view, view.base + 4 * 31), "x[3,7]");
  EXPECT_EQ(element_text(view, view.base + 4 * 35), "x[4,3]");
  EXPECT_EQ(element_text(view, view.base - 4), "x[-1,7]");
  EXPECT_EQ(shape_text(view), "x has shape [4,8]");
  const View& transposed = add(x, "t", 0, {8, 4}, {1, 8});
  EXPECT_EQ(element_text(transposed, transposed.base + 4 * 9), "t[1,1]");
  EXPECT_EQ(element_text(transposed, transposed.base + 4 * 35), "t[3,4]");
}

TEST_F(Fixture, ReversedAndBroadcastViews) {
  const View& reversed = add(x, "r", 9, {10}, {-1});
  EXPECT_EQ(element_text(reversed, reversed.base), "r[0]");
  EXPECT_EQ(element_text(reversed, reversed.base - 8), "r[2]");
  EXPECT_EQ(classify(memory, reversed, reversed.base + 4, 4).place, Place::after);
  const View& broadcast = add(x, "b", 5, {3, 4}, {0, 1});
  EXPECT_EQ(element_text(broadcast, broadcast.base + 8), "b[0,2]");
  const View& nothing = add(x, "n", 5, {0}, {1});
  EXPECT_EQ(classify(memory, nothing, nothing.base, 4).place, Place::after);
  EXPECT_EQ(element_text(nothing, nothing.base), "n[0]");
}

TEST(ClassifyBorrowed, WhatLiesBehindIsChance) {
  std::array<float, 40> data{};
  AddressSpace memory;
  const StorageId first = memory.borrow("x,y", data.data() + 4, 80), second = memory.borrow("z", data.data() + 24, 32);
  const auto view_of = [&](StorageId storage, const char* name, int begin, std::int64_t count) {
    const std::array<std::int64_t, 1> shape{count}, strides{1};
    return *memory.add_view_at(storage, name, ScalarKind::f32, reinterpret_cast<Address>(data.data() + begin), shape,
                               strides);
  };
  const View& x = memory.view(view_of(first, "x", 10, 4));
  const ViewId y = view_of(first, "y", 14, 6), z = view_of(second, "z", 24, 8);
  const auto judge = [&](int element) {
    return classify(memory, x, reinterpret_cast<Address>(data.data() + element), 4);
  };
  EXPECT_EQ(judge(14).outside, Outside::in_neighbour) << "views of one storage lie as the program cut them";
  EXPECT_EQ(judge(14).other_view, y);
  EXPECT_EQ(judge(22).outside, Outside::of_view);
  EXPECT_EQ(judge(24).outside, Outside::past_end);
  EXPECT_EQ(judge(24).storage, second);
  EXPECT_EQ(judge(24).other_view, z);
  EXPECT_EQ(judge(33).outside, Outside::past_end);
  EXPECT_EQ(judge(3).outside, Outside::before_start);
  EXPECT_EQ(classify(memory, memory.view(z), x.base, 4).outside, Outside::before_start);
}

TEST(ClassifyInStorage, OnlyTheStorageCounts) {
  std::array<float, 40> data{};
  AddressSpace memory;
  const auto address = [&](std::int64_t i) {
    return reinterpret_cast<Address>(data.data()) + static_cast<Address>(i * 4);
  };
  const StorageId first = memory.borrow("x", data.data() + 4, 80), second = memory.borrow("z", data.data() + 24, 32);
  const std::array<std::int64_t, 1> shape{3}, strides{2};
  const View& x = memory.view(*memory.add_bare_view(first, "x", ScalarKind::f32, address(10), shape, strides));
  const ViewId z = *memory.add_bare_view(second, "z", ScalarKind::f32, address(24), shape, strides);
  const auto outside = [&](Address at, std::uint32_t bytes) {
    return classify_in_storage(memory, x, at, bytes).outside;
  };
  EXPECT_EQ(outside(address(4), 4), Outside::none);
  EXPECT_EQ(outside(address(11), 4), Outside::none);
  EXPECT_EQ(outside(address(23), 4), Outside::none);
  EXPECT_EQ(outside(address(3), 4), Outside::before_start);
  EXPECT_EQ(outside(address(3) + 2, 4), Outside::before_start);
  EXPECT_EQ(outside(address(33), 4), Outside::past_end);
  EXPECT_EQ(outside(address(24), 4), Outside::past_end) << "what lies behind a storage is chance";
  EXPECT_EQ(outside(address(23), 8), Outside::past_end);
  EXPECT_EQ(classify_in_storage(memory, x, address(25), 4).storage, second);
  EXPECT_EQ(classify_in_storage(memory, x, address(26), 4).other_view, z);
  EXPECT_FALSE(classify_in_storage(memory, x, address(25), 4).other_view) << "between z's elements";
  EXPECT_EQ(outside(UINT64_MAX - 1, 4), Outside::past_end);
}

}  // namespace
}  // namespace lockstep::memory_model
