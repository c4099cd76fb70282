// Different bytes written, counted from touched ranges: runs, rows, rectangles side by side and over each other.
#include "sanitizer/core/touched_bytes.h"

#include <gtest/gtest.h>

namespace lockstep::sanitizer {
namespace {

using interpreter::LoggedRange;

LoggedRange write(std::uint64_t begin, std::uint64_t end) { return {begin, end, 0, true}; }
LoggedRange rectangle(std::uint64_t begin, std::uint32_t rows, std::uint64_t run, std::uint64_t stride) {
  return {begin, begin + (rows - 1) * stride + run, 0, true, rows, run, stride};
}

TEST(TouchedBytes, counts_a_byte_once) {
  EXPECT_EQ(count_written_bytes({}), 0u);
  EXPECT_EQ(count_written_bytes({write(0, 8), write(8, 12)}), 12u);
  EXPECT_EQ(count_written_bytes({write(0, 8), write(4, 12), write(5, 6)}), 12u);
}

TEST(TouchedBytes, leaves_reads_out) { EXPECT_EQ(count_written_bytes({{0, 100, 0, false}, write(4, 12)}), 8u); }

TEST(TouchedBytes, interleaved_rectangles_are_apart) {
  EXPECT_EQ(count_written_bytes({rectangle(0, 4, 8, 32)}), 32u);
  EXPECT_EQ(count_written_bytes({rectangle(0, 4, 8, 32), rectangle(8, 4, 8, 32)}), 64u);
  EXPECT_EQ(count_written_bytes({rectangle(0, 4, 8, 32), rectangle(4, 4, 8, 32)}), 48u);
}

TEST(TouchedBytes, rows_that_overlap_themselves) { EXPECT_EQ(count_written_bytes({rectangle(0, 4, 16, 4)}), 28u); }

TEST(TouchedBytes, gives_up_on_too_many_rows) {
  EXPECT_EQ(count_written_bytes({rectangle(0, 5'000'000, 1, 2), rectangle(1, 5'000'000, 1, 2)}), std::nullopt);
}

}  // namespace
}  // namespace lockstep::sanitizer
