// Touched pages: what the system says of a range, and that asking touches nothing.
#include "memory_model/touched.h"

#include <gtest/gtest.h>

namespace lockstep::memory_model {
namespace {

constexpr std::uint64_t kBytes = std::uint64_t{4} << 30;

TEST(Touched, NamesThePagesThatWereWritten) {
  AddressSpace memory;
  const Extent extent = memory.storage(*memory.allocate("x", kBytes)).extent;
  auto* bytes = reinterpret_cast<char*>(extent.begin);
  const std::uint64_t before = resident_memory();
  auto ranges = touched_ranges(extent);
  if (!ranges) GTEST_SKIP() << "this system does not tell";
  EXPECT_LE(resident_memory(), before + (std::uint64_t{8} << 20));
  for (const std::uint64_t offset : {std::uint64_t{0}, kBytes / 2 + 7, kBytes - 1}) bytes[offset] = 1;
  ranges = touched_ranges(extent);
  ASSERT_EQ(ranges->size(), 3U);  // the red zones are outside of the extent
  EXPECT_EQ(ranges->front().begin, extent.begin);
  EXPECT_TRUE((*ranges)[1].begin <= extent.begin + kBytes / 2 + 7 && extent.begin + kBytes / 2 + 7 < (*ranges)[1].end);
  EXPECT_EQ(ranges->back().end, extent.end);
  const Extent inner{extent.begin + 100, extent.begin + 200};
  ASSERT_EQ(touched_ranges(inner)->size(), 1U);
  EXPECT_EQ(touched_ranges(inner)->front().begin, inner.begin);
  EXPECT_EQ(touched_ranges(inner)->front().end, inner.end);
  EXPECT_TRUE(touched_ranges({extent.begin, extent.begin})->empty());
}

TEST(Touched, AdjacentPagesAreOneRange) {
  AddressSpace memory;
  const Extent extent = memory.storage(*memory.allocate("x", std::uint64_t{1} << 20)).extent;
  auto* bytes = reinterpret_cast<char*>(extent.begin);
  for (std::uint64_t i = 0; i < extent.bytes(); i += 4096) bytes[i] = 1;
  const auto ranges = touched_ranges(extent);
  if (!ranges) GTEST_SKIP() << "this system does not tell";
  ASSERT_EQ(ranges->size(), 1U);
  EXPECT_EQ(ranges->front().bytes(), extent.bytes());
}

}  // namespace
}  // namespace lockstep::memory_model
