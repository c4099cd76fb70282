// Kernels that work in place, side by side: undo logs put back what was there however chunks raced; what is final
// stays, what is not is run again in order; the bytes and findings are those of one thread.
#include "interpreter/scheduler/undo.h"

#include <algorithm>
#include <numeric>

#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

std::uint64_t address_of(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

// ---- logs ----

TEST(UndoLog, GivesBackTheBytesFromBeforeTheFirstStore) {
  MemoryBudget budget;
  UndoMemory memory(budget);
  std::vector<char> bytes(100, 'a');
  const auto begin = address_of(bytes.data());
  UndoLog first(memory), second(memory);
  const auto store = [&](UndoLog& log, std::size_t from, std::size_t to, char value) {
    log.keep(begin + from, begin + to);
    log.seal();
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.begin() + static_cast<std::ptrdiff_t>(to),
              value);
  };
  store(second, 10, 60, 'b');
  store(second, 10, 60, 'e');  // the same run: kept already
  store(first, 20, 80, 'c');
  store(second, 30, 70, 'd');
  EXPECT_EQ(second.bytes(), 90u);
  put_back({&first, &second});
  EXPECT_EQ(bytes, std::vector<char>(100, 'a'));
}

TEST(UndoLog, WhatIsNotSealedWasNotOverwritten) {
  MemoryBudget budget;
  UndoMemory memory(budget);
  std::vector<char> bytes(8, 'a');
  UndoLog log(memory);
  log.keep(address_of(bytes.data()), address_of(bytes.data() + 8));
  bytes[3] = 'b';  // by somebody else
  put_back({&log});
  EXPECT_EQ(bytes[3], 'b');
}

TEST(UndoLog, LongRunsGoOverBlocksWhichAreUsedAgain) {
  MemoryBudget budget;
  UndoMemory memory(budget);
  std::vector<int> numbers(3 * UndoMemory::kBlockBytes / sizeof(int) + 5);
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::vector<int> before = numbers;
  for (int round = 0; round < 5; ++round) {
    UndoLog log(memory);
    log.keep(address_of(numbers.data()) + 1, address_of(numbers.data() + numbers.size()));
    log.seal();
    std::fill(numbers.begin() + 1, numbers.end(), -7);
    put_back({&log});
    ASSERT_EQ(numbers, before);
  }
  EXPECT_EQ(memory.in_use(), 0u);
  EXPECT_EQ(budget.used, 4 * UndoMemory::kBlockBytes);
}

TEST(UndoLog, TakesNoMoreThanTheLaunchMayHave) {
  MemoryBudget budget;
  budget.limit = UndoMemory::kBlockBytes + 100;
  UndoMemory memory(budget);
  std::vector<char> bytes(2 * UndoMemory::kBlockBytes);
  UndoLog log(memory);
  EXPECT_THROW(log.keep(address_of(bytes.data()), address_of(bytes.data() + bytes.size())), NoRoomToUndo);
  EXPECT_EQ(budget.used, UndoMemory::kBlockBytes);
}

// ---- launches ----

/// Tile p of 256 numbers, those below %n: stores 3 x + 1 %k elements behind, as often as %loops says.
std::string in_place() {
  const std::string i = "tensor<256xi32>", p = "tensor<256x!tt.ptr<i32>>";
  const auto splat = [&](const std::string& value) { return "tt.splat " + value + " : i32 -> " + i + "\n"; };
  return kernel(
      "%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32, %k: i32, %loops: i32",
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %c256 = arith.constant 256 : i32\n"
      "    %three = arith.constant dense<3> : " +
          i + "\n    %one = arith.constant dense<1> : " + i +
          "\n    %p = tt.get_program_id x : i32\n    %b = arith.muli %p, %c256 : i32\n"
          "    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : " +
          i + "\n    %bs = " + splat("%b") + "    %o = arith.addi %bs, %r : " + i + "\n    %ns = " + splat("%n") +
          "    %ks = " + splat("%k") + "    %m = arith.cmpi slt, %o, %ns : " + i +
          "\n    %xs = tt.splat %x : !tt.ptr<i32> -> " + p + "\n    %ys = tt.splat %y : !tt.ptr<i32> -> " + p +
          "\n    %from = tt.addptr %xs, %o : " + p + ", " + i + "\n    %yp = tt.addptr %ys, %o : " + p + ", " + i +
          "\n    %to = tt.addptr %yp, %ks : " + p + ", " + i +
          "\n    scf.for %j = %c0 to %loops step %c1  : i32 {\n      %v = tt.load %from, %m : " + p +
          "\n      %t = arith.muli %v, %three : " + i + "\n      %w = arith.addi %t, %one : " + i +
          "\n      tt.store %to, %w, %m : " + p + "\n    }\n");
}

struct Left {
  std::vector<std::int32_t> bytes;
  LaunchReport report;
};

/// `behind`: what of the tensor the stores' view leaves out.
Left run_in_place(unsigned threads, std::int64_t tiles, std::uint32_t k, std::uint32_t loops, std::int64_t behind = 0,
                  const RunRequest& options = {}, std::uint64_t memory = 0) {
  Harness h(in_place());
  h.options = options;
  h.limits.max_memory_bytes = memory;
  const std::int64_t count = tiles * 256;
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(count + 1024));
  std::iota(numbers.begin(), numbers.end(), 5);
  const std::size_t x = h.tensor(numbers);
  h.window(x, 0, {count + 1024 - behind}, {1});
  h.scalar(static_cast<std::uint32_t>(count - 100));
  h.scalar(k);
  h.scalar(loops);
  Left left;
  left.report = h.run({tiles, 1, 1}, threads);
  left.bytes = h.values<std::int32_t>(x);
  return left;
}

TEST(InPlace, ProgramsThatAreApartRunSideBySide) {
  const Left plain = run_in_place(1, 8192, 0, 3);
  for (const unsigned threads : {2u, 7u}) {
    const Left left = run_in_place(threads, 8192, 0, 3);
    EXPECT_EQ(left.bytes, plain.bytes) << threads;
    EXPECT_EQ(left.report.bytes_written, plain.report.bytes_written);
    EXPECT_EQ(left.report.threads, threads);  // not run again in order
    EXPECT_EQ(left.report.finished, plain.report.finished);
  }
}

TEST(InPlace, RacingProgramsLeaveTheBytesOfProgramOrder) {
  for (const std::uint32_t k : {1u, 128u, 255u, 256u, 700u}) {
    const Left plain = run_in_place(1, 3000, k, 4);
    for (const unsigned threads : {2u, 7u, 7u}) {
      const Left left = run_in_place(threads, 3000, k, 4);
      ASSERT_EQ(left.bytes, plain.bytes) << k << ' ' << threads;
      EXPECT_EQ(left.report.bytes_read, plain.report.bytes_read) << k;
      EXPECT_EQ(left.report.programs_run, 3000u);
    }
  }
}

/// Program p loads the left and the right half of eight rows of a matrix with 32 columns, and stores 3 x + 1 to the left
/// halves and then to the right ones, %k elements behind: rows with gaps, which are filled later.
std::string halves_in_place() {
  const std::string i = "tensor<8x16xi32>", p = "tensor<8x16x!tt.ptr<i32>>";
  const std::string rows = "tensor<8xi32>", columns = "tensor<16xi32>", tall = "tensor<8x1xi32>", wide = "tensor<1x16xi32>";
  const auto half = [&](const std::string& name) {
    return "      %v" + name + " = tt.load %from" + name + " : " + p + "\n";
  };
  const auto stored = [&](const std::string& name) {
    return "      %t" + name + " = arith.muli %v" + name + ", %three : " + i + "\n      %w" + name + " = arith.addi %t" +
           name + ", %one : " + i + "\n      tt.store %to" + name + ", %w" + name + " : " + p + "\n";
  };
  const auto places = [&](const std::string& name, const std::string& offsets) {
    return "    %from" + name + " = tt.addptr %xs, " + offsets + " : " + p + ", " + i + "\n    %to" + name +
           " = tt.addptr %from" + name + ", %ks : " + p + ", " + i + "\n";
  };
  return kernel(
      "%x: !tt.ptr<i32>, %k: i32, %loops: i32",
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %c256 = arith.constant 256 : i32\n"
      "    %three = arith.constant dense<3> : " +
          i + "\n    %one = arith.constant dense<1> : " + i + "\n    %sixteen = arith.constant dense<16> : " + i +
          "\n    %pitch = arith.constant dense<32> : " + tall +
          "\n    %p = tt.get_program_id x : i32\n    %b = arith.muli %p, %c256 : i32\n"
          "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : " +
          rows + "\n    %c = tt.make_range {end = 16 : i32, start = 0 : i32} : " + columns +
          "\n    %rt = tt.expand_dims %r {axis = 1 : i32} : " + rows + " -> " + tall +
          "\n    %cw = tt.expand_dims %c {axis = 0 : i32} : " + columns + " -> " + wide +
          "\n    %rp = arith.muli %rt, %pitch : " + tall + "\n    %rs = tt.broadcast %rp : " + tall + " -> " + i +
          "\n    %cs = tt.broadcast %cw : " + wide + " -> " + i + "\n    %rc = arith.addi %rs, %cs : " + i +
          "\n    %bs = tt.splat %b : i32 -> " + i + "\n    %left = arith.addi %bs, %rc : " + i +
          "\n    %right = arith.addi %left, %sixteen : " + i + "\n    %ks = tt.splat %k : i32 -> " + i +
          "\n    %xs = tt.splat %x : !tt.ptr<i32> -> " + p + "\n" + places("L", "%left") + places("R", "%right") +
          "    scf.for %j = %c0 to %loops step %c1  : i32 {\n" + half("L") + half("R") + stored("L") + stored("R") +
          "    }\n");
}

TEST(InPlace, HalvesOfRowsThatRaceAreTakenBack) {
  const auto run = [](unsigned threads, std::uint32_t k) {
    constexpr std::int64_t kPrograms = 3000;
    Harness h(halves_in_place());
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(kPrograms * 256 + 1024));
    std::iota(numbers.begin(), numbers.end(), 5);
    const std::size_t x = h.tensor(numbers);
    h.scalar(k);
    h.scalar(4);
    Left left;
    left.report = h.run({kPrograms, 1, 1}, threads);
    left.bytes = h.values<std::int32_t>(x);
    return left;
  };
  for (const std::uint32_t k : {0u, 16u, 17u, 96u, 240u, 256u, 500u}) {
    const Left plain = run(1, k);
    for (const unsigned threads : {2u, 7u, 7u}) {
      const Left left = run(threads, k);
      ASSERT_EQ(left.bytes, plain.bytes) << k << ' ' << threads;
      EXPECT_EQ(left.report.bytes_written, plain.report.bytes_written);
      EXPECT_EQ(left.report.programs_run, 3000u);
      if (k == 0) {
        EXPECT_EQ(left.report.threads, threads) << "not run again in order";
      }
    }
  }
}

/// Chunks that were taken back leave nothing in the report, and final ones all of theirs.
TEST(InPlace, WhatWasTouchedIsThatOfOneThread) {
  const auto touched = [](unsigned threads, std::uint32_t k) {
    RunRequest options;
    options.touches = AccessTracking::programs;
    const Left left = run_in_place(threads, 3000, k, 3, 0, options);
    std::vector<std::array<std::uint64_t, 4>> made;
    if (left.report.touched == nullptr) return made;
    for (const LoggedRange& one : *left.report.touched)
      made.push_back({one.begin - left.report.touched->front().begin, one.end - one.begin, one.chunk,
                      one.is_write ? std::uint64_t{1} : 0});
    std::sort(made.begin(), made.end());
    return made;
  };
  for (const std::uint32_t k : {0u, 256u, 700u}) {
    const auto plain = touched(1, k);
    EXPECT_FALSE(plain.empty());
    for (const unsigned threads : {2u, 7u}) EXPECT_EQ(touched(threads, k), plain) << k << ' ' << threads;
  }
}

/// The last program's stores leave its view: counted once each, in the chunks that were final and in those run again.
TEST(InPlace, FindingsAreThoseOfOneThread) {
  for (const std::uint32_t k : {0u, 256u}) {
    const Left plain = run_in_place(1, 3000, k, 2, 500000);
    ASSERT_EQ(plain.report.findings.findings().size(), 1u);
    const Finding& wanted = plain.report.findings.findings()[0];
    EXPECT_GT(wanted.programs, 500u);
    for (const unsigned threads : {2u, 7u}) {
      const Left left = run_in_place(threads, 3000, k, 2, 500000);
      EXPECT_EQ(left.bytes, plain.bytes);
      ASSERT_EQ(left.report.findings.findings().size(), 1u);
      const Finding& finding = left.report.findings.findings()[0];
      EXPECT_EQ(finding.message, wanted.message);
      EXPECT_EQ(finding.program, wanted.program);
      EXPECT_EQ(finding.count, wanted.count);
      EXPECT_EQ(finding.programs, wanted.programs);
      EXPECT_EQ(left.report.finished, plain.report.finished);
    }
  }
}

TEST(InPlace, RollbackPutsBackWhatWasBeforeTheLaunch) {
  RunRequest options;
  options.rollback = true;
  std::vector<std::int32_t> numbers(3000 * 256 + 1024);
  std::iota(numbers.begin(), numbers.end(), 5);
  for (const std::uint32_t k : {0u, 256u}) {
    const Left left = run_in_place(7, 3000, k, 2, 500000, options);
    EXPECT_TRUE(left.report.rolled_back);
    EXPECT_EQ(left.bytes, numbers) << k;
  }
}

TEST(InPlace, WithoutMemoryToUndoItRunsInOrder) {
  const Left plain = run_in_place(1, 3000, 128, 2);
  const Left left = run_in_place(7, 3000, 128, 2, 0, {}, 200000);
  EXPECT_EQ(left.report.outcome, interpreter::Outcome::completed);
  EXPECT_EQ(left.report.threads, 1u);
  EXPECT_EQ(left.bytes, plain.bytes);
}

TEST(InPlace, MemoryThatIsEnoughForOneThreadIsEnoughForSeven) {
  const Left plain = run_in_place(1, 3000, 128, 2);
  for (std::uint64_t limit = 10000; limit < 600000; limit += limit / 3) {
    const Left alone = run_in_place(1, 3000, 128, 2, 0, {}, limit), left = run_in_place(7, 3000, 128, 2, 0, {}, limit);
    EXPECT_EQ(left.report.outcome, alone.report.outcome) << limit;
    if (left.report.outcome == interpreter::Outcome::completed) {
      EXPECT_EQ(left.bytes, plain.bytes) << limit;
    }
  }
}

/// x[p + 1] = p + 1 where x[p] is p, and y[x[p]] = 1: who reads too early marks a place that program order never does.
TEST(InPlace, StoresToPlacesThatARaceChoseAreTakenBack) {
  const std::string text =
      kernel("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>",
             "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %c99 = arith.constant 99 : i32\n"
             "    %p = tt.get_program_id x : i32\n    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n"
             "    %u = scf.for %j = %c0 to %c99 step %c1 iter_args(%i = %c0) -> (i32)  : i32 {\n"
             "      %v = tt.load %a : !tt.ptr<i32>\n      scf.yield %v : i32\n    }\n"
             "    %to = tt.addptr %y, %u : !tt.ptr<i32>, i32\n    tt.store %to, %c1 : !tt.ptr<i32>\n"
             "    %w = arith.addi %p, %c1 : i32\n    %b = tt.addptr %a, %c1 : !tt.ptr<i32>, i32\n"
             "    tt.store %b, %w : !tt.ptr<i32>\n");
  constexpr int kPrograms = 6000;
  for (const unsigned threads : {1u, 2u, 7u}) {
    Harness h(text);
    std::vector<std::int32_t> x(kPrograms + 1, 0), expected(2 * kPrograms, 0);
    for (int i = 1; i <= kPrograms; ++i) x[static_cast<std::size_t>(i)] = kPrograms + i - 1;
    std::fill_n(expected.begin(), kPrograms, 1);
    h.tensor(x);
    h.tensor(std::vector<std::int32_t>(2 * kPrograms));
    EXPECT_EQ(h.run({kPrograms, 1, 1}, threads).outcome, interpreter::Outcome::completed);
    EXPECT_EQ(h.values<std::int32_t>(1), expected) << threads;
  }
}

TEST(InPlace, LargeStoragesRunSideBySide) {
  Harness h(in_place());
  const auto storage = h.memory().allocate("large", std::uint64_t{300} << 20);
  ASSERT_TRUE(storage);
  const auto view = h.memory().add_view(*storage, "x", ScalarKind::i32, 0, {75 << 20}, {1});
  h.argument(*view);
  h.argument(*view);
  h.scalar(1 << 20);
  h.scalar(0);
  h.scalar(2);
  const LaunchReport report = h.run({4096, 1, 1}, 2);
  EXPECT_EQ(report.threads, 2u);
  EXPECT_LT(report.scratch_bytes, 80u << 20);
  EXPECT_EQ(*reinterpret_cast<const std::int32_t*>(h.address(1) + 4 * ((1 << 20) - 1)), 4);
}

}  // namespace
}  // namespace lockstep::interpreter
