// LOCKSTEP_TUNING's text form: what parse_tuning takes, what it refuses.
#include "interpreter/launch/tuning.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::interpreter {
namespace {

TEST(Tuning, nothing_means_the_defaults) {
  const auto tuning = parse_tuning("");
  ASSERT_TRUE(tuning);
  const Tuning plain;
  EXPECT_EQ(tuning->strip_elements, plain.strip_elements);
  EXPECT_EQ(tuning->batch_elements, plain.batch_elements);
  EXPECT_EQ(tuning->batch_product_elements, plain.batch_product_elements);
  EXPECT_EQ(tuning->batch_programs, plain.batch_programs);
  EXPECT_EQ(tuning->operand_cache_bytes, plain.operand_cache_bytes);
  EXPECT_EQ(tuning->stream_bytes, plain.stream_bytes);
  EXPECT_EQ(tuning->fuses, plain.fuses);
  EXPECT_EQ(tuning->hoists, plain.hoists);
}

TEST(Tuning, every_name_sets_its_own_size) {
  const auto tuning = parse_tuning(
      "strip=64,batch_elements=4096,batch_product_elements=99,batch=3,operand_cache=12345,stream=77,fuse=0,hoist=0");
  ASSERT_TRUE(tuning);
  EXPECT_EQ(tuning->strip_elements, 64);
  EXPECT_EQ(tuning->batch_elements, 4096);
  EXPECT_EQ(tuning->batch_product_elements, 99);
  EXPECT_EQ(tuning->batch_programs, 3);
  EXPECT_EQ(tuning->operand_cache_bytes, 12345);
  EXPECT_EQ(tuning->stream_bytes, 77);
  EXPECT_FALSE(tuning->fuses);
  EXPECT_FALSE(tuning->hoists);
}

TEST(Tuning, what_is_not_named_keeps_its_default) {
  const auto tuning = parse_tuning("batch=1");
  ASSERT_TRUE(tuning);
  EXPECT_EQ(tuning->batch_programs, 1);
  EXPECT_EQ(tuning->strip_elements, Tuning{}.strip_elements);
  EXPECT_TRUE(tuning->fuses);
}

TEST(Tuning, the_last_of_two_counts) {
  const auto tuning = parse_tuning("strip=64,strip=128");
  ASSERT_TRUE(tuning);
  EXPECT_EQ(tuning->strip_elements, 128);
}

TEST(Tuning, both_ends_of_each_range_are_taken_and_nothing_beyond) {
  for (const char* good : {"strip=16", "strip=1048576", "batch=1", "batch=1024", "batch_elements=1",
                           "batch_product_elements=1", "batch_product_elements=4294967296",
                           "batch_elements=4294967296", "operand_cache=0", "operand_cache=4294967296", "stream=0",
                           "stream=4294967296", "fuse=0", "fuse=1", "hoist=0", "hoist=1"}) {
    EXPECT_TRUE(parse_tuning(good)) << good;
  }
  for (const char* bad :
       {"strip=15", "strip=0", "strip=-16", "strip=1048577", "batch=0", "batch=1025", "batch=-1", "batch_elements=0", "batch_product_elements=0", "batch_product_elements=4294967297",
        "batch_elements=4294967297", "operand_cache=-1", "operand_cache=4294967297", "stream=-1", "stream=4294967297",
        "fuse=2", "fuse=-1", "hoist=2"}) {
    EXPECT_FALSE(parse_tuning(bad)) << bad;
  }
}

TEST(Tuning, numbers_that_fit_no_integer_are_refused) {
  EXPECT_FALSE(parse_tuning("strip=9223372036854775808"));
  EXPECT_FALSE(parse_tuning("operand_cache=18446744073709551616"));
  EXPECT_FALSE(parse_tuning("batch=-9223372036854775809"));
  EXPECT_FALSE(parse_tuning("batch=" + std::string(4000, '9')));
  EXPECT_TRUE(parse_tuning("batch=" + std::string(4000, '0') + "7"));
}

TEST(Tuning, other_forms_are_refused_as_a_whole) {
  for (const char* bad : {"strip",
                          "strip=",
                          "=64",
                          "=",
                          "strip=64x",
                          "strip=x",
                          "strip= 64",
                          " strip=64",
                          "strip=64 ",
                          "strip=+64",
                          "strip=0x40",
                          "strip=6.4e1",
                          "Strip=64",
                          "strips=64",
                          "strip_elements=64",
                          "strip==64",
                          "strip=64,,batch=1",
                          ",strip=64",
                          "strip=64;batch=1",
                          "strip=64 batch=1",
                          "batch=1,unknown=3",
                          "fuse=true",
                          "fuse=yes",
                          "strip=64\n"}) {
    EXPECT_FALSE(parse_tuning(bad)) << bad;
  }
  EXPECT_FALSE(parse_tuning(std::string_view("strip=64\0,batch=1", 17)));
}

}  // namespace
}  // namespace lockstep::interpreter
