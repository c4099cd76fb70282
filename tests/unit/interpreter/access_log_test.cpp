// Overlaps of logged rectangles, against the same decided byte by byte.
#include "interpreter/access_log.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace lockstep::interpreter {
namespace {

bool overlap_by_bytes(const std::vector<LoggedRange>& log) {
  struct Touched {
    std::uint32_t chunk = 0;
    bool is_shared = false, is_written = false;
  };
  std::map<std::uint64_t, Touched> bytes;
  for (const LoggedRange& range : log) {
    for (std::uint64_t row = 0; row < range.rows; ++row) {
      const std::uint64_t begin = range.begin + row * range.stride;
      const std::uint64_t end = range.rows == 1 ? range.end : begin + range.run;
      for (std::uint64_t at = begin; at < end; ++at) {
        const auto [byte, is_new] = bytes.try_emplace(at, Touched{range.chunk, false, false});
        byte->second.is_shared = byte->second.is_shared || byte->second.chunk != range.chunk;
        byte->second.is_written = byte->second.is_written || range.is_write;
      }
    }
  }
  for (const auto& [at, byte] : bytes) {
    if (byte.is_shared && byte.is_written) return true;
  }
  return false;
}

TEST(AccessLog, RectanglesOverlapWhereTheirBytesDo) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  int apart = 0, apart_though_ranges_overlap = 0, overlapping = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<LoggedRange> log, hulls;
    for (unsigned i = 0, n = 2 + below(4); i < n; ++i) {
      LoggedRange range{10ull * below(60), 0, below(3), below(4) != 0};
      range.run = 1 + below(9);
      range.rows = 1 + below(4);
      range.stride = range.rows == 1 ? 0 : 10ull * (1 + below(4));
      range.end = range.begin + (range.rows - 1) * range.stride + range.run;
      log.push_back(range);
      hulls.push_back({range.begin, range.end, range.chunk, range.is_write});
    }
    const bool wanted = overlap_by_bytes(log);
    apart_though_ranges_overlap += !wanted && chunks_overlap(hulls) ? 1 : 0;
    (wanted ? overlapping : apart) += 1;
    ASSERT_EQ(chunks_overlap(log), wanted) << "round " << round;
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(overlapping, 500);
  EXPECT_GT(apart_though_ranges_overlap, 50);
}

}  // namespace
}  // namespace lockstep::interpreter
