// Overlaps of logged rows and ranges, against the same decided byte by byte.
#include "interpreter/access/row_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace lockstep::interpreter {
namespace {

struct Run {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t chunk = 0;
};

bool overlap_by_bytes(const std::vector<Run>& runs) {
  std::map<std::uint64_t, std::uint32_t> chunks;
  for (const Run& run : runs)
    for (std::uint64_t at = run.begin; at < run.end; ++at)
      if (chunks.try_emplace(at, run.chunk).first->second != run.chunk) return true;
  return false;
}

/// Stores of a few chunks in one or two views, in the rows' log where it takes them.
struct Stores {
  explicit Stores(unsigned seed) : random(seed) {
    const std::uint64_t origins[] = {1000, below(3) == 0 ? 1000 + 16 * below(200) : 400000};
    const std::uint32_t count = 2 + below(3);
    const std::uint64_t columns = 1 + below(3);
    for (std::uint32_t chunk = 0; chunk < count; ++chunk)
      for (std::uint32_t i = below(4); i < 4; ++i) add(origins[below(4) == 0 ? 1 : 0], chunk, columns);
    if (below(4) == 0) add_range(origins[0] + below(5000), below(count));
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); }

  void add(std::uint64_t origin, std::uint32_t chunk, std::uint64_t columns) {
    const std::uint64_t pitch = below(8) == 0 ? 48 : below(4) == 0 ? 128 : 64, run = below(5) == 0 ? 24 : 16;
    const std::uint64_t column = origin + 16 * below(static_cast<std::uint32_t>(columns));
    std::vector<std::uint64_t> addresses;
    for (std::uint32_t n = 1 + below(6); n > 0; --n)
      addresses.push_back(column + pitch * below(below(9) == 0 ? 100000 : 60));
    is_in_rows = rows.note(origin, run, chunk, addresses);
    in_rows += is_in_rows ? 1 : 0;
    for (const std::uint64_t address : addresses) {
      runs.push_back({address, address + run, chunk});
      if (!is_in_rows) log.push_back({address, address + run, chunk, true});
    }
  }
  void add_range(std::uint64_t begin, std::uint32_t chunk) {
    runs.push_back({begin, begin + 40, chunk});
    log.push_back({begin, begin + 40, chunk, true});
  }

  std::mt19937 random;
  RowLog rows;
  std::vector<LoggedRange> log;
  std::vector<Run> runs;
  bool is_in_rows = false;
  int in_rows = 0;
};

TEST(RowLog, ChunksOverlapWhereTheirBytesDo) {
  int apart = 0, overlapping = 0, in_rows = 0;
  for (unsigned round = 0; round < 5000; ++round) {
    Stores stores(round);
    std::vector<LoggedRows> rows = stores.rows.entries();
    const bool expected = overlap_by_bytes(stores.runs);
    ASSERT_EQ(chunks_overlap(stores.log, rows), expected) << "round " << round;
    ++(expected ? overlapping : apart);
    in_rows += stores.in_rows;
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(overlapping, 500);
  EXPECT_GT(in_rows, 15000);
}

/// Tokens of experts: each chunk stores rows of its own among those of all others, in the columns of each.
TEST(RowLog, RowsAmongOthersAreApart) {
  constexpr std::uint64_t kPitch = 2048, kRun = 128, kRows = 512;
  std::vector<std::uint64_t> places(kRows);
  for (std::uint64_t i = 0; i < kRows; ++i) places[i] = i * 37 % kRows;
  RowLog log;
  for (std::uint32_t chunk = 0; chunk < 4; ++chunk)
    for (std::uint64_t column = 0; column < 16; ++column) {
      std::vector<std::uint64_t> addresses;
      for (std::uint64_t i = chunk; i < kRows; i += 4) addresses.push_back(4096 + places[i] * kPitch + column * kRun);
      ASSERT_TRUE(log.note(4096, kRun, chunk, addresses));
    }
  std::vector<LoggedRows> rows = log.entries();
  EXPECT_EQ(rows.size(), 64u);
  std::vector<LoggedRange> ranges;
  EXPECT_FALSE(chunks_overlap(ranges, rows));
  EXPECT_TRUE(ranges.empty());  // decided without a range for each row
}

TEST(RowLog, RefusesRowsThatNeedALogOfRanges) {
  RowLog log;
  const std::vector<std::uint64_t> one{4096}, uneven{4096, 4096 + 24}, far{4096, 4096 + (std::uint64_t{1} << 40) + 64};
  EXPECT_FALSE(log.note(4096, 16, 0, one));
  EXPECT_FALSE(log.note(4096, 16, 0, uneven));
  EXPECT_FALSE(log.note(4096, 16, 0, far));
  EXPECT_TRUE(log.entries().empty());
}

}  // namespace
}  // namespace lockstep::interpreter
