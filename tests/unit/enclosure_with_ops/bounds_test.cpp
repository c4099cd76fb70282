// The arithmetic under enclosures: rounding to formats, interval arrays, sums in any order, widening, each against what
// it must hold.
#include "enclosure/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "dialects/registry.h"
#include "enclosure/interval.h"
#include "enclosure/rules/any_order.h"
#include "enclosure/rules/product.h"
#include "enclosure/rules/widen.h"
#include "ir/op_def.h"
#include "support/float_formats.h"

namespace lockstep::enclosure {
namespace {

constexpr ScalarKind kFloats[] = {ScalarKind::f16,    ScalarKind::bf16,       ScalarKind::f8E4M3FN,
                                  ScalarKind::f8E5M2, ScalarKind::f8E4M3FNUZ, ScalarKind::f8E5M2FNUZ};

TEST(Bounds, RoundingIsThatOfTheReference) {
  std::mt19937_64 random(1);
  for (const ScalarKind kind : kFloats) {
    const Format format = format_of(kind);
    for (int i = 0; i < 20000; ++i) {
      // Every exponent that matters, ties among them.
      const double scale = std::ldexp(1.0, static_cast<int>(random() % 60) - 40);
      double value = static_cast<double>(random() % 4096) / 64 * scale;
      if (random() % 2 == 0) value = -value;
      const double expected = decode_float(kind, encode_float(kind, value, Rounding::nearest_even, is_float8(kind)));
      EXPECT_EQ(round_to(format, value), expected) << static_cast<int>(kind) << " " << value;
    }
  }
}

TEST(Bounds, RoundingSaturatesInfinityWhereTheFormatDoes) {
  EXPECT_EQ(round_to(format_of(ScalarKind::f8E4M3FN), -kInfinite), -448);
  EXPECT_EQ(round_to(format_of(ScalarKind::f8E5M2), kInfinite), 57344);
  EXPECT_EQ(round_to(format_of(ScalarKind::f16), -kInfinite), -kInfinite);
  EXPECT_TRUE(std::isnan(round_to(format_of(ScalarKind::f8E5M2), std::nan(""))));
}

TEST(Bounds, AnUnboundedElementKeepsItsCause) {
  Bounds bounds(2);
  bounds.set(0, unbounded_interval(77));
  bounds.set(1, {0.1, 0.2});
  round_bounds(ScalarKind::f32, bounds);
  EXPECT_TRUE(bounds.at(0).is_unbounded());
  EXPECT_EQ(cause_of(bounds.at(0).low), 77U);
  EXPECT_EQ(bounds.at(1).low, static_cast<double>(0.1F));
  EXPECT_EQ(cause_of(hull(bounds.at(0), bounds.at(1)).low), 77U);
}

/// A finite or infinite interval, a NaN, or nothing known.
Interval some_interval(std::mt19937_64& random) {
  const auto number = [&]() -> double {
    switch (random() % 12) {
      case 0: return 0;
      case 1: return kInfinite;
      case 2: return -kInfinite;
      case 3: return 1e300;
      default: return static_cast<double>(static_cast<std::int64_t>(random() % 2001) - 1000) / 8;
    }
  };
  const std::uint64_t what = random() % 16;
  if (what == 0) return kSurelyNan;
  if (what == 1) return unbounded_interval(5);
  const double a = number(), b = what < 6 ? a : number();
  return {std::min(a, b), std::max(a, b)};
}

double pick(std::mt19937_64& random, const Interval& value) {
  if (value.is_unbounded()) return random() % 2 == 0 ? 1 : std::nan("");
  if (value.is_nan()) return std::nan("");
  const std::uint64_t which = random() % 5;
  if (which == 0 || value.is_point()) return value.low;
  if (which == 1) return value.high;
  if (which == 2 && value.contains(0)) return 0;
  const double low = std::max(value.low, -1e301), high = std::min(value.high, 1e301);
  return std::clamp(low / 2 + high / 2, value.low, value.high);
}

bool holds(const Interval& bounds, double value) {
  if (bounds.is_unbounded()) return true;
  return std::isnan(value) ? bounds.is_nan() : bounds.contains(value);
}

TEST(Intervals, HoldEveryResultOfNumbersWithin) {
  using Array = void (*)(const Bounds&, const Bounds&, Bounds&);
  using Plain = double (*)(double, double);
  const std::pair<Array, Plain> operations[] = {{add, [](double x, double y) { return x + y; }},
                                                {subtract, [](double x, double y) { return x - y; }},
                                                {multiply, [](double x, double y) { return x * y; }},
                                                {divide, [](double x, double y) { return x / y; }}};
  std::mt19937_64 random(2);
  for (const auto& [array, plain] : operations) {
    Bounds a(1), b(1), result(1);
    for (int i = 0; i < 20000; ++i) {
      const Interval x = some_interval(random), y = some_interval(random);
      a.set(0, x);
      b.set(0, y);
      array(a, b, result);
      for (int k = 0; k < 4; ++k) {
        const double p = pick(random, x), q = pick(random, y);
        EXPECT_TRUE(holds(result.at(0), plain(p, q)))
            << p << " " << q << " of [" << x.low << ", " << x.high << "] [" << y.low << ", " << y.high
            << "]: " << plain(p, q) << " not in [" << result.at(0).low << ", " << result.at(0).high << "]";
      }
    }
  }
}

/// The quick way for runs of finite intervals, and the general one, give the same ends.
TEST(Intervals, RunsAreLikeSingleElements) {
  std::mt19937_64 random(5);
  constexpr std::int64_t kCount = 300;
  Bounds a(kCount), b(kCount), whole(kCount), x(2), y(2), single(2);
  for (const auto array : {add, subtract, multiply, divide}) {
    for (std::int64_t i = 0; i < kCount; ++i) {
      const auto number = [&] { return static_cast<double>(static_cast<std::int64_t>(random() % 20001)) / 7 - 900; };
      const double p = number(), q = number(), r = number(), s = number();
      a.set(i, {std::min(p, q), random() % 4 == 0 ? std::min(p, q) : std::max(p, q)});
      b.set(i, {std::min(r, s), std::max(r, s)});
      if (array == divide && i < 200) b.set(i, {std::fabs(r) + 1, std::fabs(r) + std::fabs(s) + 2});
    }
    array(a, b, whole);
    for (std::int64_t i = 0; i < kCount; ++i) {
      x.set(0, a.at(i));
      y.set(0, b.at(i));
      x.set(1, kSurelyNan);  // so that the pair is no run
      y.set(1, kSurelyNan);
      array(x, y, single);
      if (single.at(0).is_unbounded()) {
        EXPECT_TRUE(whole.at(i).is_unbounded());
      } else {
        EXPECT_EQ(whole.low()[i], single.low()[0]);
        EXPECT_EQ(whole.high()[i], single.high()[0]);
      }
    }
  }
}

TEST(Intervals, AreNoWiderThanOutwardRounding) {
  Bounds a(1), b(1), c(1), result(1);
  a.set(0, {1, 1});
  b.set(0, {3, 3});
  c.set(0, {1, 1});
  divide(a, b, result);
  EXPECT_EQ(result.high()[0], std::nextafter(result.low()[0], 1.0));
  multiply_add(a, b, c, result);
  EXPECT_EQ(result.low()[0], 4);
  EXPECT_EQ(result.high()[0], 4);
  a.set(0, {4, 9});
  square_root(a, result);
  EXPECT_EQ(result.low()[0], 2);
  EXPECT_EQ(result.high()[0], 3);
}

// ---- sums ----

/// Every tree over the numbers, with every order of leaves.
void every_sum(const Format& format, std::vector<double> numbers, const std::function<void(double)>& take) {
  if (numbers.size() == 1) return take(numbers[0]);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = i + 1; j < numbers.size(); ++j) {
      std::vector<double> rest;
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (k != i && k != j) rest.push_back(numbers[k]);
      }
      rest.push_back(round_to(format, numbers[i] + numbers[j]));
      every_sum(format, std::move(rest), take);
    }
  }
}

TEST(AnyOrder, HoldsTheSumOfEveryTree) {
  std::mt19937_64 random(3);
  for (const ScalarKind kind : {ScalarKind::f16, ScalarKind::bf16}) {
    const Format format = format_of(kind);
    std::size_t different = 0;
    for (int round = 0; round < 60; ++round) {
      const std::size_t count = 1 + random() % 6;
      std::vector<double> numbers;
      for (std::size_t i = 0; i < count; ++i) {
        const double value = std::ldexp(static_cast<double>(random() % 2048), static_cast<int>(random() % 10) - 12);
        numbers.push_back(round_to(format, random() % 3 == 0 ? -value : value));
      }
      Terms terms;
      for (const double one : numbers) terms.add({one, one});
      const Interval bounds = sum_in_any_order(kind, terms, 1);
      double least = kInfinite, most = -kInfinite;
      every_sum(format, numbers, [&](double sum) {
        least = std::min(least, sum);
        most = std::max(most, sum);
      });
      EXPECT_LE(bounds.low, least);
      EXPECT_GE(bounds.high, most);
      different += least != most ? 1 : 0;
    }
    EXPECT_GT(different, 10U) << "the orders must matter, or the test shows nothing";
  }
}

TEST(AnyOrder, AKnownDepthIsNarrowerAndHoldsTheHalvingTree) {
  std::mt19937_64 random(7);
  std::vector<double> numbers(1024);
  for (double& one : numbers) one = round_to(format_of(ScalarKind::f16), static_cast<double>(random() % 1000) / 4096);
  Terms terms;
  for (const double one : numbers) terms.add(point(one));
  const Interval any = sum_in_any_order(ScalarKind::f16, terms, 1),
                 tree = sum_in_any_order(ScalarKind::f16, terms, 1, 10);
  EXPECT_LT(tree.high - tree.low, (any.high - any.low) / 10);
  for (std::size_t half = numbers.size() / 2; half >= 1; half /= 2) {
    for (std::size_t i = 0; i < half; ++i)
      numbers[i] = round_to(format_of(ScalarKind::f16), numbers[i] + numbers[i + half]);
  }
  EXPECT_TRUE(tree.contains(numbers[0]));
}

TEST(AnyOrder, ExactSumsStayPoints) {
  Terms terms;
  for (int i = 0; i < 1000; ++i) terms.add({static_cast<double>(i % 7), static_cast<double>(i % 7)});
  EXPECT_TRUE(sum_in_any_order(ScalarKind::f32, terms, 1).is_point());
  for (int i = 0; i < 1000; ++i) terms.add(point(static_cast<double>(0.1F)));
  EXPECT_FALSE(sum_in_any_order(ScalarKind::f32, terms, 1).is_point());
}

TEST(AnyOrder, SumsThatMayOverflowAreUnbounded) {
  Terms terms;
  for (int i = 0; i < 3; ++i) terms.add(point(i == 1 ? -6e4 : 6e4));
  EXPECT_TRUE(sum_in_any_order(ScalarKind::f16, terms, 9).is_unbounded());
}

TEST(AnyOrder, AnInfiniteSumIsSureUnlessOthersMayReachTheOtherInfinityFirst) {
  Terms terms;
  for (const double term : {kInfinite, -1e38, -2e38}) terms.add(point(term));
  EXPECT_EQ(sum_in_any_order(ScalarKind::f32, terms, 1).low, kInfinite);
  terms.add(point(-1e38));  // the finite ones alone are -inf in f32, and inf - inf is NaN
  EXPECT_TRUE(sum_in_any_order(ScalarKind::f32, terms, 1).is_unbounded());
}

// ---- widening and products ----

Interval widened(ScalarKind kind, const ErrorOf& error, const Interval& value) {
  Bounds bounds(1);
  bounds.set(0, value);
  widen(kind, error, bounds);
  return bounds.at(0);
}

TEST(Widening, HoldsWhatIsNUlpAway) {
  const Interval wide = widened(ScalarKind::f32, {2, 0, false}, {1, 1});
  EXPECT_LE(wide.low, 1 - 0x1p-22);
  EXPECT_GE(wide.high, 1 + 0x1p-22);
  EXPECT_LT(wide.high, 1 + 0x1.01p-22);
  EXPECT_EQ(with_flushed({1e-39, 2e-39}).low, 0);
  EXPECT_EQ(with_flushed({-2e-39, -1e-39}).high, 0);
  const Interval low = widened(ScalarKind::f32, {1, 0, false}, {1e-45, 1e-45});
  EXPECT_LE(low.low, 0);
  EXPECT_GE(low.high, 1e-45 + 0x1p-149);
  EXPECT_TRUE(widened(ScalarKind::f32, {2, 0, false}, kSurelyNan).is_nan());
  EXPECT_EQ(cause_of(widened(ScalarKind::f32, {2, 0, false}, unbounded_interval(3)).low), 3U);
  EXPECT_EQ(widened(ScalarKind::f64, {0.5, 0, false}, {1, 1}).high > 1, true);
  EXPECT_EQ(widened(ScalarKind::f32, {2, 0, false}, {3.4028234e38, 3.4028234e38}).high, kInfinite);
}

TEST(Products, OfMidpointsAreThoseOfIntervals) {
  constexpr MatrixShape kShape{5, 4, 7};
  std::mt19937_64 random(4);
  std::vector<double> a(35), b(28), c(20, 0.0);
  for (auto* list : {&a, &b}) {
    for (double& one : *list) one = static_cast<double>(random() % 1000) / 7 - 70;
  }
  Multiplier(kShape).multiply(a.data(), b.data(), c.data(), true);
  for (std::int64_t m = 0; m < kShape.m; ++m) {
    for (std::int64_t n = 0; n < kShape.n; ++n) {
      Bounds sum(1), x(1), y(1);
      sum.set(0, {0, 0});
      double magnitudes = 0;
      for (std::int64_t k = 0; k < kShape.k; ++k) {
        x.set(0, point(a[static_cast<std::size_t>(m * kShape.k + k)]));
        y.set(0, point(b[static_cast<std::size_t>(k * kShape.n + n)]));
        magnitudes += std::fabs(x.low()[0] * y.low()[0]);
        multiply_add(x, y, sum, sum);
      }
      const double slack = static_cast<double>(kShape.k + 2) * 0x1p-53 * magnitudes;
      EXPECT_GE(c[static_cast<std::size_t>(m * kShape.n + n)], sum.low()[0] - slack);
      EXPECT_LE(c[static_cast<std::size_t>(m * kShape.n + n)], sum.high()[0] + slack);
    }
  }
}

TEST(Rows, EveryRowThatMakesAValueHasAnEnclosureOrIsNamed) {
  // What is followed by the run itself, and what nothing is known of (docs/differential.md, "Limits").
  const std::vector<std::string_view> control = {"builtin.module",
                                                 "cf.br",
                                                 "cf.cond_br",
                                                 "gpu.barrier",
                                                 "llvm.intr.assume",
                                                 "scf.condition",
                                                 "scf.for",
                                                 "scf.if",
                                                 "scf.while",
                                                 "scf.yield",
                                                 "tt.assert",
                                                 "tt.call",
                                                 "tt.func",
                                                 "tt.print",
                                                 "tt.reduce.return",
                                                 "tt.return",
                                                 "tt.scan.return",
                                                 "tt.map_elementwise.return",
                                                 "ttg.barrier",
                                                 "ttg.warp_return",
                                                 "ttg.warp_specialize",
                                                 "ttg.warp_yield",
                                                 "ttng.tensormap_create",
                                                 "ttng.tensormap_fenceproxy_acquire",
                                                 "ttg.local_barrier",
                                                 "tt.grid_dependency_launch_dependents",
                                                 "tt.grid_dependency_wait"};
  for (const ir::OpDef* row : dialects::registry().rows()) {
    const auto is_in = [&](const auto& list) {
      return std::find(list.begin(), list.end(), row->spelling) != list.end();
    };
    const bool is_refused = row->evaluate == nullptr && !row->evaluate_reason.empty();
    if (is_in(control) || is_refused) {
      EXPECT_EQ(row->enclose, nullptr) << row->spelling;
    } else {
      EXPECT_NE(row->enclose, nullptr) << row->spelling << " has no enclosure and is not named as one without";
    }
  }
}

}  // namespace
}  // namespace lockstep::enclosure
