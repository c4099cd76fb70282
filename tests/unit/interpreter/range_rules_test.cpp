// Ranges of integers against every pair of numbers: what an op makes of numbers from two ranges lies in the range that
// the rule gives, for all ranges of a few ends, positive, negative and mixed.
#include <gtest/gtest.h>

#include <algorithm>

#include "interpreter/apart/range_rules.h"

namespace lockstep::interpreter::apart {
namespace {

using ir::Arithmetic;
using ir::Calculation;
using ir::Numbers;

constexpr int kEnds[] = {-128, -7, -1, 0, 1, 3, 8, 127};

/// What the op gives, not wrapped; nullopt: it has no result.
std::optional<int> apply_unsigned(Arithmetic what, unsigned char x, unsigned char y) {
  const auto narrow = [](unsigned value) { return static_cast<int>(static_cast<signed char>(value)); };
  switch (what) {
    case Arithmetic::quotient: return y == 0 ? std::nullopt : std::optional(narrow(x / y));
    case Arithmetic::remainder: return y == 0 ? std::nullopt : std::optional(narrow(x % y));
    case Arithmetic::maximum: return narrow(std::max(x, y));
    case Arithmetic::minimum: return narrow(std::min(x, y));
    case Arithmetic::shift_right: return y > 7 ? std::nullopt : std::optional(narrow(static_cast<unsigned>(x >> y)));
    default: return std::nullopt;
  }
}

std::optional<int> apply(const Calculation& what, int a, int b) {
  const auto x = static_cast<unsigned char>(a), y = static_cast<unsigned char>(b);
  if (what.numbers == Numbers::without_sign) return apply_unsigned(what.arithmetic, x, y);
  switch (what.arithmetic) {
    case Arithmetic::sum: return a + b;
    case Arithmetic::difference: return a - b;
    case Arithmetic::product: return a * b;
    case Arithmetic::quotient: return b == 0 ? std::nullopt : std::optional(a / b);
    case Arithmetic::remainder: return b == 0 ? std::nullopt : std::optional(a % b);
    case Arithmetic::conjunction: return a & b;
    case Arithmetic::disjunction: return a | b;
    case Arithmetic::parity: return a ^ b;
    case Arithmetic::maximum: return std::max(a, b);
    case Arithmetic::minimum: return std::min(a, b);
    case Arithmetic::shift_right: return b < 0 || b > 7 ? std::nullopt : std::optional(a >> b);
    case Arithmetic::shift_left:
      return b < 0 || b > 7 ? std::nullopt
                            : std::optional(static_cast<int>(static_cast<signed char>(static_cast<unsigned>(x << b))));
    default: return std::nullopt;
  }
}

void check_pair(const Calculation& what, const Range& a, const Range& b) {
  const auto made = binary_range(what, a, b, ScalarKind::i8);
  if (!made) return;  // anything
  for (int x = static_cast<int>(a.low); x <= static_cast<int>(a.high); ++x) {
    for (int y = static_cast<int>(b.low); y <= static_cast<int>(b.high); ++y) {
      const auto exact = apply(what, x, y);
      if (!exact || made->contains(*exact)) continue;
      FAIL() << static_cast<int>(what.arithmetic) << ", " << static_cast<int>(what.numbers) << ": " << x << ", " << y
             << " gives " << *exact << ", outside of " << wide_text(made->low) << ".." << wide_text(made->high);
    }
  }
}

class RangeRules : public testing::TestWithParam<Calculation> {};

TEST_P(RangeRules, HoldEveryResult) {
  for (const int a : kEnds) {
    for (const int b : kEnds) {
      for (const int c : kEnds) {
        for (const int d : kEnds) {
          if (a <= b && c <= d) check_pair(GetParam(), {a, b}, {c, d});
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Integers, RangeRules,
                         testing::Values(Calculation{Arithmetic::sum, Numbers::integers},
                                         Calculation{Arithmetic::difference, Numbers::integers},
                                         Calculation{Arithmetic::product, Numbers::integers},
                                         Calculation{Arithmetic::conjunction, Numbers::integers},
                                         Calculation{Arithmetic::disjunction, Numbers::integers},
                                         Calculation{Arithmetic::parity, Numbers::integers},
                                         Calculation{Arithmetic::shift_left, Numbers::integers}));
INSTANTIATE_TEST_SUITE_P(WithSign, RangeRules,
                         testing::Values(Calculation{Arithmetic::quotient, Numbers::with_sign},
                                         Calculation{Arithmetic::remainder, Numbers::with_sign},
                                         Calculation{Arithmetic::maximum, Numbers::with_sign},
                                         Calculation{Arithmetic::minimum, Numbers::with_sign},
                                         Calculation{Arithmetic::shift_right, Numbers::with_sign}));
INSTANTIATE_TEST_SUITE_P(WithoutSign, RangeRules,
                         testing::Values(Calculation{Arithmetic::quotient, Numbers::without_sign},
                                         Calculation{Arithmetic::remainder, Numbers::without_sign},
                                         Calculation{Arithmetic::maximum, Numbers::without_sign},
                                         Calculation{Arithmetic::minimum, Numbers::without_sign},
                                         Calculation{Arithmetic::shift_right, Numbers::without_sign}));

TEST(RangeRules, ProductsOfSixtyFourBitsAreExact) {
  const Range most = full_range(ScalarKind::i64);
  EXPECT_EQ(wide_text(product_of(most, most).high), "85070591730234615865843651857942052864");
  EXPECT_EQ(wide_text(sum_of(most, most).low), "-18446744073709551616");
}

TEST(RangeRules, NoValueStaysNoValue) {
  const auto made = binary_range({Arithmetic::sum, Numbers::integers}, {0, -1}, {3, 3}, ScalarKind::i32);
  ASSERT_TRUE(made);
  EXPECT_GT(made->low, made->high);
}

}  // namespace
}  // namespace lockstep::interpreter::apart
