// Ranges of integers against every pair of numbers: what an op makes of numbers from two ranges lies in the range that
// the rule gives, for all ranges of a few ends, positive, negative and mixed.
#include <gtest/gtest.h>

#include <algorithm>

#include "sanitizer/memory/range_rules.h"

namespace lockstep::sanitizer {
namespace {

using ir::Opcode;

constexpr int kEnds[] = {-128, -7, -1, 0, 1, 3, 8, 127};

/// What the op gives, not wrapped; nullopt: it has no result.
std::optional<int> apply(Opcode opcode, int a, int b) {
  const auto x = static_cast<unsigned char>(a), y = static_cast<unsigned char>(b);
  const auto narrow = [](unsigned value) { return static_cast<int>(static_cast<signed char>(value)); };
  switch (opcode) {
    case Opcode::arith_addi: return a + b;
    case Opcode::arith_subi: return a - b;
    case Opcode::arith_muli: return a * b;
    case Opcode::arith_divsi: return b == 0 ? std::nullopt : std::optional(a / b);
    case Opcode::arith_remsi: return b == 0 ? std::nullopt : std::optional(a % b);
    case Opcode::arith_divui: return b == 0 ? std::nullopt : std::optional(narrow(x / y));
    case Opcode::arith_remui: return b == 0 ? std::nullopt : std::optional(narrow(x % y));
    case Opcode::arith_andi: return a & b;
    case Opcode::arith_ori: return a | b;
    case Opcode::arith_xori: return a ^ b;
    case Opcode::arith_maxsi: return std::max(a, b);
    case Opcode::arith_minsi: return std::min(a, b);
    case Opcode::arith_maxui: return narrow(std::max(x, y));
    case Opcode::arith_minui: return narrow(std::min(x, y));
    case Opcode::arith_shrsi: return b < 0 || b > 7 ? std::nullopt : std::optional(a >> b);
    case Opcode::arith_shrui:
      return b < 0 || b > 7 ? std::nullopt : std::optional(narrow(static_cast<unsigned>(x >> b)));
    case Opcode::arith_shli:
      return b < 0 || b > 7 ? std::nullopt : std::optional(narrow(static_cast<unsigned>(x << b)));
    default: return std::nullopt;
  }
}

void check_pair(Opcode opcode, const Range& a, const Range& b) {
  const auto made = binary_range(opcode, a, b, ScalarKind::i8);
  if (!made) return;  // anything
  for (int x = static_cast<int>(a.low); x <= static_cast<int>(a.high); ++x) {
    for (int y = static_cast<int>(b.low); y <= static_cast<int>(b.high); ++y) {
      const auto exact = apply(opcode, x, y);
      if (!exact || made->contains(*exact)) continue;
      FAIL() << static_cast<int>(opcode) << ": " << x << ", " << y << " gives " << *exact << ", outside of "
             << wide_text(made->low) << ".." << wide_text(made->high);
    }
  }
}

class RangeRules : public testing::TestWithParam<Opcode> {};

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

INSTANTIATE_TEST_SUITE_P(Ops, RangeRules,
                         testing::Values(Opcode::arith_addi, Opcode::arith_subi, Opcode::arith_muli,
                                         Opcode::arith_divsi, Opcode::arith_remsi, Opcode::arith_divui,
                                         Opcode::arith_remui, Opcode::arith_andi, Opcode::arith_ori, Opcode::arith_xori,
                                         Opcode::arith_maxsi, Opcode::arith_minsi, Opcode::arith_maxui,
                                         Opcode::arith_minui, Opcode::arith_shrsi, Opcode::arith_shrui,
                                         Opcode::arith_shli));

TEST(RangeRules, ProductsOfSixtyFourBitsAreExact) {
  const Range most = full_range(ScalarKind::i64);
  EXPECT_EQ(wide_text(product_of(most, most).high), "85070591730234615865843651857942052864");
  EXPECT_EQ(wide_text(sum_of(most, most).low), "-18446744073709551616");
}

TEST(RangeRules, NoValueStaysNoValue) {
  const auto made = binary_range(Opcode::arith_addi, {0, -1}, {3, 3}, ScalarKind::i32);
  ASSERT_TRUE(made);
  EXPECT_GT(made->low, made->high);
}

}  // namespace
}  // namespace lockstep::checkers
