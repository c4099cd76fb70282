// Texts of values, as people see them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "debugger/expression/show.h"
#include "fake_scope.h"

namespace lockstep::debugger {
namespace {

class ShowTest : public testing::Test {
 protected:
  ShowTest() {
    fill(scope);
    scope.tile<float>("bad", ScalarKind::f32, {4}, {1.5F, std::nanf(""), -INFINITY, 0.1F});
  }
  Value value(std::string_view text) {
    auto made = evaluate(text, scope);
    EXPECT_TRUE(made) << text << ": " << (made ? "" : made.error().message);
    return made ? *made : Value(Nothing{});
  }
  std::string summary(std::string_view text) { return show_summary(value(text), scope); }
  std::string line(std::string_view text, std::size_t width = 80) { return show_line(value(text), scope, width); }
  std::string table(std::string_view text, TableOptions options = {}) {
    const auto shown = show_table(value(text), scope, options);
    return shown ? *shown : shown.error();
  }
  std::string histogram(std::string_view text, HistogramOptions options) {
    const auto shown = show_histogram(value(text), scope, options);
    return shown ? *shown : shown.error();
  }
  std::string bits(std::string_view text, BitsOptions options = {}) {
    const auto shown = show_bits(value(text), scope, options);
    return shown ? *shown : shown.error();
  }
  FakeScope scope;
};

TEST_F(ShowTest, ScalarsAreAsShortAsTheirFormatAllows) {
  EXPECT_EQ(summary("bad[3]"), "0.1");
  EXPECT_EQ(summary("float(bad[3])"), "0.10000000149011612");
  EXPECT_EQ(summary("1e22"), "1e+22");
  EXPECT_EQ(summary("-0.0"), "-0.");
  EXPECT_EQ(summary("1/3"), "0.3333333333333333");
  EXPECT_EQ(summary("100.0"), "100.");
  EXPECT_EQ(summary("bad[1]"), "nan");
  EXPECT_EQ(summary("bad[2]"), "-inf");
  EXPECT_EQ(summary("n"), "781");
  EXPECT_EQ(summary("n > 3"), "True");
  EXPECT_EQ(summary("bits(bad[0])"), "0x3fc00000");
  EXPECT_EQ(summary("None"), "None");
  EXPECT_EQ(summary("out.dtype"), "'f32'");
  scope.tile<std::uint16_t>("h", ScalarKind::f16, {2}, {0x2e66, 0x7bff});
  EXPECT_EQ(summary("h[0]"), "0.1");
  EXPECT_EQ(summary("h[1]"), "65504.");
}

TEST_F(ShowTest, SummariesOfTiles) {
  EXPECT_EQ(summary("acc"), "f32[2,3] min -2. max 5. mean 1.875 nan 0 inf 0");
  EXPECT_EQ(summary("bad"), "f32[4] min 0.1 max 1.5 mean 0.8 nan 1 inf 1");
  EXPECT_EQ(summary("bad[1:3]"), "f32[2] nan 1 inf 1");
  EXPECT_EQ(summary("mask"), "i1[2,3] true 4 of 6");
  EXPECT_EQ(summary("offs"), "i32[4] min 0 max 3 mean 1.5");
  EXPECT_EQ(summary("ptrs"), "ptr[3] x[0,1] +0x4 .. x[3,7] +0x7c");
  EXPECT_EQ(summary("out"), "f32[6] min 0. max 5. mean 2.5 nan 0 inf 0");
  EXPECT_EQ(summary("offs[4:]"), "i32[0] no elements");
}

TEST_F(ShowTest, LinesAreCutAtTheirWidth) {
  EXPECT_EQ(line("offs"), "i32[4] [0 1 2 3]");
  EXPECT_EQ(line("x", 30), "i32[4,8] [0 10 20 30 40 ...]");
  EXPECT_LE(line("x", 30).size(), 30U);
  EXPECT_EQ(line("x[3,7]"), "310");
}

TEST_F(ShowTest, PointersAreElementsOfArguments) {
  EXPECT_EQ(summary("ptrs[2]"), "x[3,7] +0x7c");
  scope.tile<std::uint64_t>("wild", ScalarKind::pointer, {}, {0xdead});
  EXPECT_EQ(summary("wild"), "0xdead");
}

TEST_F(ShowTest, TablesHavePointsBelowEachOther) {
  EXPECT_EQ(table("acc"), "[[ 1.   -2.    3.5 ]\n [ 4.    5.   -0.25]]");
  EXPECT_EQ(table("offs"), "[0 1 2 3]");
  EXPECT_EQ(table("n"), "781");
  EXPECT_EQ(table("mask"), "[[ True False  True]\n [ True  True False]]");
  EXPECT_EQ(table("offs[:0]"), "[]");
}

TEST_F(ShowTest, LargeTablesShowTheirEdges) {
  TableOptions options;
  options.threshold = 10;
  options.edge = 1;
  EXPECT_EQ(table("x", options), "[[  0 ...  70]\n ...\n [240 ... 310]]");
  options.width = 12;
  EXPECT_EQ(table("offs * 1000", options), "[   0 1000\n 2000 3000]");
}

TEST_F(ShowTest, TablesReadNoMoreOfMemoryThanTheyShow) {
  MemoryWindow huge = scope.arguments.at("x");
  huge.shape = {std::int64_t{1} << 40};
  huge.strides = {0};
  scope.arguments.emplace("huge", huge);
  EXPECT_EQ(table("huge"), "[0 0 0 ... 0 0 0]");
  EXPECT_EQ(summary("huge"), "i32[1099511627776] in memory");
  EXPECT_EQ(line("huge", 30), "i32[1099511627776] [0 0 0 ...]");
}

TEST_F(ShowTest, Histograms) {
  HistogramOptions options;
  options.is_ascii = true;
  options.bins = 2;
  options.width = 4;
  EXPECT_EQ(histogram("out", options), "[0., 2.5)  3  ####\n[2.5, 5.]  3  ####");
  options.bins = 16;
  EXPECT_EQ(histogram("mask", options), "0  2  ##\n1  4  ####");
  EXPECT_EQ(histogram("bad[1:3]", options), "nan 1  inf 1");
  EXPECT_EQ(histogram("bad[:1]", options), "[1.5, 1.5]  1  ####");
  EXPECT_EQ(histogram("offs[4:]", options), "no elements");
  options.is_ascii = false;
  EXPECT_EQ(histogram("offs[:1]", options), "0  1  ████");
}

TEST_F(ShowTest, HistogramsOfHugeSpans) {
  scope.tile<double>("span", ScalarKind::f64, {2}, {-1.7e308, 1.7e308});
  HistogramOptions options;
  options.is_ascii = true;
  options.bins = 2;
  options.width = 1;
  EXPECT_EQ(histogram("span", options), "[-1.7e+308, 0.)  1  #\n [0., 1.7e+308]  1  #");
  scope.tile<std::int64_t>("long", ScalarKind::i64, {2},
                           {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()});
  EXPECT_NE(histogram("long", options).find("1  #"), std::string::npos);
}

TEST_F(ShowTest, HistogramsOfIntegersThatAreOneDouble) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  scope.tile<std::int64_t>("long", ScalarKind::i64, {3}, {kMost, kMost - 2, kMost});
  HistogramOptions options;
  options.is_ascii = true;
  options.width = 2;
  EXPECT_EQ(histogram("long", options),
            "9223372036854775805  1  #\n9223372036854775806  0\n9223372036854775807  2  ##");
}

TEST_F(ShowTest, BitsByField) {
  scope.tile<std::uint16_t>("b", ScalarKind::bf16, {2}, {0xbfc0, 0x7fa1});
  EXPECT_EQ(bits("b"), "[0]  1 01111111 1000000  -1.5\n[1]  0 11111111 0100001  nan");
  scope.tile<std::uint8_t>("e5", ScalarKind::f8E5M2, {}, {0x3d});
  EXPECT_EQ(bits("e5"), "0 01111 01  1.25");
  EXPECT_EQ(bits("bad[0]"), "0 01111111 10000000000000000000000  1.5");
  BitsOptions tf32;
  tf32.as_tf32 = true;
  EXPECT_EQ(bits("bad[0]", tf32), "0 01111111 1000000000 0000000000000  1.5");
  EXPECT_EQ(bits("n"), "0000 0000 0000 0000 0000 0011 0000 1101  781");
  BitsOptions few;
  few.elements = 1;
  EXPECT_EQ(bits("mask", few), "[0,0]  1  True\n... 5 more");
}

TEST_F(ShowTest, EncodingForWhatIf) {
  EXPECT_EQ(encode_tensor(Tensor::of(1.5), ScalarKind::bf16).value(), std::string("\xc0\x3f", 2));
  EXPECT_EQ(encode_tensor(Tensor::of(std::int64_t{-1}), ScalarKind::i16).value(), std::string("\xff\xff", 2));
  EXPECT_EQ(encode_tensor(Tensor::of(std::int64_t{3}), ScalarKind::f16).value(), std::string("\x00\x42", 2));
  EXPECT_FALSE(encode_tensor(Tensor::of(std::int64_t{70000}), ScalarKind::i16));
  EXPECT_FALSE(encode_tensor(Tensor::of(1.5), ScalarKind::i32));
}

}  // namespace
}  // namespace lockstep::debugger
