// The portable way against std::to_chars, on numbers of every exponent.
#include "support/floats/write_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>
#include <version>

namespace lockstep {
namespace {

template <class Float, class... Arguments>
std::string portable(Float value, Arguments... arguments) {
  char buffer[1200];
  return {buffer, write_float_portably(buffer, buffer + sizeof buffer, value, arguments...)};
}
template <class Float, class... Arguments>
std::string of_library(Float value, Arguments... arguments) {
  char buffer[1200];
  return {buffer, write_float(buffer, buffer + sizeof buffer, value, arguments...)};
}

TEST(WriteFloat, PortableWritesWhatTheLibraryWrites) {
#if !defined(__cpp_lib_to_chars)
  GTEST_SKIP() << "the library has none";
#endif
  using Limits = std::numeric_limits<double>;
  std::mt19937_64 random(9);
  std::vector<double> all = {0.0,
                             -0.0,
                             1,
                             10,
                             100,
                             1e5,
                             1e15,
                             1e16,
                             123456.0,
                             0.1,
                             1e-4,
                             1e-5,
                             5e-324,
                             1e22,
                             1e23,
                             12345678901234567000.0,
                             Limits::max(),
                             Limits::min(),
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN(),
                             9007199254740993.0};
  for (int i = 0; i < 800; ++i) {
    all.push_back(std::bit_cast<double>(random()));
    all.push_back(static_cast<double>(random() % 1000000) / 1000);
    all.push_back(static_cast<float>(random() % 1000000) / 7.0F);
  }
  for (const double value : all) {
    EXPECT_EQ(portable(value), of_library(value));
    EXPECT_EQ(portable(static_cast<float>(value)), of_library(static_cast<float>(value)));
    for (const auto format : {std::chars_format::scientific, std::chars_format::fixed}) {
      EXPECT_EQ(portable(value, format), of_library(value, format));
      for (const int precision : {0, 1, 5, 16})
        EXPECT_EQ(portable(value, format, precision), of_library(value, format, precision));
    }
    for (const int precision : {1, 6, 17})
      EXPECT_EQ(portable(value, std::chars_format::general, precision),
                of_library(value, std::chars_format::general, precision));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace lockstep
