#include "driver/words/quantities.h"

#include <gtest/gtest.h>

namespace lockstep::driver {
namespace {

TEST(Quantities, Bytes) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1000), "1.00 kB");
  EXPECT_EQ(format_bytes(5695052), "5.70 MB");
  EXPECT_EQ(format_bytes(999999), "1.00 MB");
  EXPECT_EQ(format_bytes(UINT64_MAX), "18.4 EB");
}

TEST(Quantities, Seconds) {
  EXPECT_EQ(format_seconds(0), "0.00 us");
  EXPECT_EQ(format_seconds(8.12e-4), "812 us");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(1.239), "1.24 s");
  EXPECT_EQ(format_seconds(200), "3 min 20 s");
}

TEST(Quantities, Counts) {
  EXPECT_EQ(format_count(1, "program"), "1 program");
  EXPECT_EQ(format_count(1823, "program"), "1,823 programs");
  EXPECT_EQ(format_count(1234567, "element"), "1,234,567 elements");
  EXPECT_EQ(format_count(100, "element"), "100 elements");
}

TEST(Quantities, NumbersAreTheShortest) {
  EXPECT_EQ(format_number(0.1F), "0.1");
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(-0.0), "-0");
  EXPECT_EQ(format_number(static_cast<double>(0.1F)), "0.10000000149011612");
}

TEST(Quantities, Sizes) {
  EXPECT_EQ(parse_bytes("1048576"), 1048576U);
  EXPECT_EQ(parse_bytes("2GiB"), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1.5 kB"), 1500U);
  for (const char* text : {"", "lots", "-1", "0", "1e9", "5XB", "1 2", "nan", "inf", "99999999999TB", "0.5"}) {
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
  }
}

TEST(Quantities, ListsSplitOutsideBrackets) {
  using List = std::vector<std::string>;
  EXPECT_EQ(split_list(""), List{});
  EXPECT_EQ(split_list("x=*fp32, n=i32"), (List{"x=*fp32", "n=i32"}));
  EXPECT_EQ(split_list("d=tensordesc<fp16[16,32]>,n=i32"), (List{"d=tensordesc<fp16[16,32]>", "n=i32"}));
  EXPECT_EQ(split_list("a,,b"), (List{"a", "", "b"}));
  EXPECT_EQ(split_list("a>,b"), (List{"a>", "b"}));
}

}  // namespace
}  // namespace lockstep::driver
