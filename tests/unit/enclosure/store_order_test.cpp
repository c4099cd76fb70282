// Which stores of one program have no order: elements of several sizes, lanes that meet, barriers.
#include "enclosure/shadow/store_order.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::enclosure {
namespace {

using Shape = StoreOrder::Shape;

/// Stores `count` elements from `begin` on, `step` bytes apart; "x" for a lane behind another thread's store.
std::string stored(StoreOrder& order, const Shape& shape, int bytes, std::uint64_t begin, std::int64_t step) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  std::vector<std::uint64_t> addresses;
  for (std::int64_t i = 0; i < count; ++i) addresses.push_back(begin + static_cast<std::uint64_t>(i * step));
  std::string said;
  for (const bool is_behind : order.note(shape, bytes, addresses, std::vector<bool>(addresses.size(), true)))
    said += is_behind ? 'x' : '.';
  return said;
}

TEST(StoreOrder, OneThreadIsInOrderWithItself) {
  StoreOrder order;
  EXPECT_EQ(stored(order, {4}, 4, 1024, 4), "....");
  EXPECT_EQ(stored(order, {4}, 4, 1024, 4), "....");
  EXPECT_EQ(stored(order, {4}, 4, 1028, 4), "xxx.");
  EXPECT_EQ(stored(order, {2, 2}, 4, 1024, 4), "xxxx");
}

TEST(StoreOrder, TheFirstOfThreeMayBeTheLast) {
  StoreOrder order;
  stored(order, {2}, 4, 1024, 4);
  EXPECT_EQ(stored(order, {2}, 4, 1028, -4), "xx");
  EXPECT_EQ(stored(order, {2}, 4, 1028, -4), "xx");
}

TEST(StoreOrder, ABarrierPutsThemInOrder) {
  StoreOrder order;
  stored(order, {2}, 4, 1024, 4);
  order.wait();
  EXPECT_EQ(stored(order, {2}, 4, 1028, -4), "..");
}

TEST(StoreOrder, LanesOfOneStoreThatMeetCountForTheNext) {
  StoreOrder order;
  EXPECT_EQ(stored(order, {4}, 4, 1024, 0), "....");
  EXPECT_EQ(stored(order, {4}, 4, 1024, 4), "x...");
}

TEST(StoreOrder, ElementsOfOtherSizes) {
  StoreOrder order;
  EXPECT_EQ(stored(order, {2}, 4, 1024, 4), "..");
  EXPECT_EQ(stored(order, {2}, 2, 1024, 2), ".x");  // lane 0 stored the first four bytes
  EXPECT_EQ(stored(order, {2}, 8, 1024, 8), "x.");
  EXPECT_EQ(stored(order, {1}, 4, 1036, 4), "x");
}

TEST(StoreOrder, AnElementAcrossTheEndOfAPage) {
  StoreOrder order;
  EXPECT_EQ(stored(order, {1}, 4, 1278, 4), ".");
  EXPECT_EQ(stored(order, {2}, 4, 1276, 4), "x.");
}

}  // namespace
}  // namespace lockstep::enclosure
