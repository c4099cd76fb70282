// What is read from a Python text: assignments to several names, returns, functions, with places.
#include "debugger/session/statements.h"

#include <gtest/gtest.h>

namespace lockstep::debugger {
namespace {

constexpr const char* kText = R"py(import tl  # a, b = 1, 2
def outer(x, y):
    """a, b = 3, 4"""
    def inner(p):
        return p, "),", p
    a, b = x + 1, tl.f(y, 'x=,')
    (c,
     d) = inner(x)[0], \
        y  # the rest
    e = f, g = 1, 2
    *h, i = x, y
    x.shape, j = y, x
    k += 1, 2
    l, = x
    return (a, b,
            c)
def after(): return 1
m, n = outer(1, 2)
)py";

std::vector<std::string> words_of(const std::vector<SourceExpression>& items) {
  std::vector<std::string> words;
  for (const SourceExpression& one : items) words.push_back(one.words);
  return words;
}

using Words = std::vector<std::string>;

TEST(Statements, UnpackingsHaveTheirTargetsAndItems) {
  const Statements text(kText);
  const Unpacking* two = text.unpacking_at(spot_at(6, 15));
  ASSERT_NE(two, nullptr);
  EXPECT_EQ(two->targets, (Words{"a", "b"}));
  EXPECT_EQ(words_of(two->value.items), (Words{"x + 1", "tl.f(y, 'x=,')"}));
  EXPECT_TRUE(two->value.items[0].span.holds(spot_at(6, 15)));
  EXPECT_FALSE(two->value.items[0].span.holds(spot_at(6, 18)));
  EXPECT_TRUE(two->value.items[1].span.holds(spot_at(6, 23)));
  EXPECT_EQ(two, text.unpacking_at(spot_at(6, 11)));
  EXPECT_EQ(text.unpacking_at(spot_at(6, 4)), nullptr);
}

TEST(Statements, LinesAreJoined) {
  const Statements text(kText);
  const Unpacking* two = text.unpacking_at(spot_at(9, 8));
  ASSERT_NE(two, nullptr);
  EXPECT_EQ(two->targets, (Words{"c", "d"}));
  EXPECT_EQ(words_of(two->value.items), (Words{"inner(x)[0]", "y"}));
  EXPECT_TRUE(two->value.items[1].span.holds(spot_at(9, 8)));
}

TEST(Statements, WhatIsNotUnderstoodIsLeftOut) {
  const Statements text(kText);
  for (const std::uint32_t line : {1U, 3U, 10U, 11U, 13U, 14U}) {
    for (std::uint32_t column = 0; column < 40; ++column)
      EXPECT_EQ(text.unpacking_at(spot_at(line, column)), nullptr) << line << ":" << column;
  }
  const Unpacking* one = text.unpacking_at(spot_at(12, 17));
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->targets, (Words{"", "j"}));
}

TEST(Statements, FunctionsHaveTheirOwnReturns) {
  const Statements text(kText);
  const SourceFunction* outer = text.function_at(spot_at(16, 12));
  ASSERT_NE(outer, nullptr);
  EXPECT_EQ(outer->name, "outer");
  ASSERT_EQ(outer->returns.size(), 1U);
  EXPECT_EQ(words_of(outer->returns[0].items), (Words{"a", "b", "c"}));
  EXPECT_TRUE(outer->returns[0].items[2].span.holds(spot_at(16, 12)));
  const SourceFunction* inner = text.function_at(spot_at(5, 15));
  ASSERT_NE(inner, nullptr);
  EXPECT_EQ(inner->name, "inner");
  EXPECT_EQ(words_of(inner->returns.at(0).items), (Words{"p", "\"),\"", "p"}));
  EXPECT_EQ(text.function_at(spot_at(18, 0)), nullptr);
  const Unpacking* last = text.unpacking_at(spot_at(18, 7));
  ASSERT_NE(last, nullptr);
  EXPECT_TRUE(last->value.items.empty());
  EXPECT_EQ(called_name(last->value.words), "outer");
}

TEST(Statements, Advances) {
  const Statements text("p += f(x)\nq = q + 1\nr -= (\n  2)\ns *= 2\nt = tt + 1\nu = u * 2\nx.y += 1\n");
  const auto target = [&](std::uint32_t line, std::uint32_t column) {
    const Advance* one = text.advance_at(spot_at(line, column));
    return one == nullptr ? "" : one->target;
  };
  EXPECT_EQ(target(1, 7), "p");
  EXPECT_EQ(target(2, 8), "q");
  EXPECT_EQ(target(4, 2), "r");
  for (const std::uint32_t line : {5U, 6U, 7U, 8U}) EXPECT_EQ(target(line, 8), "") << line;
}

TEST(Statements, RenamingsHoldInTheirBlock) {
  const Statements text(
      "def f(a, b):\n  c = a\n  if b:\n    a, d = (b,\n      a)\n    x = 1\n  else:\n    y = 2\n  return c\nz = 1\n");
  std::string all;
  for (const Renaming& one : text.renamings())
    all += one.target + "=" + one.source + " " + std::to_string(one.line) + "-" + std::to_string(one.last_line) + "; ";
  EXPECT_EQ(all, "c=a 2-9; a=b 4-6; d=a 4-6; ");
}

TEST(Statements, HostileTexts) {
  for (const char* text : {"", "(", "a, b = (", "a, b = '", "def", "def f", "return", "def f():\n return (", "a, b =",
                           "\\", "a, b = 1, 2\\", "))) = 1, 2", ", = ,", "a,, b = 1, 2", "\n\n\n", "\"\"\""}) {
    const Statements read(text);
    for (std::uint32_t line = 0; line < 3; ++line) {
      (void)read.unpacking_at(spot_at(line, 7));
      (void)read.function_at(spot_at(line, 0));
    }
  }
}

TEST(Statements, CalledNames) {
  EXPECT_EQ(called_name("tl.math.exp(x + (1))"), "tl.math.exp");
  EXPECT_EQ(called_name("f(x)[0]"), "");
  EXPECT_EQ(called_name("f(x) + g(y)"), "");
  EXPECT_EQ(called_name("x"), "");
  EXPECT_TRUE(is_plain_name("x_1"));
  EXPECT_FALSE(is_plain_name("1"));
  EXPECT_FALSE(is_plain_name("None"));
  EXPECT_FALSE(is_plain_name("x.y"));
}

}  // namespace
}  // namespace lockstep::debugger
