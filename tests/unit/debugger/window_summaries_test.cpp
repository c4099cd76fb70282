#include "debugger/expression/window_summaries.h"

#include <gtest/gtest.h>

namespace lockstep::debugger {
namespace {

MemoryWindow window_at(std::uint64_t base, std::int64_t count) {
  MemoryWindow window;
  window.base = base;
  window.shape = {count};
  window.strides = {1};
  return window;
}

TEST(WindowSummaries, AreMadeAgainWhereBytesOrTheWindowDiffer) {
  WindowSummaries summaries;
  int made = 0;
  const auto text_of = [&](const MemoryWindow& window, std::string bytes) {
    return summaries.text_of(window, std::move(bytes), [&](const std::string& held) {
      ++made;
      return "of " + held;
    });
  };
  EXPECT_EQ(text_of(window_at(64, 4), "abcd"), "of abcd");
  EXPECT_EQ(text_of(window_at(64, 4), "abcd"), "of abcd");
  EXPECT_EQ(made, 1);
  EXPECT_EQ(text_of(window_at(64, 4), "abce"), "of abce");
  EXPECT_EQ(text_of(window_at(64, 3), "abc"), "of abc");
  MemoryWindow before = window_at(64, 4);
  before.age = Age::before;
  EXPECT_EQ(text_of(before, "abcd"), "of abcd");
  EXPECT_EQ(text_of(window_at(64, 4), "abce"), "of abce");
  EXPECT_EQ(made, 4);
}

TEST(WindowSummaries, ForgetWhereTheyWouldHoldTooMuch) {
  WindowSummaries summaries;
  int made = 0;
  const std::string large(std::size_t{40} << 20, 'x');
  for (const std::uint64_t base : {0, 1, 0, 1}) {
    const auto make = [&](const std::string&) { return std::to_string(++made); };
    const std::string text = summaries.text_of(window_at(base, 1), large, make);
    EXPECT_EQ(text, std::to_string(made));
  }
  EXPECT_EQ(made, 4);
}

}  // namespace
}  // namespace lockstep::debugger
