// Whether programs are apart, against every byte that each of them may touch: random places on small grids, and the
// forms that kernels have.
#include "interpreter/apart/program_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

namespace lockstep::interpreter::apart {
namespace {

using GridExtents = std::array<std::int64_t, 3>;
constexpr std::uint64_t kMemory = 1000;  // the first byte of the storage
constexpr std::uint64_t kEnd = 100'000;

/// In which programs a byte is touched, and written.
struct Touchers {
  int toucher = -1, writer = -1;
  bool meet = false;
};

class Memory {
 public:
  void touch(std::uint64_t byte, int program, bool is_write) {
    Touchers& known = bytes_[byte];
    const bool is_others = known.toucher >= 0 && known.toucher != program;
    const bool is_of_other_writer = known.writer >= 0 && known.writer != program;
    if ((is_write && is_others) || is_of_other_writer) meets_ = true;
    if (is_write) known.writer = program;
    if (!is_others) known.toucher = program;
  }
  bool meets() const { return meets_; }

 private:
  std::map<std::uint64_t, Touchers> bytes_;
  bool meets_ = false;
};

void touch_runs(Memory& memory, const ProgramPlace& place, std::size_t run, Wide at, int program) {
  if (run < place.runs.size()) {
    for (Wide i = 0; i < place.runs[run].count; ++i)
      touch_runs(memory, place, run + 1, at + i * place.runs[run].step, program);
    return;
  }
  for (int byte = 0; byte < place.bytes; ++byte) {
    const auto address = static_cast<std::uint64_t>(at + byte);
    if (address >= place.begin && address < place.end) memory.touch(address, program, place.is_write);
  }
}

bool meet(const std::vector<ProgramPlace>& places, const GridExtents& grid) {
  Memory memory;
  int program = 0;
  for (std::int64_t z = 0; z < grid[2]; ++z) {
    for (std::int64_t y = 0; y < grid[1]; ++y) {
      for (std::int64_t x = 0; x < grid[0]; ++x, ++program) {
        for (const ProgramPlace& place : places)
          touch_runs(memory, place, 0, place.base + x * place.step[0] + y * place.step[1] + z * place.step[2], program);
      }
    }
  }
  return memory.meets();
}

bool said_apart(std::vector<ProgramPlace> places, const GridExtents& grid) { return programs_are_apart(places, grid); }

ProgramPlace place(bool is_write, Wide base, std::array<Wide, 3> step, std::vector<PlaceRun> runs, int bytes = 4) {
  ProgramPlace made;
  made.is_write = is_write;
  made.begin = kMemory;
  made.end = kEnd;
  made.base = static_cast<Wide>(kMemory) + base;
  made.step = step;
  made.runs = std::move(runs);
  made.bytes = bytes;
  return made;
}

/// Half of the launches have one step for all places, and steps that could be apart.
std::vector<ProgramPlace> random_places(std::mt19937& random, const GridExtents& grid) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const bool is_regular = pick(0, 3) != 0;
  const int pitch = pick(4, 24);
  std::array<Wide, 3> common{};
  for (Wide& step : common) step = pick(0, 2) == 0 ? pitch * pick(-4, 4) : pick(-2, pitch);
  if (pick(0, 1) == 0) common[1] = common[0] * grid[0];
  std::vector<ProgramPlace> places;
  for (int i = pick(1, 4); i > 0; --i) {
    ProgramPlace made =
        place(pick(0, 1) == 0, 400 + (pick(0, 1) == 0 ? pick(0, 12) : pitch * pick(0, 3)), common, {}, pick(1, 4));
    if (!is_regular && pick(0, 2) == 0) made.step[static_cast<std::size_t>(pick(0, 2))] += pick(-4, 4);
    for (int run = pick(0, 2); run > 0; --run)
      made.runs.push_back({pick(0, 1) == 0 ? Wide{pitch} : Wide{pick(1, 6)}, pick(2, 4)});
    if (pick(0, 3) == 0) made.end = kMemory + static_cast<std::uint64_t>(pick(380, 460));
    if (pick(0, 5) == 0) made.begin = std::min(made.end, kMemory + static_cast<std::uint64_t>(pick(380, 460)));
    places.push_back(std::move(made));
  }
  return places;
}

TEST(ProgramPlaces, ProgramsThatAreSaidToBeApartNeverMeet) {
  std::mt19937 random(1);
  int apart = 0, said = 0;
  for (int i = 0; i < 40'000; ++i) {
    const auto extent = [&] { return std::uniform_int_distribution<std::int64_t>(1, 4)(random); };
    const GridExtents grid{extent(), extent() > 2 ? extent() : 1, extent() > 3 ? extent() : 1};
    const auto places = random_places(random, grid);
    const bool do_meet = meet(places, grid), is_said = said_apart(places, grid);
    ASSERT_FALSE(do_meet && is_said) << "launch " << i;
    apart += do_meet ? 0 : 1;
    said += is_said ? 1 : 0;
  }
  EXPECT_GT(apart, 8'000);
  EXPECT_GT(said, apart / 2);  // and it is said of most of them
}

TEST(ProgramPlaces, RowsInHalves) {
  // Eight heads of 16 elements of two bytes, loaded and stored in halves; a program has a row of 256 bytes.
  std::vector<ProgramPlace> places;
  for (const bool is_write : {false, true}) {
    for (const int half : {0, 16}) places.push_back(place(is_write, half, {256, 0, 0}, {{32, 8}, {2, 8}}, 2));
  }
  EXPECT_TRUE(said_apart(places, {300, 1, 1}));
  for (ProgramPlace& one : places) one.step = {255, 0, 0};
  EXPECT_FALSE(said_apart(places, {300, 1, 1}));
  EXPECT_FALSE(said_apart(places, {2, 1, 1}));
  EXPECT_TRUE(said_apart(places, {1, 1, 1}));
}

TEST(ProgramPlaces, TilesOfAMatrix) {
  // Tiles of 16 x 8 floats; rows of 40 floats; 5 tiles in a row, 7 rows of tiles, 3 matrices.
  const auto tile = [](Wide x, Wide y, Wide z) {
    return std::vector<ProgramPlace>{place(false, 0, {x, y, z}, {{160, 16}, {4, 8}}),
                                     place(true, 0, {x, y, z}, {{160, 16}, {4, 8}})};
  };
  EXPECT_TRUE(said_apart(tile(32, 16 * 160, 7 * 16 * 160), {5, 7, 3}));
  EXPECT_TRUE(said_apart(tile(7 * 16 * 160, 32, 16 * 160), {3, 5, 7}));
  EXPECT_TRUE(said_apart(tile(-32, 16 * 160, 7 * 16 * 160), {5, 7, 3}));
  EXPECT_FALSE(said_apart(tile(32, 16 * 160, 7 * 16 * 160), {6, 7, 3}));  // the sixth is the next row's first
  EXPECT_FALSE(said_apart(tile(28, 16 * 160, 7 * 16 * 160), {5, 7, 3}));
  EXPECT_FALSE(said_apart(tile(32, 15 * 160, 7 * 16 * 160), {5, 7, 3}));
  EXPECT_FALSE(said_apart(tile(32, 0, 7 * 16 * 160), {5, 7, 3}));
}

TEST(ProgramPlaces, ReadsOfAllPrograms) {
  // Every program reads a table, and writes its own row.
  const auto table = place(false, 0, {0, 0, 0}, {{4, 16}}), rows = place(true, 64, {32, 0, 0}, {{4, 8}});
  EXPECT_TRUE(said_apart({table, rows}, {9, 1, 1}));
  const auto longer = place(false, 0, {0, 0, 0}, {{4, 17}});
  EXPECT_FALSE(said_apart({longer, rows}, {9, 1, 1}));
  EXPECT_TRUE(said_apart({table, longer}, {9, 1, 1}));
}

TEST(ProgramPlaces, WhatIsUnknownStaysInItsView) {
  ProgramPlace anywhere = place(false, 0, {0, 0, 0}, {});
  anywhere.is_known = false;
  const auto rows = place(true, 64, {32, 0, 0}, {{4, 8}});
  EXPECT_FALSE(said_apart({anywhere, rows}, {9, 1, 1}));
  anywhere.end = kMemory + 64;
  EXPECT_TRUE(said_apart({anywhere, rows}, {9, 1, 1}));
  anywhere.end = kMemory + 65;
  EXPECT_FALSE(said_apart({anywhere, rows}, {9, 1, 1}));
}

TEST(ProgramPlaces, AddressesThatMayWrapAreUnknown) {
  auto rows = place(true, 0, {Wide{1} << 40, 0, 0}, {{4, 8}});
  EXPECT_TRUE(said_apart({rows}, {1 << 20, 1, 1}));
  EXPECT_FALSE(said_apart({rows}, {1 << 25, 1, 1}));
  rows.step[0] = -(Wide{1} << 40);
  EXPECT_FALSE(said_apart({rows}, {2, 1, 1}));
}

}  // namespace
}  // namespace lockstep::interpreter::apart
