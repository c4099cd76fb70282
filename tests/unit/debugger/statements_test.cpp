// What is read from a Python text: assignments to several names, returns, functions, with places.
#include "debugger/session/source/statements.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

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

/// A text with what is read from it.
struct Read {
  explicit Read(std::string_view text)
      : file(std::make_shared<const SourceFile>("k.py", std::string(text))), source(file), statements(source) {}
  std::string words(const SourceExpression& one) const {
    const auto offset = [&](SourcePosition spot) { return file->line_start(line_of(spot)) + static_cast<std::uint32_t>(spot); };
    return source.words_of({offset(one.span.begin), offset(one.span.end)});
  }
  std::vector<std::string> words(const std::vector<SourceExpression>& items) const {
    std::vector<std::string> all;
    for (const SourceExpression& one : items) all.push_back(words(one));
    return all;
  }
  std::string renamings() const {
    std::string all;
    for (const Renaming& one : statements.renamings()) {
      all +=
          one.target + "=" + one.source + " " + std::to_string(one.line) + "-" + std::to_string(one.last_line) + "; ";
    }
    return all;
  }

  SourceFilePtr file;
  PythonSource source;
  Statements statements;
};

using Words = std::vector<std::string>;

TEST(Statements, UnpackingsHaveTheirTargetsAndItems) {
  const Read read(kText);
  const Statements& text = read.statements;
  const Unpacking* two = text.unpacking_at(position_at(6, 15));
  ASSERT_NE(two, nullptr);
  EXPECT_EQ(two->targets, (Words{"a", "b"}));
  EXPECT_EQ(read.words(two->value.items), (Words{"x + 1", "tl.f(y, 'x=,')"}));
  EXPECT_TRUE(two->value.items[0].span.holds(position_at(6, 15)));
  EXPECT_FALSE(two->value.items[0].span.holds(position_at(6, 18)));
  EXPECT_TRUE(two->value.items[1].span.holds(position_at(6, 23)));
  EXPECT_EQ(two, text.unpacking_at(position_at(6, 11)));
  EXPECT_EQ(text.unpacking_at(position_at(6, 4)), nullptr);
}

TEST(Statements, LinesAreJoined) {
  const Read read(kText);
  const Statements& text = read.statements;
  const Unpacking* two = text.unpacking_at(position_at(9, 8));
  ASSERT_NE(two, nullptr);
  EXPECT_EQ(two->targets, (Words{"c", "d"}));
  EXPECT_EQ(read.words(two->value.items), (Words{"inner(x)[0]", "y"}));
  EXPECT_TRUE(two->value.items[1].span.holds(position_at(9, 8)));
}

TEST(Statements, WhatIsNotUnderstoodIsLeftOut) {
  const Read read(kText);
  const Statements& text = read.statements;
  for (const std::uint32_t line : {1U, 3U, 10U, 11U, 13U, 14U}) {
    for (std::uint32_t column = 0; column < 40; ++column)
      EXPECT_EQ(text.unpacking_at(position_at(line, column)), nullptr) << line << ":" << column;
  }
  const Unpacking* one = text.unpacking_at(position_at(12, 17));
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->targets, (Words{"", "j"}));
}

TEST(Statements, FunctionsHaveTheirOwnReturns) {
  const Read read(kText);
  const Statements& text = read.statements;
  const SourceFunction* outer = text.function_at(position_at(16, 12));
  ASSERT_NE(outer, nullptr);
  EXPECT_EQ(outer->name, "outer");
  ASSERT_EQ(outer->returns.size(), 1U);
  EXPECT_EQ(read.words(outer->returns[0].items), (Words{"a", "b", "c"}));
  EXPECT_TRUE(outer->returns[0].items[2].span.holds(position_at(16, 12)));
  const SourceFunction* inner = text.function_at(position_at(5, 15));
  ASSERT_NE(inner, nullptr);
  EXPECT_EQ(inner->name, "inner");
  EXPECT_EQ(read.words(inner->returns.at(0).items), (Words{"p", "\"),\"", "p"}));
  EXPECT_EQ(text.function_at(position_at(18, 0)), nullptr);
  const Unpacking* last = text.unpacking_at(position_at(18, 7));
  ASSERT_NE(last, nullptr);
  EXPECT_TRUE(last->value.items.empty());
  EXPECT_EQ(last->value.called, "outer");
}

TEST(Statements, Advances) {
  const Read read(
      "p += f(x)\nq = q + 1\nr -= (\n  2)\ns *= 2\nt = tt + 1\nu = u * 2\nx.y += 1\n"
      "v = v - 1 if c else v\nw = (w + 1) * 2\nif c: a += 1; b = b + 2\n");
  const auto target = [&](std::uint32_t line, std::uint32_t column) {
    const Advance* one = read.statements.advance_at(position_at(line, column));
    return one == nullptr ? "" : one->target;
  };
  EXPECT_EQ(target(1, 7), "p");
  EXPECT_EQ(target(2, 8), "q");
  EXPECT_EQ(target(4, 2), "r");
  EXPECT_EQ(target(9, 8), "v");
  for (const std::uint32_t line : {5U, 6U, 7U, 8U, 10U}) EXPECT_EQ(target(line, 7), "") << line;
  EXPECT_EQ(target(11, 11), "a");  // several statements in a line, and a block in its head's line
  EXPECT_EQ(target(11, 22), "b");
}

TEST(Statements, RenamingsHoldInTheirBlock) {
  const Read read(
      "def f(a, b):\n  c = a\n  if b:\n    a, d = (b,\n      a)\n    x = 1\n  else:\n    y = 2\n  return c\nz = 1\n");
  EXPECT_EQ(read.renamings(), "c=a 2-9; a=b 4-6; d=a 4-6; ");
}

TEST(Statements, SeveralInALineAndBlocksInTheirHeads) {
  const Read read(
      "def f(a, b): return b, a\n"
      "if c: x, y = f(1, 2); z = x\n"
      "m = n; k, l = g(3)\n"
      "return_value = (lambda a, b=1: a)\n"
      "s = f\"{a}, {b} = {c}\"\n");
  const SourceFunction* function = read.statements.function_at(position_at(1, 20));
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(read.words(function->returns.at(0).items), (Words{"b", "a"}));
  const Unpacking* first = read.statements.unpacking_at(position_at(2, 15));
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->targets, (Words{"x", "y"}));
  EXPECT_EQ(first->value.called, "f");
  const Unpacking* second = read.statements.unpacking_at(position_at(3, 16));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->targets, (Words{"k", "l"}));
  EXPECT_EQ(second->value.called, "g");
  EXPECT_EQ(read.renamings(), "z=x 2-2; m=n 3-5; ");
}

TEST(Statements, WhatDoesNotParseCostsItsLine) {
  const Read read(
      "def f(a, b=):\n  c, d = a, b\n  if c ===:\n    e, f = d, c\n  x = g(\n  return c, d\n\ndef g(x):\n  return x\n");
  ASSERT_NE(read.statements.unpacking_at(position_at(2, 9)), nullptr);
  ASSERT_NE(read.statements.unpacking_at(position_at(4, 11)), nullptr);
  const SourceFunction* function = read.statements.function_at(position_at(6, 9));
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function->name, "f");
  EXPECT_EQ(read.words(function->returns.at(0).items), (Words{"c", "d"}));
  EXPECT_EQ(read.statements.function_at(position_at(9, 2))->name, "g");
}

TEST(Statements, HostileTexts) {
  for (const char* text : {"", "(", "a, b = (", "a, b = '", "def", "def f", "return", "def f():\n return (",
                           "a, b =", "\\", "a, b = 1, 2\\", "))) = 1, 2", ", = ,", "a,, b = 1, 2", "\n\n\n", "\"\"\"",
                           "\xff = (", "def f(:\n  def g(:\n    a = b", "\xEF\xBB\xBFx = b"}) {
    const Read read(text);
    for (std::uint32_t line = 0; line < 3; ++line) {
      (void)read.statements.unpacking_at(position_at(line, 7));
      (void)read.statements.function_at(position_at(line, 0));
      (void)read.source.function_around(line);
      (void)read.source.names_in_line(line);
    }
    for (const std::uint32_t line : {1U, 2U, 9U}) (void)read.source.call_around(position_at(line, 70), "f");
  }
}

TEST(Statements, CalledNames) {
  const auto returned = [](const char* text) {
    const Read read("def f():\n  return " + std::string(text) + "\n");
    return read.statements.function_at(position_at(2, 2))->returns.at(0);
  };
  EXPECT_EQ(returned("tl.math.exp(x + (1))").called, "tl.math.exp");
  EXPECT_EQ(returned("f(x)[0]").called, "");
  EXPECT_EQ(returned("f(x) + g(y)").called, "");
  EXPECT_EQ(returned("x").called, "");
  EXPECT_EQ(returned("x_1").name, "x_1");
  EXPECT_EQ(returned("(x)").name, "x");
  for (const char* text : {"1", "None", "x.y", "x + 1"}) EXPECT_EQ(returned(text).name, "") << text;
}

}  // namespace
}  // namespace lockstep::debugger
