// What launches have shown of a kernel: the same for any number of threads, with and without checkers; loops count by
// whether they went round, masks by their lanes.
#include "findings/code_coverage.h"

#include "sanitizer/core/checked_kernel.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::sanitizer {
namespace {

using interpreter::Harness;
using interpreter::kernel;

CodeCoverage code_coverage_of(Harness& harness, std::int64_t programs, unsigned threads = 2, std::uint32_t checkers = 0) {
  CodeCoverage coverage;
  DiagnosticSink sink;
  interpreter::LaunchRequest request;
  static_cast<interpreter::RunRequest&>(request) = harness.request({programs, 1, 1}, threads);
  request.module = &harness.module();
  request.function = harness.module().kernels().at(0);
  CheckOptions options;
  options.checkers = checkers;
  EXPECT_TRUE(launch_checked(request, options, sink, &coverage).has_value()) << render_text(sink);
  return coverage;
}

std::string sides_text(const std::map<CodePlace, CodeSides>& sides) {
  std::string text;
  for (const auto& [place, one] : sides)
    text += (text.empty() ? "" : ", ") + one.kind + (one.first ? " 1" : " 0") + (one.second ? "1" : "0");
  return text;
}

std::string missed_lines(const CodeCoverage& coverage) {
  std::string text;
  for (const auto& [place, ran] : coverage.lines) {
    if (!ran) text += (text.empty() ? "" : ",") + std::to_string(place.line);
  }
  return text;
}

/// x[p] = 1 where p > %n.
std::string if_kernel() {
  return kernel("%x: !tt.ptr<i32>, %n: i32",
                "    %one = arith.constant 1 : i32\n    %p = tt.get_program_id x : i32\n"
                "    %c = arith.cmpi sgt, %p, %n : i32\n    scf.if %c {\n"  // lines 5 and 6
                "      %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n      tt.store %a, %one : !tt.ptr<i32>\n    }\n");
}

TEST(CodeCoverage, SaysWhichWaysOfABranchWereTaken) {
  Harness harness(if_kernel());
  harness.tensor(std::vector<std::int32_t>(64));
  harness.scalar(99);
  const CodeCoverage never = code_coverage_of(harness, 64);
  EXPECT_EQ(sides_text(never.branches), "if 01");
  EXPECT_EQ(missed_lines(never), "7,8");
  harness.set_scalar(1, 3);
  const CodeCoverage both = code_coverage_of(harness, 64);
  EXPECT_EQ(sides_text(both.branches), "if 11");
  EXPECT_EQ(missed_lines(both), "");
}

TEST(CodeCoverage, IsTheSameForAnyThreadsAndCheckers) {
  Harness harness(if_kernel());
  harness.tensor(std::vector<std::int32_t>(64));
  harness.scalar(62);
  const std::string expected = code_coverage_json(code_coverage_of(harness, 64, 1));
  EXPECT_NE(expected.find("\"taken\": true, \"not_taken\": true"), std::string::npos) << expected;
  for (const unsigned threads : {2u, 7u}) EXPECT_EQ(code_coverage_json(code_coverage_of(harness, 64, threads)), expected);
  EXPECT_EQ(code_coverage_json(code_coverage_of(harness, 64, 2, quick_checkers())), expected);
  EXPECT_EQ(code_coverage_json(code_coverage_of(harness, 64, 2, ~0u)), expected);
}

/// x[p + 1] = x[p] + 1, and y[0] = 1 where x[p] is not p: programs in grid order never do that, side by side they may.
TEST(CodeCoverage, ForgetsWhatProgramsDidThatRanAgain) {
  Harness harness(kernel("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>",
                         "    %one = arith.constant 1 : i32\n    %p = tt.get_program_id x : i32\n"
                         "    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n    %v = tt.load %a : !tt.ptr<i32>\n"
                         "    %w = arith.addi %v, %one : i32\n    %b = tt.addptr %a, %one : !tt.ptr<i32>, i32\n"
                         "    tt.store %b, %w : !tt.ptr<i32>\n    %c = arith.cmpi ne, %v, %p : i32\n"
                         "    scf.if %c {\n      tt.store %y, %one : !tt.ptr<i32>\n    }\n"));
  harness.tensor(std::vector<std::int32_t>(4097));
  harness.tensor(std::vector<std::int32_t>(1));
  for (int i = 0; i < 4; ++i) {
    std::memset(reinterpret_cast<void*>(harness.address(0)), 0, 4 * 4097);
    EXPECT_EQ(sides_text(code_coverage_of(harness, 4096, 8).branches), "if 01");
  }
}

/// Counts a for loop and a while loop of %n iterations down.
std::string loops_kernel() {
  return kernel("%x: !tt.ptr<i32>, %n: i32",
                "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
                "    %s = scf.for %i = %c0 to %n step %c1 iter_args(%w = %c0) -> (i32)  : i32 {\n"
                "      %o = arith.addi %w, %i : i32\n      scf.yield %o : i32\n    }\n"
                "    %r = scf.while (%l = %n) : (i32) -> i32 {\n"
                "      %c = arith.cmpi sgt, %l, %c0 : i32\n      scf.condition(%c) %l : i32\n    } do {\n"
                "    ^bb0(%l: i32):\n      %m = arith.subi %l, %c1 : i32\n      scf.yield %m : i32\n    }\n"
                "    %t = arith.addi %s, %r : i32\n    tt.store %x, %t : !tt.ptr<i32>\n");
}

TEST(CodeCoverage, TellsLoopsThatGoRoundFromThoseThatDoNot) {
  Harness harness(loops_kernel());
  harness.tensor(std::vector<std::int32_t>(1));
  harness.scalar(3);
  EXPECT_EQ(sides_text(code_coverage_of(harness, 1).branches), "for 10, while 10");
  harness.set_scalar(1, 0);
  const CodeCoverage none = code_coverage_of(harness, 1);
  EXPECT_EQ(sides_text(none.branches), "for 01, while 01");
  EXPECT_EQ(missed_lines(none), "6,7,14,15");
}

TEST(CodeCoverage, LooksAtTheLanesOfMasks) {
  Harness harness(
      kernel("%x: !tt.ptr<i32>, %n: i32",
             "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
             "    %p = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n"
             "    %a = tt.addptr %p, %r : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n"
             "    %l = tt.splat %n : i32 -> tensor<8xi32>\n    %m = arith.cmpi slt, %r, %l : tensor<8xi32>\n"
             "    %v = tt.load %a, %m : tensor<8x!tt.ptr<i32>>\n"  // the mask is a box
             "    %d = arith.cmpi slt, %v, %l : tensor<8xi32>\n"   // and dense
             "    tt.store %a, %v, %d : tensor<8x!tt.ptr<i32>>\n"));
  harness.tensor(std::vector<std::int32_t>{0, 0, 0, 0, 0, 0, 0, 8});
  harness.scalar(8);
  EXPECT_EQ(sides_text(code_coverage_of(harness, 1).masks), "load 10, store 11");
  harness.set_scalar(1, 5);
  EXPECT_EQ(sides_text(code_coverage_of(harness, 1).masks), "load 11, store 10");
  harness.set_scalar(1, 0);
  EXPECT_EQ(sides_text(code_coverage_of(harness, 1).masks), "load 01, store 01");
}

TEST(CodeCoverage, UnionsAndNamesWhatIsMissing) {
  std::map<CodePlace, CodeSides> sides;
  add_sides(sides, {"k.py", 3, 4}, {"if", true, false});
  EXPECT_EQ(missing_side(sides.begin()->second), "never false");
  add_sides(sides, {"k.py", 3, 4}, {"if", false, true});
  EXPECT_EQ(missing_side(sides.begin()->second), "");
  EXPECT_EQ(missing_side({"for", true, false}), "never without an iteration");
  EXPECT_EQ(missing_side({"load", true, false}), "mask never off");
  EXPECT_EQ(missing_side({"store", false, false}), "never reached");
}

}  // namespace
}  // namespace lockstep::sanitizer
