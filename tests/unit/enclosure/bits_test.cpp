// Bits of intervals, held against every number in them: all pairs of intervals of four bits, and floats by their
// patterns.
#include "enclosure/bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <utility>

#include "support/float_formats.h"

namespace lockstep::enclosure {
namespace {

using ir::Arithmetic;
using ir::Calculation;
using ir::Numbers;

constexpr int kWidth = 4, kLeast = -8, kMost = 7;

int wrapped(int bits) { return static_cast<int>(static_cast<unsigned>(bits) << 28) >> 28; }

int computed(const Calculation& what, int a, int b) {
  switch (what.arithmetic) {
    case Arithmetic::conjunction: return wrapped(a & b);
    case Arithmetic::disjunction: return wrapped(a | b);
    case Arithmetic::parity: return wrapped(a ^ b);
    case Arithmetic::shift_left: return wrapped(a << b);
    default: return wrapped((what.numbers == Numbers::with_sign ? a : a & 15) >> b);
  }
}

struct Tally {
  int bounded = 0, exact = 0;
};

/// Holds `result` against what every pair gives.
void hold(const Calculation& what, const Interval& a, const Interval& b, const Interval& result, Tally& tally) {
  if (result.is_unbounded()) return;
  int least = kMost, most = kLeast;
  for (int x = static_cast<int>(a.low); x <= a.high; ++x) {
    for (int y = static_cast<int>(b.low); y <= b.high; ++y) {
      const int value = computed(what, x, y);
      ASSERT_TRUE(result.contains(value))
          << x << " and " << y << " give " << value << ", not within " << result.low << " … " << result.high;
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  ++tally.bounded;
  tally.exact += result.low == least && result.high == most ? 1 : 0;
}

template <typename Visit>
void every_interval(const Visit& visit) {
  for (int low = kLeast; low <= kMost; ++low) {
    for (int high = low; high <= kMost; ++high) visit(Interval{double(low), double(high)});
  }
}

TEST(Bits, BitwiseHoldsEveryPair) {
  for (const Arithmetic what : {Arithmetic::conjunction, Arithmetic::disjunction, Arithmetic::parity}) {
    Tally tally;
    every_interval([&](const Interval& a) {
      every_interval([&](const Interval& b) {
        hold({what, Numbers::integers}, a, b, bitwise(what, kWidth, a, b), tally);
      });
    });
    EXPECT_EQ(tally.bounded, 72 * 72) << "every pair of intervals of one sign";
    EXPECT_GT(tally.exact, tally.bounded / 4);
  }
}

TEST(Bits, ShiftsHoldEveryNumber) {
  for (const Calculation& what : {Calculation{Arithmetic::shift_left, Numbers::integers},
                                  Calculation{Arithmetic::shift_right, Numbers::without_sign},
                                  Calculation{Arithmetic::shift_right, Numbers::with_sign}}) {
    Tally tally;
    for (int by = 0; by < kWidth; ++by) {
      const Interval distance{double(by), double(by)};
      every_interval(
          [&](const Interval& a) { hold(what, a, distance, shifted(what, kWidth, a, distance), tally); });
    }
    EXPECT_GT(tally.bounded, 100);
    EXPECT_EQ(tally.exact, tally.bounded);
  }
  EXPECT_TRUE(shifted({Arithmetic::shift_left, Numbers::integers}, kWidth, {1, 2}, {0, 1}).is_unbounded());
  EXPECT_TRUE(shifted({Arithmetic::shift_left, Numbers::integers}, kWidth, {1, 2}, {4, 4}).is_unbounded());
  EXPECT_TRUE(shifted({Arithmetic::shift_right, Numbers::with_sign}, 64, {0, 0x1p60}, {4, 4}).is_unbounded());
}

TEST(Bits, WordsWithTheSignBit) {
  const Interval sign{-0x1p31, -0x1p31}, rest{0x1p31 - 1, 0x1p31 - 1};
  const Interval negative{-5, -3};
  const Interval cleared = bitwise(Arithmetic::conjunction, 32, negative, rest);
  EXPECT_EQ(cleared.low, 0x1p31 - 8);
  EXPECT_EQ(cleared.high, 0x1p31 - 1);
  const Interval only = bitwise(Arithmetic::conjunction, 32, negative, sign);
  EXPECT_TRUE(only.is_point());
  EXPECT_EQ(only.low, -0x1p31);
  EXPECT_TRUE(bitwise(Arithmetic::conjunction, 32, {-1, 1}, rest).is_unbounded());
}

TEST(Bits, FloatsAndTheirPatterns) {
  std::mt19937 random(7);
  for (const ScalarKind kind : {ScalarKind::f32, ScalarKind::f16, ScalarKind::bf16}) {
    std::uniform_real_distribution<double> near(0.5, 20);
    for (int i = 0; i < 1000; ++i) {
      const double sign = i % 2 == 0 ? 1 : -1;
      double a = sign * decode_float(kind, encode_float(kind, near(random)));
      double b = sign * decode_float(kind, encode_float(kind, near(random)));
      if (a > b) std::swap(a, b);
      const Interval bits = bits_of_float(kind, {a, b});
      const double inside = decode_float(kind, encode_float(kind, a + (b - a) * 0.37));
      const Interval pattern = bits_of_float(kind, {inside, inside});
      ASSERT_TRUE(pattern.is_point());
      ASSERT_TRUE(bits.contains(pattern.low)) << a << " … " << b;
      const Interval back = float_of_bits(kind, bits);
      ASSERT_EQ(back.low, a);
      ASSERT_EQ(back.high, b);
    }
    EXPECT_TRUE(bits_of_float(kind, {-1, 1}).is_unbounded());
    EXPECT_TRUE(bits_of_float(kind, {0, 1}).is_unbounded()) << "the zero may be -0";
  }
  EXPECT_EQ(bits_of_float(ScalarKind::f32, {1, 1}).low, 0x3f800000);
  EXPECT_TRUE(float_of_bits(ScalarKind::f32, {0x7f000000, 0x7fc00000}).is_unbounded()) << "a NaN";
}

}  // namespace
}  // namespace lockstep::enclosure
