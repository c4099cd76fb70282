// What a call passes, from the texts of the call and of the definition.
#include "debugger/session/inlined_calls.h"

#include <gtest/gtest.h>

namespace lockstep::debugger {
namespace {

using Passed = std::vector<PassedParameter>;

TEST(InlinedCalls, ByPositionByNameAndByDefault) {
  EXPECT_EQ(match_parameters("f(a + 1, c=b[:, None])", "def f(x, y: tl.constexpr = 4, c=None):"),
            (Passed{{"x", "a + 1"}, {"y", "4", true}, {"c", "b[:, None]"}}));
  EXPECT_EQ(match_parameters("ops.f(g(1, 2), \"a,b\") + f(3)", "def f(x, y):"),
            (Passed{{"x", "g(1, 2)"}, {"y", "\"a,b\""}}));
  EXPECT_EQ(match_parameters("f(a == b, *(c,))", "def f(x, y):"), Passed{});
  EXPECT_EQ(match_parameters("f(x=a == b)", "def f(x):"), (Passed{{"x", "a == b"}}));
}

TEST(InlinedCalls, OverSeveralLinesWithComments) {
  EXPECT_EQ(
      match_parameters("f(\n  a,  # the (first\n  b,\n)", "def f(\n    x,  # it's\n    y: 'tl.constexpr[int, 3]',\n):"),
      (Passed{{"x", "a"}, {"y", "b"}}));
  EXPECT_EQ(match_parameters("f()", "def f():"), Passed{});
  EXPECT_EQ(match_parameters("f(1, z=2)", "def f(x, /, *, z):"), (Passed{{"x", "1"}, {"z", "2"}}));
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
           {"a + f(1)", "def f(x):"},       // does not begin with the call
           {"", ""},
           {"(", "("},
           {"f('", "def f(x):"},
           {"f(,)", "def f(x):"},
       }) {
    EXPECT_EQ(match_parameters(call, definition), Passed{}) << call << " / " << definition;
  }
}

}  // namespace
}  // namespace lockstep::debugger
