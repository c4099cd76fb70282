// Overlaps of logged rectangles, against the same decided byte by byte.
#include "interpreter/access/access_log.h"

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

class Ranges {
 public:
  std::uint32_t below(unsigned n) { return static_cast<std::uint32_t>(random_() % n); }
  /// A few entries; where `stride` is not 0 all rows are that far apart.
  std::vector<LoggedRange> draw(std::uint64_t stride) {
    std::vector<LoggedRange> log;
    for (unsigned i = 0, n = 2 + below(4); i < n; ++i) {
      LoggedRange range{stride != 0 ? below(600) : 10ull * below(60), 0, below(3), below(4) != 0};
      range.run = 1 + below(9);
      range.rows = 1 + below(4);
      range.stride = range.rows == 1 ? 0 : stride != 0 ? stride : 10ull * (1 + below(4));
      if (range.rows == 1) range.run += below(30);
      range.end = range.begin + (range.rows - 1) * range.stride + range.run;
      log.push_back(range);
    }
    return log;
  }

 private:
  std::mt19937 random_{7};
};

TEST(AccessLog, RectanglesOverlapWhereTheirBytesDo) {
  Ranges ranges;
  int apart = 0, apart_though_ranges_overlap = 0, overlapping = 0, looked_at_whole = 0;
  for (int round = 0; round < 8000; ++round) {
    std::vector<LoggedRange> log = ranges.draw(round % 2 == 0 ? 0 : 12 + ranges.below(30)), hulls;
    for (const LoggedRange& range : log) hulls.push_back({range.begin, range.end, range.chunk, range.is_write});
    const bool wanted = overlap_by_bytes(log);
    const bool hulls_overlap = chunks_overlap(hulls);
    const std::uint64_t before = entries_taken_apart();
    apart_though_ranges_overlap += !wanted && hulls_overlap ? 1 : 0;
    (wanted ? overlapping : apart) += 1;
    ASSERT_EQ(chunks_overlap(log), wanted) << "round " << round;
    looked_at_whole += !wanted && hulls_overlap && entries_taken_apart() == before ? 1 : 0;
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(overlapping, 1000);
  EXPECT_GT(apart_though_ranges_overlap, 200);
  EXPECT_GT(looked_at_whole, 50);
}

TEST(AccessLog, JoinedEntriesTouchTheSameBytes) {
  Ranges ranges;
  int joined = 0, overlapping = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<LoggedRange> plain;
    AccessLog noted;
    for (const LoggedRange& first : ranges.draw(20)) {
      for (std::uint32_t i = 0, n = 1 + ranges.below(3), at = 0; i < n; ++i) {  // the next to it, or within it
        LoggedRange range = first;
        range.begin += at;
        range.end += at;
        at += ranges.below(3) == 0 ? 1 : static_cast<std::uint32_t>(range.run);
        range.is_write = range.is_write && ranges.below(4) != 0;
        plain.push_back(range);
        ASSERT_TRUE(noted.note(range));
      }
    }
    std::vector<LoggedRange> log = noted.entries();
    joined += static_cast<int>(plain.size() - log.size());
    const bool wanted = overlap_by_bytes(plain);
    overlapping += wanted ? 1 : 0;
    ASSERT_EQ(chunks_overlap(log), wanted) << "round " << round;
  }
  EXPECT_GT(joined, 2000);
  EXPECT_GT(overlapping, 500);
  EXPECT_LT(overlapping, 3500);
}

/// Rows and what lies between them may be kept in one copy only where the chunk has touched all of it.
TEST(AccessLog, FindsWhatSurroundsRowsWithoutGaps) {
  const auto rows = [](std::uint64_t begin, std::uint32_t chunk, bool is_write) {
    return LoggedRange{begin, begin + 7 * 32 + 16, chunk, is_write, 8, 16, 32};
  };
  using Bytes = std::pair<std::uint64_t, std::uint64_t>;
  AccessLog log;
  EXPECT_EQ(log.touched_around(rows(1000, 1, true)), (Bytes{0, 0}));
  ASSERT_TRUE(log.note(rows(1000, 1, false)));
  EXPECT_EQ(log.touched_around(rows(1000, 1, true)), (Bytes{0, 0})) << "between the rows nothing was touched";
  ASSERT_TRUE(log.note(rows(1016, 1, false)));
  EXPECT_EQ(log.touched_around(rows(1000, 1, true)), (Bytes{1000, 1256}));
  EXPECT_EQ(log.touched_around(rows(1016, 1, true)), (Bytes{1000, 1256}));
  EXPECT_EQ(log.touched_around(rows(1032, 1, true)), (Bytes{0, 0})) << "it ends behind them";
  EXPECT_EQ(log.touched_around(rows(1000, 2, true)), (Bytes{0, 0})) << "another chunk touched them";
  ASSERT_TRUE(log.note(rows(5000, 2, false)));
  EXPECT_EQ(log.touched_around(rows(1000, 2, true)), (Bytes{0, 0}));
  log.take();
  EXPECT_EQ(log.touched_around(rows(1000, 1, true)), (Bytes{0, 0}));
}

/// Columns of a tile one after the other and then its lower half element by element, as a kernel of chunks stores them:
/// one entry for each tile, none of which is taken apart.
TEST(AccessLog, TilesOfAMatrixAreLookedAtWhole) {
  constexpr std::uint64_t kSide = 16, kPitch = 1024;
  AccessLog noted;
  for (std::uint32_t group = 0; group < 16; ++group) {  // of four tiles that one batch of programs stores in turn
    const auto begin = [group](std::uint64_t tile) {
      return 64 + group % 4 * kSide * kPitch + (group / 4 * 4 + tile) * kSide * 4;
    };
    for (std::uint64_t column = 0; column < kSide; ++column) {
      for (std::uint64_t tile = 0; tile < 4; ++tile) {
        const std::uint64_t first = begin(tile) + column * 4;
        noted.note({first, first + (kSide - 1) * kPitch + 4, group, true, kSide, 4, kPitch});
      }
    }
    for (std::uint64_t tile = 0; tile < 4; ++tile) {
      for (std::uint64_t row = 0; row < kSide; ++row) {
        for (std::uint64_t column = 0; column < row; ++column) {
          const std::uint64_t at = begin(tile) + row * kPitch + column * 4;
          noted.note({at, at + 4, group, true});
        }
      }
    }
  }
  std::vector<LoggedRange> log = noted.entries();
  EXPECT_EQ(log.size(), 64u);
  const std::uint64_t before = entries_taken_apart();
  EXPECT_FALSE(chunks_overlap(log));
  EXPECT_EQ(entries_taken_apart(), before);
  log[40].begin -= 4;
  EXPECT_TRUE(chunks_overlap(log));
}

}  // namespace
}  // namespace lockstep::interpreter
