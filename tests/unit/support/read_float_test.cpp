// Both ways to read a float agree on value, end and error.
#include "support/floats/read_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

namespace lockstep {
namespace {

template <typename Float>
void expect_same(const std::string& text, std::chars_format format) {
  Float a = 42, b = 42;
  std::from_chars_result x{}, y{};
  const char *first = text.data(), *last = first + text.size();
  if constexpr (sizeof(Float) == 8) {
    x = read_float(first, last, a, format);
    y = read_float_portably(first, last, b, format);
  } else {
    x = read_float(first, last, a);
    y = read_float_portably(first, last, b);
  }
  EXPECT_EQ(x.ec, y.ec) << text;
  EXPECT_EQ(x.ptr - first, y.ptr - first) << text;
  EXPECT_TRUE((std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)))
      << text << " " << a << " " << b;
}

void expect_same_for_all(const std::string& text) {
  expect_same<double>(text, std::chars_format::general);
  expect_same<double>(text, std::chars_format::fixed);
  expect_same<float>(text, std::chars_format::general);
}

TEST(ReadFloat, WordsEdgesAndWhatIsNoNumber) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           " 1",
                           "1",
                           "-0",
                           "0.5",
                           ".5",
                           "5.",
                           ".",
                           "-.",
                           "1e",
                           "1e+",
                           "1e5x",
                           "1E-5",
                           "0x10",
                           "inf",
                           "-INF",
                           "Infinity",
                           "infinit",
                           "nan",
                           "-NaN",
                           "nan(1)",
                           "nan(",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "1e-320",
                           "4.9e-324",
                           "2e-324",
                           "0e999",
                           "1e38",
                           "1e39",
                           "1e-45",
                           "1e-46",
                           "1e-38",
                           "1,5",
                           "1_0",
                           "--1",
                           "1.5.2",
                           "179769313486231580793e289",
                           "16777217",
                           "16777216.999999999999999999999999999999",
                           "0.1",
                           "9007199254740993",
                           "000000.1e1"})
    expect_same_for_all(text);
}

TEST(ReadFloat, RandomTexts) {
  std::mt19937_64 random(9);
  const std::string letters = "0123456789.eE-+xinfa";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t i = random() % 9; i-- > 0;) text += letters[random() % letters.size()];
    expect_same_for_all(text);
  }
  for (int round = 0; round < 20000; ++round) {
    const double value = std::bit_cast<double>(random());
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", static_cast<int>(1 + random() % 20), value);
    expect_same_for_all(text);
    std::snprintf(text, sizeof text, "%.*g", 9,
                  static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(random()))));
    expect_same_for_all(text);
  }
}

}  // namespace
}  // namespace lockstep
