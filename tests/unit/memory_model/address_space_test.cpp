#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <set>

#include "memory_model/overlap.h"
#include "memory_model/view.h"

namespace lockstep::memory_model {
namespace {

ViewId must_add(AddressSpace& memory, StorageId storage, std::string name, ScalarKind kind, std::int64_t offset,
                std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
  auto view = memory.add_view(storage, std::move(name), kind, offset, std::move(shape), std::move(strides));
  EXPECT_TRUE(view.has_value()) << (view ? "" : view.error().message);
  return view ? *view : ViewId{};
}

TEST(AddressSpace, AllocationIsZeroedAlignedAndLooksUp) {
  AddressSpace memory;
  const StorageId x = *memory.allocate("x", 1000), y = *memory.allocate("y", 8);
  const Extent extent = memory.storage(x).extent;
  EXPECT_EQ(extent.bytes(), 1000U);
  EXPECT_EQ(extent.begin % 256, 0U);
  EXPECT_TRUE(memory.storage(x).is_owned);
  const auto* bytes = reinterpret_cast<const unsigned char*>(extent.begin);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(bytes[i], 0);
  EXPECT_EQ(memory.find_storage(extent.begin), x);
  EXPECT_EQ(memory.find_storage(extent.end - 1), x);
  EXPECT_FALSE(memory.find_storage(extent.end).has_value());
  EXPECT_FALSE(memory.find_storage(extent.begin - 1).has_value());
  EXPECT_FALSE(memory.find_storage(0).has_value());
  EXPECT_EQ(memory.nearest_storage(extent.end + 10), x);
  EXPECT_EQ(memory.nearest_storage(memory.storage(y).extent.begin - 4), y);
  EXPECT_GE(memory.storage(y).extent.begin - extent.end, 8192U);
}

TEST(AddressSpace, RedZonesNoticeEveryStrayByteNextToTheData) {
  for (const std::int64_t offset : {-4096, -1, 1000, 1001, 4095, 5000}) {
    AddressSpace memory;
    const StorageId x = *memory.allocate("x", 1000);
    auto* begin = reinterpret_cast<std::byte*>(memory.storage(x).extent.begin);
    std::memset(begin, 0xff, 1000);
    EXPECT_TRUE(memory.red_zones_intact());
    begin[offset] = std::byte{1};
    EXPECT_FALSE(memory.red_zones_intact()) << offset;
  }
}

TEST(AddressSpace, HugeAllocationsAreLazy) {
  AddressSpace memory;
  const auto x = memory.allocate("x", std::uint64_t{1} << 38);
  ASSERT_TRUE(x.has_value());
  *reinterpret_cast<char*>(memory.storage(*x).extent.end - 1) = 1;
}

TEST(AddressSpace, RefusesImpossibleSizes) {
  AddressSpace memory;
  for (const std::uint64_t bytes : {std::uint64_t{1} << 47, ~std::uint64_t{0}, ~std::uint64_t{0} - 4096}) {
    const auto x = memory.allocate("x", bytes);
    ASSERT_FALSE(x.has_value());
    EXPECT_EQ(x.error().code.spelling(), "LS3010");
  }
}

TEST(AddressSpace, DistancesRepeatFromRunToRun) {
  AddressSpace a, b;
  const auto distance = [](AddressSpace& m) {
    const StorageId x = *m.allocate("x", 12345), y = *m.allocate("y", 7);
    return m.storage(y).extent.begin - m.storage(x).extent.begin;
  };
  EXPECT_EQ(distance(a), distance(b));
}

TEST(AddressSpace, BorrowedRangesThatOverlapBecomeOneStorage) {
  std::array<char, 4096> buffer{};
  AddressSpace memory;
  const StorageId a = memory.borrow("a", buffer.data(), 100);
  const StorageId b = memory.borrow("b", buffer.data() + 200, 100);
  const ViewId in_b = must_add(memory, b, "b", ScalarKind::i8, 4, {8}, {1});
  EXPECT_FALSE(memory.storage(a).id == memory.storage(b).id);
  const StorageId c = memory.borrow("c", buffer.data() + 50, 200);
  EXPECT_EQ(memory.storage(b).id, a);
  EXPECT_EQ(c, a);
  EXPECT_EQ(memory.storage(a).extent.bytes(), 300U);
  EXPECT_EQ(memory.storage(a).name, "a,b,c");
  EXPECT_EQ(memory.view(in_b).storage, a);
  EXPECT_EQ(memory.view(in_b).base, reinterpret_cast<Address>(buffer.data()) + 204);
  EXPECT_EQ(memory.lookup_table().size(), 1U);
  EXPECT_EQ(memory.borrow("d", buffer.data() + 300, 10).index, 3) << "touching is not overlapping";
}

TEST(AddressSpace, ViewsMustLieInsideTheirStorage) {
  AddressSpace memory;
  const StorageId x = *memory.allocate("x", 64);
  must_add(memory, x, "all", ScalarKind::f32, 0, {16}, {1});
  must_add(memory, x, "reversed", ScalarKind::f32, 15, {16}, {-1});
  must_add(memory, x, "broadcast", ScalarKind::f32, 15, {1 << 20}, {0});
  must_add(memory, x, "scalar", ScalarKind::f64, 7, {}, {});
  must_add(memory, x, "nothing", ScalarKind::f64, 8, {0, 5}, {5, 1});
  const auto code = [&](std::int64_t offset, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
    const auto view = memory.add_view(x, "v", ScalarKind::f32, offset, std::move(shape), std::move(strides));
    return view ? std::string() : std::string(view.error().code.spelling());
  };
  EXPECT_EQ(code(1, {16}, {1}), "LS2010");
  EXPECT_EQ(code(-1, {4}, {1}), "LS2010");
  EXPECT_EQ(code(14, {16}, {-1}), "LS2010");
  EXPECT_EQ(code(INT64_MAX, {4}, {1}), "LS2010");
  EXPECT_EQ(code(INT64_MIN, {4}, {1}), "LS2010");
  EXPECT_EQ(code(17, {0}, {1}), "LS2010");
  EXPECT_EQ(code(0, {4}, {1, 1}), "LS2011");
  EXPECT_EQ(code(0, {-4}, {1}), "LS2011");
  EXPECT_EQ(code(0, {INT64_MAX, 4}, {0, 0}), "LS2011");
  EXPECT_EQ(code(0, {3}, {INT64_MAX}), "LS2011");
  EXPECT_EQ(code(0, {2}, {INT64_MAX}), "LS2011");
  EXPECT_EQ(code(0, {2}, {INT64_MIN}), "LS2011");
  EXPECT_EQ(code(0, {2, 2, 2}, {INT64_MAX / 2, INT64_MAX / 2, INT64_MAX / 2}), "LS2011");
}

TEST(AddressSpace, BareViewsAnswerAsViewsWithFootprintsDo) {
  std::mt19937_64 random(11);
  std::array<char, 4096> buffer{};
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    AddressSpace memory;
    const StorageId storage = memory.borrow("x", buffer.data(), 4096);
    std::vector<std::int64_t> shape(random() % 4), strides(shape.size());
    for (auto& size : shape) size = static_cast<std::int64_t>(random() % 5);
    for (auto& stride : strides) stride = static_cast<std::int64_t>(random() % 41) - 20;
    const Address base = reinterpret_cast<Address>(buffer.data()) + random() % 700;
    const auto full = memory.add_view_at(storage, "full", ScalarKind::i16, base, shape, strides);
    const auto bare = memory.add_bare_view(storage, "bare", ScalarKind::i16, base, shape, strides);
    ASSERT_EQ(full.has_value(), bare.has_value());
    if (!full) {
      ++refused;
      EXPECT_EQ(full.error().code.spelling(), bare.error().code.spelling());
      continue;
    }
    const View &a = memory.view(*full), &b = memory.view(*bare);
    EXPECT_FALSE(b.has_footprint);
    EXPECT_EQ(a.base, b.base);
    EXPECT_EQ(a.extent.begin, b.extent.begin);
    EXPECT_EQ(a.extent.end, b.extent.end);
    EXPECT_EQ(b.completed().is_dense, a.is_dense);
    for (Address at = a.extent.begin - 3; at < a.extent.end + 3; ++at) {
      const auto bytes = static_cast<std::uint32_t>(1 + random() % 4);
      ASSERT_EQ(a.contains(at, bytes), b.contains(at, bytes));
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_LT(refused, 1500);
}

TEST(AddressSpace, JoinsAsAWalkOverAllPairsWould) {
  std::mt19937_64 random(5);
  std::vector<char> buffer(1000);
  for (int round = 0; round < 300; ++round) {
    AddressSpace memory;
    std::vector<std::pair<int, int>> ranges;
    std::vector<StorageId> ids;
    for (int i = 0; i < 12; ++i) {
      const int begin = static_cast<int>(random() % 900), bytes = static_cast<int>(random() % 60);
      ranges.emplace_back(begin, begin + bytes);
      ids.push_back(memory.borrow("r" + std::to_string(i), buffer.data() + begin, static_cast<std::uint64_t>(bytes)));
    }
    std::vector<std::size_t> group(ranges.size());
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
    for (std::size_t pass = 0; pass < ranges.size(); ++pass) {
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        for (std::size_t j = 0; j < ranges.size(); ++j) {
          const bool share = std::max(ranges[i].first, ranges[j].first) < std::min(ranges[i].second, ranges[j].second);
          if (share) group[i] = group[j] = std::min(group[i], group[j]);
        }
      }
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (std::size_t j = 0; j < ids.size(); ++j)
        ASSERT_EQ(memory.storage(ids[i]).id == memory.storage(ids[j]).id, group[i] == group[j]);
    }
    for (std::size_t i = 1; i < memory.lookup_table().size(); ++i)
      ASSERT_LE(memory.lookup_table()[i - 1].extent.end, memory.lookup_table()[i].extent.begin);
    for (int at = 0; at < 1000; ++at) {
      const auto found = memory.find_storage(reinterpret_cast<Address>(buffer.data() + at));
      const auto owner =
          std::find_if(ranges.begin(), ranges.end(), [&](const auto& r) { return r.first <= at && at < r.second; });
      ASSERT_EQ(found.has_value(), owner != ranges.end());
      if (!found) continue;
      ASSERT_EQ(*found, memory.storage(ids[static_cast<std::size_t>(owner - ranges.begin())]).id);
    }
  }
}

TEST(View, ContainsAgreesWithBruteForce) {
  std::mt19937_64 random(3);
  AddressSpace memory;
  const StorageId x = *memory.allocate("x", 4096);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int64_t> shape, strides;
    for (std::uint64_t d = random() % 4; d > 0; --d) {
      shape.push_back(static_cast<std::int64_t>(random() % 5));
      strides.push_back(static_cast<std::int64_t>(random() % 21) - 10);
    }
    const View& view = memory.view(must_add(memory, x, "v", ScalarKind::i32, 500, shape, strides));
    std::set<Address> bytes;
    for (Address a = view.extent.begin; a < view.extent.end; a += 4) {
      const auto slot = (static_cast<std::int64_t>(a) - static_cast<std::int64_t>(view.base)) / 4;
      if (!find_index(shape, strides, slot)) continue;
      for (Address i = 0; i < 4; ++i) bytes.insert(a + i);
    }
    ASSERT_EQ(view.is_dense, bytes.size() == view.extent.bytes());
    for (Address a = view.extent.begin - 9; a < view.extent.end + 9; ++a) {
      for (const std::uint32_t width : {1U, 2U, 4U, 8U, 12U, 64U}) {
        bool expected = true;
        for (std::uint32_t i = 0; i < width; ++i) expected &= bytes.count(a + i) != 0;
        ASSERT_EQ(view.contains(a, width), expected) << "round " << round;
      }
    }
    ASSERT_FALSE(view.contains(~Address{0} - 1, 8));
  }
}

TEST(AddressSpace, AliasGroupsAreConnectedOverlaps) {
  AddressSpace memory;
  const StorageId x = *memory.allocate("x", 400), y = *memory.allocate("y", 400);
  const ViewId a = must_add(memory, x, "a", ScalarKind::f32, 0, {40}, {1});
  const ViewId b = must_add(memory, x, "b", ScalarKind::f32, 30, {40}, {1});
  const ViewId c = must_add(memory, x, "c", ScalarKind::f32, 60, {40}, {1});
  must_add(memory, y, "d", ScalarKind::f32, 0, {50}, {1});
  must_add(memory, y, "e", ScalarKind::f32, 50, {50}, {1});
  must_add(memory, y, "none", ScalarKind::f32, 10, {0}, {1});
  const auto groups = memory.alias_groups();
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0], (std::vector<ViewId>{a, b, c}));
  EXPECT_EQ(memory.storage(x).name, "x,a,b,c");
}

TEST(Overlap, GroupsAgreeWithBruteForce) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<Extent> extents(random() % 12);
    for (Extent& extent : extents) {
      extent.begin = random() % 100;
      extent.end = extent.begin + random() % 12;
    }
    std::vector<int> group(extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i) group[i] = static_cast<int>(i);
    for (std::size_t pass = 0; pass < extents.size(); ++pass) {
      for (std::size_t i = 0; i < extents.size(); ++i) {
        for (std::size_t j = 0; j < extents.size(); ++j) {
          const bool both = extents[i].bytes() > 0 && extents[j].bytes() > 0;
          if (both && extents[i].overlaps(extents[j])) group[i] = group[j] = std::min(group[i], group[j]);
        }
      }
    }
    const auto found = overlap_groups(extents);
    std::size_t members = 0;
    for (const auto& ids : found) {
      for (const std::int32_t id : ids)
        EXPECT_EQ(group[static_cast<std::size_t>(id)], group[static_cast<std::size_t>(ids[0])]);
      EXPECT_EQ(group[static_cast<std::size_t>(ids[0])], ids[0]);
      members += ids.size();
    }
    std::size_t expected = 0;
    for (const Extent& extent : extents) expected += extent.bytes() > 0 ? 1 : 0;
    EXPECT_EQ(members, expected);
  }
}

}  // namespace
}  // namespace lockstep::memory_model
