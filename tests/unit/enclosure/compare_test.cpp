#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <utility>

#include "enclosure/interval.h"
#include "enclosure/tolerance.h"
#include "support/float_formats.h"

namespace lockstep::enclosure {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

Tolerance bound(double rtol, double atol) {
  Tolerance t;
  t.rtol = rtol;
  t.atol = atol;
  return t;
}
Tolerance ulps(std::int64_t n) {
  Tolerance t;
  t.ulp = n;
  return t;
}

Comparison compare_doubles(std::vector<double> a, std::vector<double> b, const Tolerance& tolerance) {
  return compare(ScalarKind::f64, a.data(), b.data(), a.size(), tolerance);
}

TEST(Interval, OutwardRoundingIsOn) {
  EXPECT_GT(quotient_width(1, 3), 0);
  EXPECT_LT(quotient_width(1, 3), 1e-16);
  EXPECT_EQ(quotient_width(1, 4), 0);
}

TEST(Interval, OnlyWhatIsCertainIsOutside) {
  EXPECT_FALSE(certainly_outside(1.5, 1.0, 0, 0.5));
  EXPECT_TRUE(certainly_outside(std::nextafter(1.5, 2.0), 1.0, 0, 0.5));
  EXPECT_TRUE(certainly_outside(1.1, 1.0, 0.1, 0));  // both 1.1 and 0.1 are rounded up, 1.1 further
  EXPECT_TRUE(certainly_outside(1.0, std::nextafter(1.0, 2.0), 0, 0));
  EXPECT_TRUE(certainly_outside(5e-324, 0, 0, 0));
  EXPECT_TRUE(certainly_outside_integers(~std::uint64_t{0}, 0, 0, 1.844674407370954e19));
  // 2^64 - 1 lies between two doubles, so no bound between them can be told from it.
  EXPECT_FALSE(certainly_outside_integers(~std::uint64_t{0}, 0, 0, 0x1p64 - 2048));
  EXPECT_FALSE(certainly_outside_integers(10, 100, 0.1, 0));
  EXPECT_TRUE(certainly_outside_integers(11, 100, 0.1, 0));
}

TEST(Compare, FloatsWithinAndOutside) {
  const Comparison c = compare_doubles({1.0, 2.0, 3.5, -4.0}, {1.0, 2.0000001, 3.0, -5.0}, bound(1e-6, 0));
  EXPECT_FALSE(c.is_equal);
  EXPECT_EQ(c.compared, 4U);
  EXPECT_EQ(c.outside, 2U);
  EXPECT_EQ(c.first->element, 2);
  EXPECT_EQ(c.worst->element, 3);
  EXPECT_EQ(c.worst->absolute, 1.0);
  EXPECT_EQ(c.max_absolute, 1.0);
  EXPECT_TRUE(compare_doubles({1.0}, {1.0000001}, bound(1e-6, 0)).is_equal);
  EXPECT_FALSE(compare_doubles({1.0}, {1.0000001}, Tolerance{}).is_equal);
  EXPECT_TRUE(compare_doubles({}, {}, Tolerance{}).is_equal);
}

TEST(Compare, ZerosNansAndInfinities) {
  EXPECT_TRUE(compare_doubles({0.0, kNan, kInf, -kInf}, {-0.0, -kNan, kInf, -kInf}, Tolerance{}).is_equal);
  for (const auto& [a, b] :
       {std::pair{kNan, 1.0}, {1.0, kNan}, {kInf, -kInf}, {kInf, 1.0}, {1.7976931348623157e308, kInf}, {kNan, kInf}}) {
    for (const Tolerance& tolerance : {bound(1e300, 1e300), ulps(std::numeric_limits<std::int64_t>::max() - 1)}) {
      const Comparison c = compare_doubles({a}, {b}, tolerance);
      EXPECT_FALSE(c.is_equal) << a << " " << b;
      EXPECT_EQ(c.max_absolute, 0);
    }
  }
}

TEST(Compare, FastPathAgreesWithIntervals) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int round = 0; round < 20000; ++round) {
    const double expected = std::ldexp(unit(random), static_cast<int>(random() % 2000) - 1000);
    const double actual = expected + expected * 1e-6 * (1 + 1e-10 * unit(random));
    ASSERT_EQ(compare_doubles({actual}, {expected}, bound(1e-6, 0)).is_equal,
              !certainly_outside(actual, expected, 1e-6, 0));
  }
}

TEST(Compare, UlpsOfEveryFormatCountNeighbours) {
  for (const ScalarKind kind : {ScalarKind::f16, ScalarKind::bf16, ScalarKind::f8E4M3FN, ScalarKind::f8E5M2,
                                ScalarKind::f8E4M3FNUZ, ScalarKind::f8E5M2FNUZ}) {
    const std::uint64_t sign = std::uint64_t{1} << (8 * size_bytes(kind) - 1);
    std::int64_t finite = 0;
    for (std::uint64_t bits = 0; bits + 1 < sign && std::isfinite(decode_float(kind, bits + 1)); ++bits) {
      ASSERT_EQ(ulp_distance(kind, bits, bits + 1), 1);
      ASSERT_EQ(ulp_distance(kind, sign | (bits + 1), bits == 0 ? 0 : sign | bits), 1);
      ++finite;
    }
    EXPECT_EQ(ulp_distance(kind, sign | static_cast<std::uint64_t>(finite), static_cast<std::uint64_t>(finite)),
              2 * finite);
    const std::uint64_t nan = encode_float(kind, kNan);
    EXPECT_EQ(ulp_distance(kind, nan, 1), INT64_MAX);
    EXPECT_EQ(ulp_distance(kind, nan, nan), 0);
  }
  EXPECT_EQ(ulp_distance(ScalarKind::f32, 0x80000000U, 0), 0);
  EXPECT_EQ(ulp_distance(ScalarKind::f64, 0x7fefffffffffffffU, 0), INT64_C(0x7fefffffffffffff));
  EXPECT_EQ(ulp_distance(ScalarKind::f64, 0x7fefffffffffffffU, 0xffefffffffffffffU), INT64_MAX);
  EXPECT_EQ(ulp_distance(ScalarKind::i8, 0x80, 0x7f), 255);
  EXPECT_EQ(ulp_distance(ScalarKind::i64, std::uint64_t{1} << 63, ~(std::uint64_t{1} << 63)), INT64_MAX);
}

TEST(Compare, UlpBound) {
  const std::vector<float> a{1.0F, 2.0F}, b{1.0F + 0x1p-23F, 2.0F + 0x1p-20F};
  EXPECT_EQ(compare(ScalarKind::f32, a.data(), b.data(), 2, ulps(1)).outside, 1U);
  EXPECT_EQ(compare(ScalarKind::f32, a.data(), b.data(), 2, ulps(4)).outside, 0U);
  EXPECT_EQ(compare(ScalarKind::f32, a.data(), b.data(), 2, ulps(4)).max_ulp, 4);
}

TEST(Compare, Integers) {
  const std::vector<std::int64_t> a{1, INT64_MAX, INT64_MIN}, b{1, INT64_MAX - 1, INT64_MAX};
  const Comparison c = compare(ScalarKind::i64, a.data(), b.data(), 3, Tolerance::default_for(ScalarKind::i64));
  EXPECT_EQ(c.outside, 2U);
  EXPECT_EQ(c.first->ulp, 1);
  EXPECT_EQ(c.worst->element, 2);
  const std::vector<std::uint8_t> x{127, 200}, y{128, 201};
  EXPECT_EQ(compare(ScalarKind::i8, x.data(), y.data(), 2, bound(0, 1)).outside, 1U);
  EXPECT_EQ(compare(ScalarKind::i8, x.data(), y.data(), 2, bound(0, 1), true).outside, 0U);
}

TEST(Tolerance, WhatIsNotGivenKeepsItsDefault) {
  EXPECT_EQ(Tolerance::given(ScalarKind::f32, 1e-4, {}, {}).to_string(), "rtol 1e-04, atol 1e-05");
  EXPECT_EQ(Tolerance::given(ScalarKind::f32, {}, 0.5, {}).to_string(), "rtol 1e-05, atol 0.5");
  EXPECT_EQ(Tolerance::given(ScalarKind::f16, 0.5, {}, {}).to_string(), "rtol 0.5, atol 0.0009765625");
  EXPECT_EQ(Tolerance::given(ScalarKind::f32, {}, {}, 3).to_string(), "3 ULP");
  EXPECT_EQ(Tolerance::given(ScalarKind::f32, {}, {}, {}).to_string(), "rtol 1e-05, atol 1e-05");
  EXPECT_EQ(Tolerance::given(ScalarKind::i32, 0.5, {}, {}).to_string(), "rtol 0.5, atol 0");
  EXPECT_EQ(Tolerance::given(ScalarKind::f8E5M2, 0.125, {}, {}).to_string(), "1 ULP or rtol 0.125, atol 0");
}

TEST(Tolerance, EightBitsAreNearEnoughByEither) {
  const std::uint8_t one = 0x3c, next = 0x3d, far = 0x42;  // 1, 1.25, 3
  const Tolerance tolerance = Tolerance::given(ScalarKind::f8E5M2, 1e-4, {}, {});
  EXPECT_TRUE(compare(ScalarKind::f8E5M2, &next, &one, 1, tolerance).is_equal);
  EXPECT_FALSE(compare(ScalarKind::f8E5M2, &far, &one, 1, tolerance).is_equal);
  EXPECT_TRUE(compare(ScalarKind::f8E5M2, &far, &one, 1, Tolerance::given(ScalarKind::f8E5M2, 2.5, {}, {})).is_equal);
}

TEST(Tolerance, DefaultsAndText) {
  EXPECT_EQ(Tolerance::default_for(ScalarKind::i32).to_string(), "exact");
  EXPECT_EQ(Tolerance::default_for(ScalarKind::i1).to_string(), "exact");
  EXPECT_EQ(Tolerance::default_for(ScalarKind::f32).to_string(), "rtol 1e-05, atol 1e-05");
  EXPECT_EQ(Tolerance::default_for(ScalarKind::f8E5M2).to_string(), "1 ULP");
  EXPECT_EQ(bound(0.5, 0).to_string(), "rtol 0.5, atol 0");
}

TEST(Report, SaysWhereAndByHowMuch) {
  std::vector<float> a(12, 1.0F), b(12, 1.0F);
  const auto report = [&](const Tolerance& t) {
    return report_text("out", compare(ScalarKind::f32, a.data(), b.data(), 12, t), ScalarKind::f32, false, {3, 4}, t);
  };
  EXPECT_EQ(report(Tolerance{}), "out: 12 elements agree (exact)\n");
  a[5] = 1.5F;
  EXPECT_EQ(report(bound(0, 1)), "out: 12 elements agree (rtol 0, atol 1), largest difference 0.5, 4194304 ULP\n");
  EXPECT_EQ(report(Tolerance{}),
            "out: 1 of 12 elements differs (exact)\n  first: out[1,1] is 1.5, expected 1 (off by 0.5, 4194304 ULP)\n");
  a[11] = std::nanf("");
  EXPECT_EQ(report(Tolerance{}),
            "out: 2 of 12 elements differ (exact)\n  first: out[1,1] is 1.5, expected 1 (off by 0.5, 4194304 ULP)\n"
            "  worst: out[2,3] is nan, expected 1\n");
  const std::uint64_t big = ~std::uint64_t{0}, less = big - 1;
  EXPECT_EQ(report_text("n", compare(ScalarKind::i64, &big, &less, 1, {}, true), ScalarKind::i64, true, {}, {}),
            "n: 1 of 1 element differs (exact)\n  first: n[] is 18446744073709551615, expected 18446744073709551614 "
            "(off by 1)\n");
}

}  // namespace
}  // namespace lockstep::enclosure
