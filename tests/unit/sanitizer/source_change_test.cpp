#include "sanitizer/triage/source_change.h"

#include <gtest/gtest.h>

namespace lockstep::sanitizer {
namespace {

constexpr std::string_view kSource =
    "def f():\n"
    "    v = tl.load(x + row[0, 1],  # a, comment)\n"
    "                mask=c < n, other=\"), \")\n"
    "    acc += tl.dot(p, v)\n"
    "    return v.shape, d * d + 1\n";

std::size_t at(std::string_view text) { return kSource.find(text); }

TEST(SourceChange, CallsGoOverLinesStringsAndComments) {
  const auto call = call_at(kSource, at("tl.load"));
  ASSERT_TRUE(call);
  ASSERT_EQ(call->arguments.size(), 3u);
  EXPECT_EQ(call->arguments[0].value.of(kSource), "x + row[0, 1]");
  ASSERT_NE(call->find("mask", 1), nullptr);
  EXPECT_EQ(call->find("mask", 1)->value.of(kSource), "c < n");
  EXPECT_EQ(call->find("other", 2)->value.of(kSource), "\"), \"");
  EXPECT_EQ(call->find("cache_modifier", 3), nullptr);
  constexpr std::string_view kBehind = "f(x,  # first\n  mask=m  # last\n)";
  EXPECT_EQ(call_at(kBehind, 0)->find("mask", 1)->value.of(kBehind), "m");
  EXPECT_FALSE(call_at(kSource, at("acc")));
}

TEST(SourceChange, CallsAreFoundFromTheirLastArgument) {
  const auto call = call_around(kSource, at("x + row"), {"store", "load"});
  ASSERT_TRUE(call);
  EXPECT_EQ(call->callee.of(kSource), "tl.load");
  EXPECT_TRUE(call_around("tl.atomic_add(h + b, 1)", 21, {"atomic_*"}));
  EXPECT_FALSE(call_around(kSource, at("x + row"), {"store"}));
  EXPECT_EQ(call_around("tl.sum(tl.max(a, 1), 0)", 14, {"max", "sum"})->callee.of("tl.sum(tl.max(a, 1), 0)"), "tl.max");
}

TEST(SourceChange, ExpressionsAreWholeFromTheirRightOperand) {
  const auto around = [](std::string_view source, std::string_view part) {
    return expression_around(source, source.rfind(part)).of(source);
  };
  EXPECT_EQ(around("v = tl.load(p, mask=i < n, other=0)", "n,"), "i < n");
  EXPECT_EQ(around("f(p, a == b, c)", "b,"), "a == b");
  EXPECT_EQ(around("m = (a[:, None] <= b) & (c < d)\n", "c <"), "(a[:, None] <= b) & (c < d)");
  EXPECT_EQ(around("f((a <= b) & (c < d))", "d)"), "c < d");
  EXPECT_EQ(around("m = i < (n - 1)", "n -"), "i < (n - 1)");
  constexpr std::string_view kMask = "    mask = i < n\n";
  EXPECT_EQ(assigned_name(kMask, expression_around(kMask, 15)), "mask");
  constexpr std::string_view kLoad = "    v = tl.load(p, mask=i < n)\n";
  EXPECT_EQ(assigned_name(kLoad, expression_around(kLoad, 28)), "");
}

TEST(SourceChange, NamesAreWholeAndNoAttributes) {
  EXPECT_EQ(names_in_statement(kSource, at("v.shape"), "v").size(), 1u);
  EXPECT_EQ(names_in_statement(kSource, at("v.shape"), "shape").size(), 0u);
  EXPECT_EQ(names_in_statement(kSource, at("d * d"), "d").size(), 2u);
  EXPECT_EQ(names_in_statement("a = 'a' + a  # a\na", 4, "a").size(), 1u);
  EXPECT_EQ(names_in_statement("a += b\n", 5, "a").size(), 1u);
}

TEST(SourceChange, ADiffHasTheLinesThatAreTouched) {
  const std::size_t begin = at("c < n");
  EXPECT_EQ(diff_text(kSource, {begin, begin + 5, "m"}),
            "- mask=c < n, other=\"), \")\n+ mask=m, other=\"), \")");
  EXPECT_EQ(diff_text(kSource, {begin, begin + 5, "c < n"}), "");
  EXPECT_TRUE(needs_brackets("x / acc", {4, 7}));
  EXPECT_FALSE(needs_brackets("x + acc", {4, 7}));
}

}  // namespace
}  // namespace lockstep::sanitizer
