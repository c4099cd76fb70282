// Which programs of a launch are shown to be apart before it runs, from the kernel's text and its arguments: against
// what each program of the same launch touched, for random arguments; and kernels that must not be said to be.
#include "interpreter/apart/access_places.h"

#include <random>

#include "interpreter/launch/machine.h"
#include "interpreter/scheduler/execution_mode.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter::apart {
namespace {

using GridExtents = std::array<std::int64_t, 3>;

/// As a launch on two threads would decide, before it runs.
bool said_apart(Harness& h, const GridExtents& grid) {
  const PreparedKernel& kernel = h.prepared();
  const RunRequest request = h.request(grid, 2);
  Launch launch;
  launch.grid = grid;
  launch.memory = request.memory;
  for (const Argument& argument : request.arguments) {
    const bool is_scalar = argument.kind == Argument::Kind::scalar;
    launch.arguments.push_back(is_scalar ? uniform_tile(argument.bits & 0xffffffff)
                                         : uniform_tile(request.memory->view(argument.view).base, argument.view.index));
  }
  decide_execution_mode(request, kernel.effects(), 2, launch);
  return AccessPlaces(kernel.function(), plain_accesses_of(h.module(), kernel.function())).are_apart(launch);
}

/// Runs it on one thread, and compares what its programs touched.
bool do_meet(Harness& h, const GridExtents& grid) {
  h.options.touches = AccessTracking::programs;
  const LaunchReport report = h.run(grid, 1);
  EXPECT_NE(report.touched, nullptr);
  if (report.touched == nullptr) return true;
  std::vector<LoggedRange> log = *report.touched;
  return chunks_overlap(log);
}

std::int64_t pick(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

const std::string kPlaceTile = "tensor<4x8xi32>", kPlacePointers = "tensor<4x8x!tt.ptr<i32>>";

/// The tile of program (x, y) of four rows of eight: %rows and %columns are the offsets along its dimensions.
std::string tile_lines() {
  return "    %px = tt.get_program_id x : i32\n    %py = tt.get_program_id y : i32\n"
         "    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n"
         "    %c = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
         "    %rt = tt.expand_dims %r {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>\n"
         "    %cw = tt.expand_dims %c {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>\n"
         "    %pitches = tt.splat %pitch : i32 -> tensor<4x1xi32>\n    %rp = arith.muli %rt, %pitches : "
         "tensor<4x1xi32>\n"
         "    %rows = tt.broadcast %rp : tensor<4x1xi32> -> tensor<4x8xi32>\n"
         "    %columns = tt.broadcast %cw : tensor<1x8xi32> -> tensor<4x8xi32>\n"
         "    %rc = arith.addi %rows, %columns : tensor<4x8xi32>\n"
         "    %bx = arith.muli %px, %sx : i32\n    %by = arith.muli %sy, %py : i32\n    %bxy = arith.addi %bx, %by : "
         "i32\n"
         "    %base = tt.addptr %x, %bxy : !tt.ptr<i32>, i32\n    %bases = tt.splat %base : !tt.ptr<i32> -> " +
         kPlacePointers + "\n    %left = tt.addptr %bases, %rc : " + kPlacePointers + ", " + kPlaceTile + "\n";
}

/// Columns below %n are loaded, and stored %k elements behind.
std::string in_place_tiles() {
  return kernel(
      "%x: !tt.ptr<i32>, %pitch: i32, %sx: i32, %sy: i32, %n: i32, %k: i32",
      tile_lines() +
          "    %ns = tt.splat %n : i32 -> tensor<1x8xi32>\n    %m = arith.cmpi slt, %cw, %ns : tensor<1x8xi32>\n"
          "    %mask = tt.broadcast %m : tensor<1x8xi1> -> tensor<4x8xi1>\n    %v = tt.load %left, %mask : " +
          kPlacePointers + "\n    %ks = tt.splat %k : i32 -> " + kPlaceTile + "\n    %to = tt.addptr %left, %ks : " +
          kPlacePointers + ", " + kPlaceTile + "\n    tt.store %to, %v, %mask : " + kPlacePointers + "\n");
}

TEST(AccessPlaces, WhatIsSaidOfTilesIsTrue) {
  std::mt19937 random(3);
  int said = 0, apart = 0;
  for (int i = 0; i < 400; ++i) {
    Harness h(in_place_tiles());
    const std::size_t whole = h.spare(std::vector<std::int32_t>(1200));
    h.window(whole, 400, {800}, {1});
    const std::int64_t sign = pick(random, 0, 3) == 0 ? -1 : 1;
    const std::int64_t n = pick(random, 1, 9);
    const std::int64_t pitch = sign * (pick(random, 0, 1) == 0 ? pick(random, 1, 40) : 8 * pick(random, 1, 4));
    const std::int64_t across = pick(random, 0, 3) == 0 ? pick(random, -3, 9) : n + pick(random, 0, 1);
    const std::int64_t down = pick(random, 0, 1) == 0 ? 4 * pitch : pitch * pick(random, 1, 9);
    const bool is_turned = pick(random, 0, 1) == 0;
    const GridExtents grid{pick(random, 1, 4), pick(random, 1, 3), 1};
    for (const std::int64_t value : {pitch, is_turned ? down : across, is_turned ? across : down, n,
                                     pick(random, 0, 2) == 0 ? pick(random, -9, 9) : 0})
      h.scalar(static_cast<std::uint32_t>(value));
    const bool meets = do_meet(h, grid);
    const bool is_said = said_apart(h, grid);
    ASSERT_FALSE(meets && is_said) << i;
    said += is_said ? 1 : 0;
    apart += meets ? 0 : 1;
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(said, apart / 2);
}

/// Program p goes over its row of %n numbers in steps of 8, in place; stores go %k elements behind.
std::string in_place_rows() {
  const std::string p = "tensor<8x!tt.ptr<i32>>", i = "tensor<8xi32>";
  return kernel(
      "%x: !tt.ptr<i32>, %n: i32, %stride: i32, %k: i32",
      "    %c0 = arith.constant 0 : i32\n    %c8 = arith.constant 8 : i32\n    %p = tt.get_program_id x : i32\n"
      "    %b = arith.muli %p, %stride : i32\n    %row = tt.addptr %x, %b : !tt.ptr<i32>, i32\n"
      "    %lane = tt.make_range {end = 8 : i32, start = 0 : i32} : " +
          i + "\n    %ns = tt.splat %n : i32 -> " + i + "\n    %ks = tt.splat %k : i32 -> " + i +
          "\n    %rows = tt.splat %row : !tt.ptr<i32> -> " + p +
          "\n    scf.for %j = %c0 to %n step %c8  : i32 {\n      %js = tt.splat %j : i32 -> " + i +
          "\n      %o = arith.addi %js, %lane : " + i + "\n      %m = arith.cmpi slt, %o, %ns : " + i +
          "\n      %from = tt.addptr %rows, %o : " + p + ", " + i + "\n      %v = tt.load %from, %m : " + p +
          "\n      %to = tt.addptr %from, %ks : " + p + ", " + i + "\n      tt.store %to, %v, %m : " + p + "\n    }\n");
}

TEST(AccessPlaces, WhatIsSaidOfRowsIsTrue) {
  int said = 0;
  for (const std::int64_t n : {0, 1, 5, 8, 13, 16}) {
    for (const std::int64_t gap : {-1, 0, 2}) {
      for (const std::int64_t k : {-2, 0, 1, 2}) {
        Harness h(in_place_rows());
        h.tensor(std::vector<std::int32_t>(400));
        for (const std::int64_t value : {n, n + gap, k}) h.scalar(static_cast<std::uint32_t>(value));
        const bool meets = do_meet(h, {9, 1, 1});
        const bool is_said = said_apart(h, {9, 1, 1});
        ASSERT_FALSE(meets && is_said) << n << ' ' << gap << ' ' << k;
        if (k == 0 && n != 0) {
          EXPECT_EQ(is_said, gap >= 0) << n << ' ' << gap;
        }
        said += is_said ? 1 : 0;
      }
    }
  }
  EXPECT_GT(said, 20);
}

/// Its pointer moves by 8 in each of %turns turns.
TEST(AccessPlaces, PointersThatALoopMoves) {
  const std::string p = "tensor<8x!tt.ptr<i32>>", i = "tensor<8xi32>";
  const std::string text = kernel(
      "%x: !tt.ptr<i32>, %turns: i32, %stride: i32",
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %eight = arith.constant dense<8> : " +
          i +
          "\n    %p = tt.get_program_id x : i32\n    %b = arith.muli %p, %stride : i32\n"
          "    %row = tt.addptr %x, %b : !tt.ptr<i32>, i32\n    %lane = tt.make_range {end = 8 : i32, start = 0 : i32} "
          ": " +
          i + "\n    %rows = tt.splat %row : !tt.ptr<i32> -> " + p + "\n    %start = tt.addptr %rows, %lane : " + p +
          ", " + i + "\n    %end = scf.for %j = %c0 to %turns step %c1 iter_args(%at = %start) -> (" + p +
          ")  : i32 {\n      %v = tt.load %at : " + p + "\n      tt.store %at, %v : " + p +
          "\n      %next = tt.addptr %at, %eight : " + p + ", " + i + "\n      scf.yield %next : " + p + "\n    }\n");
  for (const std::int64_t turns : {1, 2, 5}) {
    for (const std::int64_t stride : {7, 8, 15, 16, 39, 40, 48}) {
      Harness h(text);
      h.tensor(std::vector<std::int32_t>(400));
      h.scalar(static_cast<std::uint32_t>(turns));
      h.scalar(static_cast<std::uint32_t>(stride));
      const bool meets = do_meet(h, {8, 1, 1});
      EXPECT_EQ(said_apart(h, {8, 1, 1}), !meets) << turns << ' ' << stride;
      EXPECT_EQ(meets, stride < 8 * turns);
    }
  }
}

/// Both offsets of a square tile are of one range, and the mask only cuts the rows: it says nothing of the columns.
TEST(AccessPlaces, AMaskOfRowsDoesNotBoundColumns) {
  const std::string text = kernel(
      "%x: !tt.ptr<i32>, %n: i32, %stride: i32",
      "    %p = tt.get_program_id x : i32\n    %b = arith.muli %p, %stride : i32\n"
      "    %base = tt.addptr %x, %b : !tt.ptr<i32>, i32\n    %bases = tt.splat %base : !tt.ptr<i32> -> "
      "tensor<8x8x!tt.ptr<i32>>\n"
      "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
      "    %rt = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>\n"
      "    %cw = tt.expand_dims %r {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>\n"
      "    %eight = arith.constant dense<8> : tensor<8x1xi32>\n    %rp = arith.muli %rt, %eight : tensor<8x1xi32>\n"
      "    %rows = tt.broadcast %rp : tensor<8x1xi32> -> tensor<8x8xi32>\n"
      "    %columns = tt.broadcast %cw : tensor<1x8xi32> -> tensor<8x8xi32>\n    %o = arith.addi %rows, %columns : "
      "tensor<8x8xi32>\n"
      "    %at = tt.addptr %bases, %o : tensor<8x8x!tt.ptr<i32>>, tensor<8x8xi32>\n"
      "    %ns = tt.splat %n : i32 -> tensor<8x1xi32>\n    %m = arith.cmpi slt, %rt, %ns : tensor<8x1xi32>\n"
      "    %mask = tt.broadcast %m : tensor<8x1xi1> -> tensor<8x8xi1>\n    %v = tt.load %at, %mask : "
      "tensor<8x8x!tt.ptr<i32>>\n"
      "    tt.store %at, %v, %mask : tensor<8x8x!tt.ptr<i32>>\n");
  for (const std::int64_t n : {1, 2, 8}) {
    for (const std::int64_t stride : {1, 2, 7, 8, 9, 15, 16, 63, 64}) {
      Harness h(text);
      h.tensor(std::vector<std::int32_t>(400));
      h.scalar(static_cast<std::uint32_t>(n));
      h.scalar(static_cast<std::uint32_t>(stride));
      const bool meets = do_meet(h, {5, 1, 1});
      EXPECT_EQ(meets, stride < 8 * n);
      EXPECT_EQ(said_apart(h, {5, 1, 1}), !meets) << n << ' ' << stride;
    }
  }
}

/// What is loaded says where, and whether, it stores.
TEST(AccessPlaces, WhatDataDecidesIsNotSaidToBeApart) {
  const std::string parameters = "%x: !tt.ptr<i32>, %where: !tt.ptr<i32>";
  const std::string start =
      "    %c0 = arith.constant 0 : i32\n    %p = tt.get_program_id x : i32\n    %w = tt.addptr %where, %p : "
      "!tt.ptr<i32>, i32\n"
      "    %i = tt.load %w : !tt.ptr<i32>\n    %own = tt.addptr %x, %p : !tt.ptr<i32>, i32\n    %v = tt.load %own : "
      "!tt.ptr<i32>\n";
  const std::string own = "    tt.store %own, %i : !tt.ptr<i32>\n";
  const std::string by_index = "    %to = tt.addptr %x, %i : !tt.ptr<i32>, i32\n    tt.store %to, %v : !tt.ptr<i32>\n";
  const std::string by_branch =
      "    %go = arith.cmpi eq, %i, %c0 : i32\n    scf.if %go {\n      tt.store %x, %v : !tt.ptr<i32>\n    }\n";
  const auto said = [&](const std::string& end) {
    Harness h(kernel(parameters, start + end));
    h.tensor(std::vector<std::int32_t>(16));
    h.tensor(std::vector<std::int32_t>(16, 1));
    h.run({8, 1, 1}, 1);
    return said_apart(h, {8, 1, 1});
  };
  EXPECT_TRUE(said(own));
  EXPECT_FALSE(said(by_index));
  EXPECT_FALSE(said(by_branch));
  EXPECT_FALSE(said(own + by_branch));
}

/// Program p has a row of eight, and stores to the place in it that a table names: the table's numbers decide.
TEST(AccessPlaces, NumbersOfAShortArrayAreKnown) {
  const std::string text =
      kernel("%x: !tt.ptr<i32>, %where: !tt.ptr<i32>",
             "    %c8 = arith.constant 8 : i32\n    %p = tt.get_program_id x : i32\n"
             "    %w = tt.addptr %where, %p : !tt.ptr<i32>, i32\n    %i = tt.load %w : !tt.ptr<i32>\n"
             "    %b = arith.muli %p, %c8 : i32\n    %row = tt.addptr %x, %b : !tt.ptr<i32>, i32\n"
             "    %at = tt.addptr %row, %i : !tt.ptr<i32>, i32\n    %v = tt.load %at : !tt.ptr<i32>\n"
             "    tt.store %row, %v : !tt.ptr<i32>\n");
  Harness h(text);
  h.tensor(std::vector<std::int32_t>(100));
  std::vector<std::int32_t> table = {3, 7, 0, 5, 7, 1, 2, 7, 6};
  h.tensor(table);
  EXPECT_FALSE(do_meet(h, {9, 1, 1}));
  for (const std::int32_t last : {7, 8, -1, 0}) {
    const auto at = reinterpret_cast<void*>(h.address(1) + 8 * sizeof last);
    std::memcpy(at, &last, sizeof last);
    EXPECT_EQ(said_apart(h, {9, 1, 1}), last >= 0 && last < 8) << last;
  }
}

TEST(AccessPlaces, NumbersOfAnArrayThatIsWrittenAreNot) {
  Harness h(kernel("%x: !tt.ptr<i32>, %where: !tt.ptr<i32>",
                   "    %c8 = arith.constant 8 : i32\n    %p = tt.get_program_id x : i32\n"
                   "    %w = tt.addptr %where, %p : !tt.ptr<i32>, i32\n    %i = tt.load %w : !tt.ptr<i32>\n"
                   "    %b = arith.muli %p, %c8 : i32\n    %row = tt.addptr %x, %b : !tt.ptr<i32>, i32\n"
                   "    %at = tt.addptr %row, %i : !tt.ptr<i32>, i32\n    tt.store %at, %i : !tt.ptr<i32>\n"
                   "    tt.store %w, %c8 : !tt.ptr<i32>\n"));
  h.tensor(std::vector<std::int32_t>(100));
  h.tensor(std::vector<std::int32_t>(9, 3));
  h.run({1, 1, 1}, 1);
  EXPECT_FALSE(said_apart(h, {9, 1, 1}));
}

/// Two arguments, windows of one tensor.
TEST(AccessPlaces, ArgumentsThatShareMemory) {
  const std::string text =
      kernel("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>",
             "    %p = tt.get_program_id x : i32\n    %from = tt.addptr %x, %p : !tt.ptr<i32>, i32\n    %v = tt.load "
             "%from : !tt.ptr<i32>\n"
             "    %to = tt.addptr %y, %p : !tt.ptr<i32>, i32\n    tt.store %to, %v : !tt.ptr<i32>\n");
  for (const std::int64_t offset : {0, 1, 7, 8, 9}) {
    Harness h(text);
    h.tensor(std::vector<std::int32_t>(32));
    h.window(0, offset, {8}, {1});
    const bool meets = do_meet(h, {8, 1, 1});
    EXPECT_EQ(meets, offset != 0 && offset < 8);
    EXPECT_EQ(said_apart(h, {8, 1, 1}), !meets) << offset;
  }
}

/// A loop moves the pointer by 5, 4, 3 ... elements; the mask only lets the turn through that moves it by 1. The row's
/// start is written, too.
TEST(AccessPlaces, AMaskSaysNothingOfEarlierTurns) {
  Harness h(
      kernel("%x: !tt.ptr<i32>, %turns: i32, %stride: i32",
             "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %c2 = arith.constant 2 : i32\n"
             "    %p = tt.get_program_id x : i32\n    %b = arith.muli %p, %stride : i32\n"
             "    %row = tt.addptr %x, %b : !tt.ptr<i32>, i32\n    tt.store %row, %c1 : !tt.ptr<i32>\n"
             "    %end = scf.for %j = %c0 to %turns step %c1 iter_args(%at = %row) -> (!tt.ptr<i32>)  : i32 {\n"
             "      %left = arith.subi %turns, %j : i32\n      %m = arith.cmpi slt, %left, %c2 : i32\n"
             "      %v = tt.load %at, %m : !tt.ptr<i32>\n      tt.store %at, %v, %m : !tt.ptr<i32>\n"
             "      %next = tt.addptr %at, %left : !tt.ptr<i32>, i32\n      scf.yield %next : !tt.ptr<i32>\n    }\n"));
  h.tensor(std::vector<std::int32_t>(400));
  h.scalar(5);
  h.scalar(7);
  EXPECT_TRUE(do_meet(h, {8, 1, 1}));
  EXPECT_FALSE(said_apart(h, {8, 1, 1}));
}

/// What program p adds to the pointer, in i32.
bool said_of_offset(const std::string& lines, const std::vector<std::uint32_t>& scalars, const GridExtents& grid) {
  Harness h(kernel("%x: !tt.ptr<i32>, %s: i32, %t: i32",
                   "    %p = tt.get_program_id x : i32\n" + lines +
                       "    %at = tt.addptr %x, %o : !tt.ptr<i32>, i32\n    %v = tt.load %at : !tt.ptr<i32>\n"
                       "    tt.store %at, %v : !tt.ptr<i32>\n"));
  h.tensor(std::vector<std::int32_t>(16));
  for (const std::uint32_t scalar : scalars) h.scalar(scalar);
  h.run({1, 1, 1}, 1);
  return said_apart(h, grid);
}

TEST(AccessPlaces, OffsetsThatWrapAreNotSaidToBeApart) {
  const std::string product = "    %o = arith.muli %p, %s : i32\n";  // the fifth program's is the first one's
  EXPECT_TRUE(said_of_offset(product, {1u << 30, 0}, {2, 1, 1}));
  EXPECT_FALSE(said_of_offset(product, {1u << 30, 0}, {5, 1, 1}));
  const std::string sum = "    %b = arith.muli %p, %s : i32\n    %o = arith.addi %b, %b : i32\n";
  EXPECT_TRUE(said_of_offset(sum, {1u << 29, 0}, {2, 1, 1}));
  EXPECT_FALSE(said_of_offset(sum, {1u << 29, 0}, {4, 1, 1}));
  const std::string factor = "    %f = arith.muli %s, %t : i32\n    %o = arith.muli %p, %f : i32\n";  // 2^32: 0
  EXPECT_TRUE(said_of_offset(factor, {1u << 16, 2}, {5, 1, 1}));
  EXPECT_FALSE(said_of_offset(factor, {1u << 16, 1u << 16}, {5, 1, 1}));
}

}  // namespace
}  // namespace lockstep::interpreter::apart
