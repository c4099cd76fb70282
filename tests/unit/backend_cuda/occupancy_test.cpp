#include "backend_cuda/device/occupancy.h"

#include <gtest/gtest.h>

namespace lockstep::backend_cuda {
namespace {

TEST(Occupancy, ReadsWhatPtxasSays) {
  const auto cost = read_cost(
      "ptxas info    : Function properties for attention\n"
      "    0 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
      "ptxas info    : Used 138 registers, used 1 barriers\n");
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->registers, 138);
  EXPECT_EQ(cost->spilled, 24);
  EXPECT_FALSE(read_cost(""));
  EXPECT_FALSE(read_cost("Used registers, bytes spill stores"));
}

TEST(Occupancy, GivesUpAFifthOfTheRegistersForABlock) {
  constexpr std::int64_t kShared = 233472;
  EXPECT_EQ(blocks_with_one_more(138, 256, 65536, kShared), 2);   // 128 registers
  EXPECT_EQ(blocks_with_one_more(128, 256, 65536, kShared), 0);   // three would leave 80
  EXPECT_EQ(blocks_with_one_more(152, 256, 65536, kShared), 2);
  EXPECT_EQ(blocks_with_one_more(168, 256, 65536, kShared), 0);   // 128 are too few
  EXPECT_EQ(blocks_with_one_more(138, 256, 131072, kShared), 0);  // shared memory has room for one
  EXPECT_EQ(blocks_with_one_more(0, 256, 0, kShared), 0);
}

}  // namespace
}  // namespace lockstep::backend_cuda
