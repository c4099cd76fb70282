// The generator against its published answers and against itself for ever: a change of any golden number below breaks
// the promise that a seed means the same data in every version.
#include "driver/arguments/philox.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driver/arguments/fill.h"

namespace lockstep::driver {
namespace {

TEST(Philox, KnownAnswersOfTheRandom123Distribution) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, OwnFunctionsAgreeWithTheLibrary) {
  const RandomStream random(5, "x");
  for (std::uint64_t block = 0; block < 20000; ++block) {
    const auto [u, v] = random.uniform(block);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ASSERT_NEAR(stable_log(1.0 - u), std::log(1.0 - u), 1e-15 * (1.0 - std::log(1.0 - u)));
    const auto [sine, cosine] = stable_sine_cosine(v);
    ASSERT_NEAR(sine, std::sin(2 * M_PI * v), 1e-15);
    ASSERT_NEAR(cosine, std::cos(2 * M_PI * v), 1e-15);
  }
  EXPECT_EQ(stable_log(1.0), 0.0);
  EXPECT_NEAR(stable_log(0x1p-53), -53 * M_LN2, 1e-14);
  EXPECT_EQ(stable_sine_cosine(0.0).cosine, 1.0);
  EXPECT_EQ(stable_sine_cosine(1.0).cosine, 1.0);
}

TEST(Philox, NormalNumbersHaveTheRightMoments) {
  const RandomStream random(1, "moments");
  double sum = 0, squares = 0, fourth = 0;
  constexpr int kBlocks = 200000;
  for (std::uint64_t block = 0; block < kBlocks; ++block) {
    for (const double z : random.normal(block)) {
      sum += z;
      squares += z * z;
      fourth += z * z * z * z;
    }
  }
  EXPECT_NEAR(sum / (2 * kBlocks), 0, 0.01);
  EXPECT_NEAR(squares / (2 * kBlocks), 1, 0.01);
  EXPECT_NEAR(fourth / (2 * kBlocks), 3, 0.06);
}

TEST(Philox, IntegersCoverTheirRangeEvenly) {
  const RandomStream random(9, "i");
  int counts[9] = {};
  for (std::uint64_t block = 0; block < 45000; ++block) {
    for (const std::int64_t value : random.integers(block, -4, 9)) {
      ASSERT_GE(value, -4);
      ASSERT_LT(value, 5);
      ++counts[value + 4];
    }
  }
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

std::uint64_t checksum(const char* text, std::uint64_t seed, std::int64_t count) {
  DiagnosticSink sink;
  const auto argument = parse_argument(text, sink);
  if (!argument) return 0;
  const TensorSpec& spec = std::get<TensorSpec>(argument->value);
  std::vector<std::byte> data(static_cast<std::size_t>(count * size_bytes(spec.element)));
  fill(spec, argument->name, seed, data.data(), count);
  return stable_hash({reinterpret_cast<const char*>(data.data()), data.size()});
}

TEST(Philox, BytesAreStableForEver) {
  struct Golden {
    const char* text;
    std::uint64_t seed, hash;
  };
  const Golden goldens[] = {
      {"x=randn:f32[1001]", 0U, 0x995836fc328f3e25U},
      {"x=randn:f64[1001]", 0U, 0x37359dee2aeebd03U},
      {"x=randn:f16[1001]", 7U, 0xd3f92da6161b3a2eU},
      {"x=randn:bf16[1001]", 7U, 0x8292808c410877c0U},
      {"x=randn:f8E4M3FN[1001]", 7U, 0xf359aa2c120dd877U},
      {"w=rand:f32[1001]", 18446744073709551615U, 0x2d1834b003856db3U},
      {"w=rand:f16[1001]", 3U, 0xdcd76c0287c63860U},
      {"i=randint(-5,1000):i32[1001]", 0U, 0xa8f08f7af90cb0deU},
      {"i=randint(0,9):i64[1001]", 42U, 0x8850e72d0357332cU},
      {"i=randint(0,2):bool[1001]", 42U, 0x039b79c1879921dbU},
  };
  for (const Golden& golden : goldens) {
    EXPECT_EQ(checksum(golden.text, golden.seed, 1001), golden.hash)
        << golden.text << " 0x" << std::hex << checksum(golden.text, golden.seed, 1001);
  }
}

TEST(Philox, SeedAndNameBothCount) {
  EXPECT_NE(checksum("x=randn:f32[8]", 0, 8), checksum("x=randn:f32[8]", 1, 8));
  EXPECT_NE(checksum("x=randn:f32[8]", 0, 8), checksum("y=randn:f32[8]", 0, 8));
}

}  // namespace
}  // namespace lockstep::driver
