// Scans that are computed before their programs' turns: the same bytes, counts and findings as in their turns, and that
// they were computed before where they should be, and not where they must not.
#include <algorithm>
#include <functional>
#include <limits>

#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

using GridSize = std::array<std::int64_t, 3>;
using Setup = std::function<void(Harness&)>;

/// What changes between the kernels: a program adds the sum of all programs before it to the scan of its 64 values.
struct LookBack {
  std::string value = "    %v = tt.load %px, %inside, %zeros : tensor<64x!tt.ptr<f32>>\n";
  std::string element = "f32", operation = "arith.addf", reverse = "false", between;
  bool scans_before_waiting = false, waits_for_next = false;

  std::string fold(const std::string& name, const std::string& op, const std::string& more, const std::string& end,
                   const std::string& result) const {
    return "    %" + name + " = \"" + op + "\"(%v) <{axis = 0 : i32" + more + "}> ({\n    ^bb0(%a: " + element + ", %b: " +
           element + "):\n      %r = " + operation + " %a, %b : " + element + "\n      " + end + " %r : " + element +
           "\n    }) : (tensor<64x" + element + ">) -> " + result + "\n";
  }
  std::string pointers(const std::string& name, const std::string& base) const {
    const std::string type = "tensor<64x!tt.ptr<" + element + ">>";
    return "    %s" + name + " = tt.splat %" + base + " : !tt.ptr<" + element + "> -> " + type + "\n    %" + name +
           " = tt.addptr %s" + name + ", %index : " + type + ", tensor<64xi32>\n";
  }

  std::string text() const {
    const std::string scalar = "!tt.ptr<" + element + ">", neighbour = waits_for_next ? "addi" : "subi";
    const std::string scan = fold("scan", "tt.scan", ", reverse = " + reverse, "tt.scan.return", "tensor<64x" + element + ">");
    const std::string add = element == "f32" ? "arith.addf" : "arith.addi";
    return kernel(
        "%x: " + scalar + ", %out: " + scalar + ", %sums: " + scalar + ", %flags: !tt.ptr<i32>, %n: i32, %last: i32",
        "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %true = arith.constant true\n"
        "    %zero = arith.constant 0" + std::string(element == "f32" ? ".0" : "") + " : " + element + "\n"
        "    %zeros = tt.splat %zero : " + element + " -> tensor<64x" + element + ">\n"
        "    %c64 = arith.constant 64 : i32\n    %p = tt.get_program_id x : i32\n"
        "    %start = arith.muli %p, %c64 : i32\n"
        "    %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
        "    %starts = tt.splat %start : i32 -> tensor<64xi32>\n"
        "    %index = arith.addi %starts, %lane : tensor<64xi32>\n"
        "    %ns = tt.splat %n : i32 -> tensor<64xi32>\n"
        "    %inside = arith.cmpi slt, %index, %ns : tensor<64xi32>\n" +
            pointers("px", "x") + value + (scans_before_waiting ? scan : "") +
            "    %waits = arith.cmpi ne, %p, %" + (waits_for_next ? "last" : "c0") + " : i32\n"
            "    %before = scf.if %waits -> (" + element + ") {\n"
            "      %other = arith." + neighbour + " %p, %c1 : i32\n"
            "      %flag = tt.addptr %flags, %other : !tt.ptr<i32>, i32\n"
            "      %w = scf.while (%a = %c0) : (i32) -> i32 {\n"
            "        %old = tt.atomic_rmw add, acquire, gpu, %flag, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32\n"
            "        %go = arith.cmpi eq, %old, %c0 : i32\n        scf.condition(%go) %old : i32\n"
            "      } do {\n      ^bb0(%b: i32):\n        scf.yield %b : i32\n      }\n"
            "      %their = tt.addptr %sums, %other : " + scalar + ", i32\n"
            "      %sum = tt.load %their {isVolatile = true} : " + scalar + "\n      scf.yield %sum : " + element + "\n"
            "    } else {\n      scf.yield %zero : " + element + "\n    }\n" +
            fold("own", "tt.reduce", "", "tt.reduce.return", element) + "    %whole = " + add + " %before, %own : " + element +
            "\n    %mine = tt.addptr %sums, %p : " + scalar + ", i32\n    tt.store %mine, %whole : " + scalar + "\n"
            "    %done = tt.addptr %flags, %p : !tt.ptr<i32>, i32\n"
            "    %e = tt.atomic_rmw exch, release, gpu, %done, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32\n" +
            between + (scans_before_waiting ? "" : scan) + "    %befores = tt.splat %before : " + element + " -> tensor<64x" +
            element + ">\n    %all = " + add + " %befores, %scan : tensor<64x" + element + ">\n" + pointers("po", "out") +
            "    tt.store %po, %all, %inside : tensor<64x!tt.ptr<" + element + ">>\n");
  }
};

std::vector<float> mixed_floats(std::size_t n) {
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(static_cast<int>(i * 7919 % 1009) - 500) * 0.37F;
  return out;
}

template <typename T>
Setup look_back_fill(std::vector<T> x, std::int64_t programs, std::size_t n) {
  return [=](Harness& h) {
    const auto count = static_cast<std::size_t>(programs);
    h.tensor(x);
    h.tensor(std::vector<T>(count * 64));
    h.tensor(std::vector<T>(count));
    h.tensor(std::vector<std::int32_t>(count));
    h.scalar(n);
    h.scalar(count - 1);
  };
}
Setup look_back_floats(std::int64_t programs) {
  const auto n = static_cast<std::size_t>(programs) * 64;
  return look_back_fill(mixed_floats(n), programs, n);
}

struct AheadAnswer {
  std::vector<std::vector<std::int8_t>> memory;
  std::string findings;
  LaunchReport report;
};

AheadAnswer answer_with(const std::string& text, const Setup& setup, const GridSize& grid, const Tuning& tuning) {
  Harness h(text);
  h.tuning = tuning;
  setup(h);
  AheadAnswer answer;
  answer.report = h.run(grid, 2);
  for (std::size_t i = 0; i < h.tensors(); ++i) answer.memory.push_back(h.values<std::int8_t>(i));
  for (const Finding& finding : answer.report.findings.findings()) answer.findings += render_text(finding);
  return answer;
}

/// Compares with programs that compute everything in their turns. Returns how often programs ran ahead at most.
std::uint64_t expect_same_ahead(const std::string& text, const Setup& setup, const GridSize& grid) {
  Tuning single;
  single.batch_programs = 1;
  const AheadAnswer wanted = answer_with(text, setup, grid, single);
  EXPECT_EQ(wanted.report.ahead, 0u);
  std::uint64_t most = 0;
  for (const std::int64_t programs : {2, 3, 16, 64}) {
    SCOPED_TRACE("batch=" + std::to_string(programs));
    Tuning tuning;
    tuning.batch_programs = programs;
    if (programs == 3) tuning.strip_elements = 16;
    const AheadAnswer answer = answer_with(text, setup, grid, tuning);
    EXPECT_EQ(answer.memory, wanted.memory);
    EXPECT_EQ(answer.findings, wanted.findings);
    EXPECT_EQ(answer.report.outcome, wanted.report.outcome);
    EXPECT_EQ(answer.report.finished, wanted.report.finished);
    EXPECT_EQ(answer.report.programs_run, wanted.report.programs_run);
    EXPECT_EQ(answer.report.bytes_read, wanted.report.bytes_read);
    EXPECT_EQ(answer.report.bytes_written, wanted.report.bytes_written);
    most = std::max(most, answer.report.ahead);
  }
  return most;
}

TEST(Ahead, LookBack) {
  EXPECT_EQ(expect_same_ahead(LookBack().text(), look_back_floats(64), {64, 1, 1}), 32u);
  LookBack backwards;
  backwards.reverse = "true";
  EXPECT_EQ(expect_same_ahead(backwards.text(), look_back_floats(64), {64, 1, 1}), 32u);
}

TEST(Ahead, WhatItStores) {
  Harness h(LookBack().text());
  const std::vector<float> x = mixed_floats(64 * 48);
  look_back_fill(x, 48, x.size())(h);
  EXPECT_EQ(h.run({48, 1, 1}).ahead, 3u);
  const auto out = h.values<float>(1), sums = h.values<float>(2);
  for (std::size_t p = 0; p < 48; ++p) {
    float scan = 0;
    for (std::size_t i = 64 * p; i < 64 * (p + 1); ++i) {
      scan = i == 64 * p ? x[i] : scan + x[i];
      EXPECT_EQ(out[i], (p == 0 ? 0 : sums[p - 1]) + scan) << i;
    }
  }
}

TEST(Ahead, NansInfinitiesAndZeros) {
  std::vector<float> x = mixed_floats(64 * 32);
  x[5] = -0.0F, x[64] = -0.0F, x[65] = -0.0F, x[300] = std::numeric_limits<float>::infinity();
  x[310] = -x[300], x[700] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_GT(expect_same_ahead(LookBack().text(), look_back_fill(x, 32, x.size()), {32, 1, 1}), 0u);
}

TEST(Ahead, LastProgramsAndTails) {
  const std::vector<float> x = mixed_floats(64 * 37);
  EXPECT_GT(expect_same_ahead(LookBack().text(), look_back_fill(x, 37, 64 * 36 + 13), {37, 1, 1}), 0u);
}

TEST(Ahead, Integers) {
  LookBack integers;
  integers.element = "i32";
  integers.operation = "arith.addi";
  integers.value = "    %v = tt.load %px, %inside, %zeros : tensor<64x!tt.ptr<i32>>\n";
  std::vector<std::int32_t> x(64 * 32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i * 2654435761U);
  EXPECT_GT(expect_same_ahead(integers.text(), look_back_fill(x, 32, x.size()), {32, 1, 1}), 0u);
}

// Each program waits for the next one: all have started before the first continues, and what was computed ahead is gone.
TEST(Ahead, WaitingForLaterPrograms) {
  LookBack look_ahead;
  look_ahead.waits_for_next = true;
  EXPECT_GT(expect_same_ahead(look_ahead.text(), look_back_floats(48), {48, 1, 1}), 0u);
  look_ahead.scans_before_waiting = true;
  EXPECT_GT(expect_same_ahead(look_ahead.text(), look_back_floats(48), {48, 1, 1}), 0u);
}

TEST(Ahead, OutOfBoundsIsFoundInItsTurn) {
  const std::vector<float> x = mixed_floats(64 * 40 + 10);
  EXPECT_GT(expect_same_ahead(LookBack().text(), look_back_fill(x, 48, 64 * 48), {48, 1, 1}), 0u);
}

TEST(Ahead, LittleMayLieBetween) {
  LookBack scaled;
  scaled.value += "    %two = arith.addf %v, %v : tensor<64xf32>\n";
  std::string text = scaled.text();
  for (std::size_t at = text.find("\"(%v)"); at != std::string::npos; at = text.find("\"(%v)")) text.replace(at, 5, "\"(%two)");
  EXPECT_GT(expect_same_ahead(text, look_back_floats(32), {32, 1, 1}), 0u);
  const std::string one = "    %two = arith.addf %v, %v : tensor<64xf32>\n";
  text.replace(text.find(one), one.size(),
               "    %v1 = arith.addf %v, %v : tensor<64xf32>\n    %v2 = arith.addf %v1, %v1 : tensor<64xf32>\n"
               "    %two = arith.addf %v2, %v2 : tensor<64xf32>\n");
  EXPECT_EQ(expect_same_ahead(text, look_back_floats(32), {32, 1, 1}), 0u);
}

TEST(Ahead, NotWhatTheKernelWrites) {
  const auto in_place = [](Harness& h) {
    const std::size_t x = h.tensor(mixed_floats(64 * 32));
    h.window(x, 0, {64 * 32}, {1});
    h.tensor(std::vector<float>(32));
    h.tensor(std::vector<std::int32_t>(32));
    h.scalar(64 * 32);
    h.scalar(31);
  };
  EXPECT_EQ(expect_same_ahead(LookBack().text(), in_place, {32, 1, 1}), 0u);
  LookBack changing;  // the program before stores to what the next one scans
  changing.value = "    %v = tt.load %px, %inside, %zeros {isVolatile = true} : tensor<64x!tt.ptr<f32>>\n";
  EXPECT_EQ(expect_same_ahead(changing.text(), look_back_floats(32), {32, 1, 1}), 0u);
}

TEST(Ahead, NotInOtherOrdersOrForSomePrograms) {
  const std::string text = LookBack().text();
  for (const bool is_mixed : {false, true}) {
    Harness h(text);
    look_back_floats(32)(h);
    if (is_mixed) h.options.schedule = 7;
    if (!is_mixed) h.limits.max_steps_per_program = 1 << 20;
    const LaunchReport report = h.run({32, 1, 1});
    EXPECT_EQ(report.outcome, Outcome::completed);
    EXPECT_EQ(report.ahead, 0u);
  }
}

TEST(Ahead, RowsOfAGridAndSmallGrids) {
  EXPECT_EQ(expect_same_ahead(LookBack().text(), look_back_floats(1), {1, 1, 1}), 0u);
  EXPECT_GT(expect_same_ahead(LookBack().text(), look_back_floats(5), {5, 1, 1}), 0u);
}

TEST(Ahead, ProfiledLaunch) {
  Harness h(LookBack().text());
  look_back_floats(32)(h);
  h.options.profiling.is_on = true;
  const LaunchReport report = h.run({32, 1, 1});
  EXPECT_EQ(report.ahead, 2u);
  EXPECT_NE(report.profile, nullptr);
}

}  // namespace
}  // namespace lockstep::interpreter
