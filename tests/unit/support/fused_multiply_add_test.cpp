// Against the C library's on this machine: numbers of every exponent, results that are subnormal, ties, cancellation.
#include "support/floats/fused_multiply_add.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace lockstep {
namespace {

void expect_fused(float a, float b, float c) {
  const float mine = fused_multiply_add(a, b, c), theirs = std::fma(a, b, c);
  const bool is_same =
      (mine != mine && theirs != theirs) || std::bit_cast<std::uint32_t>(mine) == std::bit_cast<std::uint32_t>(theirs);
  ASSERT_TRUE(is_same) << std::hexfloat << a << " * " << b << " + " << c << ": " << mine << ", not " << theirs;
}

float near(std::mt19937& random, int least, int most) {
  const int exponent = least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  return std::ldexp(static_cast<float>(static_cast<std::int32_t>(random() | 1)), exponent - 31);
}

TEST(FusedMultiplyAdd, IsTheLibrarys) {
  using Limits = std::numeric_limits<float>;
  std::mt19937 random(4);
  for (int i = 0; i < 300000; ++i) {
    const auto any = [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(random())); };
    expect_fused(any(), any(), any());
    expect_fused(near(random, -3, 3), near(random, -3, 3), near(random, -3, 3));
    expect_fused(near(random, -75, -60), near(random, -75, -60), near(random, -149, -126));
    const float a = near(random, -3, 3), b = near(random, -3, 3);
    expect_fused(a, b, -a * b);
    // A tie of the sum, and a product that tips it either way.
    const float whole = std::ldexp(static_cast<float>(1 << 23 | random() % (1 << 23)), static_cast<int>(random() % 40));
    const float half = (std::nextafter(whole, Limits::infinity()) - whole) / 2;
    expect_fused(half, 1, whole);
    expect_fused(half, 1 + Limits::epsilon(), whole);
    expect_fused(half, 1 - Limits::epsilon() / 2, whole);
    expect_fused(half, -(1 - Limits::epsilon() / 2), whole);
  }
  for (const float special :
       {0.0F, -0.0F, Limits::infinity(), -Limits::infinity(), Limits::max(), Limits::denorm_min()}) {
    for (const float other : {0.0F, -0.0F, 1.0F, -1.0F, Limits::max(), Limits::infinity(), Limits::denorm_min()}) {
      expect_fused(special, other, 0.0F);
      expect_fused(special, other, -0.0F);
      expect_fused(1, special, other);
      expect_fused(special, other, -special);
    }
  }
}

}  // namespace
}  // namespace lockstep
