// What a call passes, from the texts of the call and of the definition.
#include "debugger/session/source/inlined_calls.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace lockstep::debugger {
namespace {

using Passed = std::vector<PassedParameter>;

PythonSource python_of(std::string text) {
  return PythonSource(std::make_shared<const SourceFile>("k.py", std::move(text)));
}

/// What the call that is open, or begins, at `column` of the call's first line passes.
Passed passed_at(std::uint32_t column, const char* call, const char* definition) {
  const PythonSource caller = python_of(call), callee = python_of(std::string(definition) + "\n  return 1\n");
  const auto* function = callee.function_around(callee.functions().empty() ? 1 : callee.functions()[0].last_line);
  if (function == nullptr || function->tree == nullptr) return {};
  const auto* around = caller.call_around(position_at(1, column), function->name);
  if (around == nullptr) return {};
  Passed passed;
  for (const MatchedParameter& one : match_parameters(caller, *around, callee, *function->tree))
    passed.push_back(one.passed);
  return passed;
}

Passed passed_by(const char* call, const char* definition) { return passed_at(0, call, definition); }

TEST(InlinedCalls, ByPositionByNameAndByDefault) {
  EXPECT_EQ(passed_by("f(a + 1, c=b[:, None])", "def f(x, y: tl.constexpr = 4, c=None):"),
            (Passed{{"x", "a + 1"}, {"y", "4", true}, {"c", "b[:, None]"}}));
  EXPECT_EQ(passed_by("ops.f(g(1, 2), \"a,b\") + f(3)", "def f(x, y):"), (Passed{{"x", "g(1, 2)"}, {"y", "\"a,b\""}}));
  EXPECT_EQ(passed_by("f(a == b, *(c,))", "def f(x, y):"), Passed{});
  EXPECT_EQ(passed_by("f(x=a == b)", "def f(x):"), (Passed{{"x", "a == b"}}));
}

TEST(InlinedCalls, OverSeveralLinesWithComments) {
  EXPECT_EQ(passed_by("f(\n  a,  # the (first\n  b,\n)", "def f(\n    x,  # it's\n    y: 'tl.constexpr[int, 3]',\n):"),
            (Passed{{"x", "a"}, {"y", "b"}}));
  EXPECT_EQ(passed_by("f()", "def f():"), Passed{});
  EXPECT_EQ(passed_by("f(1, z=2)", "def f(x, /, *, z):"), (Passed{{"x", "1"}, {"z", "2"}}));
}

TEST(InlinedCalls, TextsThatDoNotFitGiveNone) {
  for (const auto& [call, definition] : std::vector<std::pair<const char*, const char*>>{
           {"f(1, 2)", "def f(x):"},        // too many
           {"f()", "def f(x):"},            // too few
           {"f(1, x=2)", "def f(x):"},      // twice
           {"f(y=2)", "def f(x):"},         // unknown
           {"f(1, 2)", "def f(x, *, z):"},  // by name only
           {"f(1)", "def f(*x):"},          // collects
           {"f(1)", "def g(x):"},           // another function
           {"f(1", "def f(x):"},            // not complete
           {"f(1)", "def f(x"},             //
           {"a + f(1)", "def f(x):"},       // not in the call
           {"", ""},
           {"(", "("},
           {"f('", "def f(x):"},
           {"f(,)", "def f(x):"},
       }) {
    EXPECT_EQ(passed_by(call, definition), Passed{}) << call << " / " << definition;
  }
}

/// Triton says where the last argument is, or the name.
TEST(InlinedCalls, AroundAPlace) {
  EXPECT_EQ(passed_at(14, "y = ops.f(a, (b + 1))", "def f(x, y):"), (Passed{{"x", "a"}, {"y", "(b + 1)"}}));
  EXPECT_EQ(passed_at(4, "y = ops.f(a, b)", "def f(x, y):"), (Passed{{"x", "a"}, {"y", "b"}}));
  EXPECT_EQ(passed_at(2, "y = ops.f(a, b)", "def f(x, y):"), Passed{});
  EXPECT_EQ(passed_at(7, "f(1, g(a))", "def g(y=(1, 2)):"), (Passed{{"y", "a"}}));
  EXPECT_EQ(passed_at(2, "f(f(a))", "def f(x):"), Passed{});  // which of the two?
  EXPECT_EQ(passed_at(5, "y = \"f(\" + g(a)", "def f(x):"), Passed{});
}

TEST(InlinedCalls, TwoCallsAroundAPlaceInAnyLine) {
  const PythonSource caller = python_of("y = f(a,\n      f(b))\n");
  EXPECT_EQ(caller.call_around(position_at(2, 8), "f"), nullptr);
}

TEST(InlinedCalls, DefaultsAndAnnotationsOfAnyKind) {
  EXPECT_EQ(passed_by("f(a)", "def f(x: 'a = b', y: d[\"k=1\"] = (3 if c == d else 4), /, *, z=lambda u, v=1: u):"),
            (Passed{{"x", "a"}, {"y", "(3 if c == d else 4)", true}, {"z", "lambda u, v=1: u", true}}));
  EXPECT_EQ(passed_by("f(f'{a},{b}', c if d else e)", "def f(x, y):"),
            (Passed{{"x", "f'{a},{b}'"}, {"y", "c if d else e"}}));
}

TEST(InlinedCalls, NamesInALine) {
  const PythonSource text =
      python_of("x = a.b + f(c, d=x)  # e\ns = \"\"\"\n  g = h\n\"\"\" + f'{i}' + \"j\"\nif k: l\n");
  using Names = std::vector<std::string>;
  EXPECT_EQ(text.names_in_line(1), (Names{"x", "a", "f", "c", "d"}));
  EXPECT_EQ(text.names_in_line(3), Names{});  // inside of a string
  EXPECT_EQ(text.names_in_line(4), (Names{"i"}));
  EXPECT_EQ(text.names_in_line(5), (Names{"k", "l"}));
  EXPECT_EQ(text.names_in_line(99), Names{});
}

}  // namespace
}  // namespace lockstep::debugger
