// Which kernels start their longest programs first, and that each program still runs once.
#include "backend_cuda/layout/program_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "backend_cuda/emit/emit_module.h"
#include "dialects/registry.h"
#include "ir/text/parser.h"

namespace lockstep::backend_cuda {
namespace {

/// A loop from `first` to `last` after `before`, with `inside` in its body; %x, %y and %z are the program's numbers.
std::string kernel_text(const std::string& before, const std::string& first, const std::string& last, const std::string& inside = "") {
  return R"(module {
  tt.func public @k(%out: !tt.ptr<i32>, %n: i32) {
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %z = tt.get_program_id z : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %yes = arith.constant true
    )" + before + R"(
    %total = scf.for %i = )" + first + " to " + last + R"( step %c64 iter_args(%sum = %c0) -> (i32) : i32 {
      )" + inside + R"(
      %next = arith.addi %sum, %i : i32
      scf.yield %next : i32
    }
    %at = tt.addptr %out, %x : !tt.ptr<i32>, i32
    tt.store %at, %total : !tt.ptr<i32>
    tt.return
  }
})";
}

ir::Module parsed(const std::string& text) {
  DiagnosticSink sink;
  auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("order.ttir", text), sink);
  EXPECT_TRUE(module.has_value()) << render_text(sink) << text;
  return std::move(*module);
}

std::optional<std::size_t> axis_of(const std::string& text) {
  const ir::Module module = parsed(text);
  return axis_of_longer_programs(*module.kernels().front());
}

constexpr const char* kUpToX = "%end = arith.muli %x, %c64 : i32";

TEST(ProgramOrder, ALoopUpToTheProgramsRowsIsLonger) {
  EXPECT_EQ(axis_of(kernel_text(kUpToX, "%c0", "%end")), 0u);
  EXPECT_EQ(axis_of(kernel_text("%end = arith.muli %c64, %y : i32", "%c0", "%end")), 1u);
  EXPECT_EQ(axis_of(kernel_text("%a = arith.addi %z, %c1 : i32\n%b = arith.muli %a, %c64 : i32\n%end = arith.minsi %b, %n : i32", "%c0", "%end")), 2u);
  EXPECT_EQ(axis_of(kernel_text("%a = arith.addi %x, %n : i32\n%end = arith.divsi %a, %c64 : i32", "%c0", "%end")), 0u);
  EXPECT_EQ(axis_of(kernel_text("%begin = arith.subi %n, %x : i32", "%begin", "%n")), 0u);
}

TEST(ProgramOrder, OtherLoopsSayNothing) {
  EXPECT_EQ(axis_of(kernel_text("", "%c0", "%n")), std::nullopt);
  EXPECT_EQ(axis_of(kernel_text("", "%x", "%n")), std::nullopt);                                        // shorter
  EXPECT_EQ(axis_of(kernel_text("%end = arith.addi %x, %c64 : i32", "%x", "%end")), std::nullopt);      // moves along
  EXPECT_EQ(axis_of(kernel_text("%end = arith.muli %x, %n : i32", "%c0", "%end")), std::nullopt);       // n may be negative
  EXPECT_EQ(axis_of(kernel_text("%end = arith.remsi %x, %c64 : i32", "%c0", "%end")), std::nullopt);
  EXPECT_EQ(axis_of(kernel_text("%end = arith.subi %x, %y : i32", "%c0", "%end")), 0u);  // along y it falls
  EXPECT_EQ(axis_of(kernel_text("%a = tt.load %out : !tt.ptr<i32>\n%end = arith.addi %a, %x : i32", "%c0", "%end")), std::nullopt);
}

TEST(ProgramOrder, ProgramsThatMayWaitKeepTheirOrder) {
  for (const char* inside : {"%old = tt.atomic_rmw add, acq_rel, gpu, %out, %i, %yes : (!tt.ptr<i32>, i32, i1) -> i32",
                             "%seen = tt.load %out {isVolatile = true} : !tt.ptr<i32>",
                             "tt.print \" i \" {hex = false, isSigned = array<i32: 1>} : %i : i32"}) {
    EXPECT_EQ(axis_of(kernel_text(kUpToX, "%c0", "%end", inside)), std::nullopt) << inside;
  }
  EXPECT_EQ(axis_of(kernel_text(kUpToX, "%c0", "%end", "%seen = tt.load %out : !tt.ptr<i32>")), 0u);
}

/// What longest_first_text says, for a grid of x*y blocks and groups of 16.
std::tuple<unsigned, unsigned> program(unsigned block_x, unsigned block_y, unsigned x, unsigned y, std::size_t axis) {
  const unsigned programs = axis == 0 ? x : y, rows = axis == 0 ? y : x, number = block_x + x * block_y;
  const unsigned first = number / (16 * programs) * 16, together = std::min(16u, rows - first), within = number - first * programs;
  const unsigned own = programs - 1 - within / together, other = first + within % together;
  return axis == 0 ? std::tuple(own, other) : std::tuple(other, own);
}

TEST(ProgramOrder, EachProgramRunsOnce) {
  for (const std::size_t axis : {0u, 1u}) {
    for (const auto& [x, y] : {std::pair(1u, 1u), {7u, 1u}, {1u, 7u}, {5u, 16u}, {16u, 5u}, {3u, 37u}, {37u, 3u}, {20u, 20u}}) {
      std::set<std::tuple<unsigned, unsigned>> seen;
      for (unsigned block_y = 0; block_y < y; ++block_y) {
        for (unsigned block_x = 0; block_x < x; ++block_x) {
          const auto [program_x, program_y] = program(block_x, block_y, x, y, axis);
          EXPECT_TRUE(program_x < x && program_y < y);
          seen.emplace(program_x, program_y);
        }
      }
      EXPECT_EQ(seen.size(), std::size_t{x} * y) << x << "x" << y << " along " << axis;
    }
  }
}

TEST(ProgramOrder, TheTextHasBothAxes) {
  DiagnosticSink sink;
  const ir::Module module = parsed(kernel_text(kUpToX, "%c0", "%end"));
  const auto kernel = emit_kernel(*module.kernels().front(), {}, sink);
  ASSERT_TRUE(kernel.has_value()) << render_text(sink);
  EXPECT_NE(kernel->body.find("ls_program_x = gridDim.x - 1 - (unsigned)(ls_within / ls_rows);"), std::string::npos);
  EXPECT_NE(kernel->body.find("(int)ls_program_x"), std::string::npos);
  EXPECT_NE(kernel->body.find("(int)ls_program_y"), std::string::npos);
  EXPECT_NE(kernel->body.find("(int)blockIdx.z"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::backend_cuda
