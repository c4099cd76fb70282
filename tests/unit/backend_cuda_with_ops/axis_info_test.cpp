// AxisInfo: what is claimed of tiles holds for their elements as the interpreter computes them, and what vectorised
// accesses need is found.
#include "ir/analysis/axis_analysis.h"

#include <gtest/gtest.h>

#include <cstring>

#include "dialects/registry.h"
#include "interpreter/launch/prepared.h"
#include "ir/module.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "ir/text/parser.h"

namespace lockstep::backend_cuda {
namespace {

using ir::AxisAnalysis;
using ir::AxisInfo;

constexpr std::int64_t kElements = 64;

/// A kernel that stores the i32 tile %t of 64 elements, made by `body` from %p (program id) and %n (a multiple of 16).
std::string kernel_of(const std::string& body) {
  return R"(module {
  tt.func public @k(%out: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %p = tt.get_program_id x : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %late = tt.make_range {end = 72 : i32, start = 8 : i32} : tensor<64xi32>
    %c64 = arith.constant 64 : i32
    %c3 = arith.constant dense<3> : tensor<64xi32>
    %c1 = arith.constant dense<1> : tensor<64xi32>
    %c4 = arith.constant dense<4> : tensor<64xi32>
    %c16 = arith.constant dense<16> : tensor<64xi32>
    %start = arith.muli %p, %c64 : i32
    %starts = tt.splat %start : i32 -> tensor<64xi32>
    %ps = tt.splat %p : i32 -> tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
)" + body +
         R"(
    %ptr = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %to = tt.addptr %ptr, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %to, %t : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
)";
}

struct Case {
  const char* body;
  std::int64_t contiguity, constancy;  // at least
};

/// Elements of %t for a program and n.
std::vector<std::int32_t> run(const ir::Module& module, std::int64_t program, std::int32_t n) {
  memory_model::AddressSpace memory;
  const auto storage = memory.allocate("out", kElements * 4);
  const auto view = memory.add_view(*storage, "out", ScalarKind::i32, 0, {kElements}, {1});
  interpreter::LaunchRequest request;
  request.module = &module;
  request.function = module.kernels().front();
  request.grid = {program + 1, 1, 1};
  request.arguments = {{interpreter::Argument::Kind::pointer, 0, *view},
                       {interpreter::Argument::Kind::scalar, static_cast<std::uint32_t>(n), {}}};
  request.memory = &memory;
  request.threads = 1;
  DiagnosticSink sink;
  const auto report = interpreter::launch(request, sink);
  EXPECT_TRUE(report.has_value()) << render_text(sink);
  std::vector<std::int32_t> values(kElements);
  std::memcpy(values.data(), reinterpret_cast<const void*>(memory.view(*view).base), kElements * 4);
  return values;
}

void expect_holds(const AxisInfo& info, const std::vector<std::int32_t>& values) {
  const std::int64_t run = info.contiguity[0], equal = info.constancy[0], divisor = info.divisibility[0];
  for (std::int64_t i = 0; i < kElements; ++i) {
    const std::int32_t value = values[static_cast<std::size_t>(i)];
    EXPECT_EQ(value - values[static_cast<std::size_t>(i / run * run)], i % run) << "contiguity " << run << " at " << i;
    EXPECT_EQ(value, values[static_cast<std::size_t>(i / equal * equal)]) << "constancy " << equal << " at " << i;
    if (i % run == 0) {
      EXPECT_EQ(value % divisor, 0) << "divisibility " << divisor << " at " << i;
    }
  }
}

class AxisCases : public testing::TestWithParam<Case> {};

TEST_P(AxisCases, ClaimsHold) {
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", kernel_of(GetParam().body)), sink);
  ASSERT_TRUE(module.has_value()) << render_text(sink);
  const ir::Op& function = *module->kernels().front();
  const AxisAnalysis axes(function);
  const AxisInfo* info = nullptr;
  for (const auto& op : function.region().front().ops()) {
    if (op->def().opcode == ir::Opcode::tt_store) info = &axes.of(op->operand(1));
  }
  ASSERT_NE(info, nullptr);
  EXPECT_GE(info->contiguity[0], GetParam().contiguity);
  EXPECT_GE(info->constancy[0], GetParam().constancy);
  for (const std::int64_t program : {0, 1, 5}) {
    for (const std::int32_t n : {16, 48, 1024}) expect_holds(*info, run(*module, program, n));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ops, AxisCases,
    testing::Values(
        Case{"%t = arith.addi %range, %starts : tensor<64xi32>", 64, 1},
        Case{"%t = arith.addi %late, %starts : tensor<64xi32>", 64, 1},
        Case{"%t = arith.addi %range, %range : tensor<64xi32>", 1, 1},
        Case{"%t = arith.muli %range, %c1 : tensor<64xi32>", 64, 1},
        Case{"%t = arith.muli %range, %c3 : tensor<64xi32>", 1, 1},
        Case{"%t = arith.muli %ps, %c16 : tensor<64xi32>", 1, 64},
        Case{"%t = arith.subi %range, %ns : tensor<64xi32>", 64, 1},
        Case{"%t = arith.subi %ns, %range : tensor<64xi32>", 1, 1},
        Case{"%t = arith.divsi %range, %c16 : tensor<64xi32>", 1, 16},
        Case{"%t = arith.divsi %late, %c16 : tensor<64xi32>", 1, 8},
        Case{"%t = arith.divsi %range, %c3 : tensor<64xi32>", 1, 1},
        Case{"%t = arith.remsi %range, %c16 : tensor<64xi32>", 16, 1},
        Case{"%t = arith.remsi %late, %c16 : tensor<64xi32>", 8, 1},
        Case{"%t = arith.remsi %range, %c3 : tensor<64xi32>", 1, 1},
        Case{"%u = arith.addi %range, %starts : tensor<64xi32>\n%t = arith.remsi %u, %ns : tensor<64xi32>", 16, 1},
        Case{"%u = arith.subi %range, %c16 : tensor<64xi32>\n%t = arith.remsi %u, %c16 : tensor<64xi32>", 1, 1},
        Case{"%u = arith.divsi %range, %c4 : tensor<64xi32>\n%t = arith.addi %range, %u : tensor<64xi32>", 4, 1},
        Case{"%u = arith.addi %range, %starts : tensor<64xi32>\n%m = arith.cmpi slt, %u, %ns : tensor<64xi32>\n"
             "%t = arith.extui %m : tensor<64xi1> to tensor<64xi32>",
             1, 16},
        Case{"%m = arith.cmpi sle, %range, %ns : tensor<64xi32>\n%t = arith.extui %m : tensor<64xi1> to tensor<64xi32>",
             1, 1},
        Case{"%m = arith.cmpi sgt, %ns, %late : tensor<64xi32>\n%t = arith.extui %m : tensor<64xi1> to tensor<64xi32>",
             1, 8},
        Case{"%u = tt.reshape %range : tensor<64xi32> -> tensor<4x16xi32>\n%v = tt.trans %u {order = array<i32: 1, 0>} "
             ": "
             "tensor<4x16xi32> -> tensor<16x4xi32>\n%t = tt.reshape %v : tensor<16x4xi32> -> tensor<64xi32>",
             1, 1},
        Case{"%u = arith.maxsi %range, %c16 : tensor<64xi32>\n%t = arith.addi %u, %c1 : tensor<64xi32>", 1, 1},
        // Carried from 0 by 16: the first turn's constant is forgotten, its divisor is not.
        Case{"%c0 = arith.constant 0 : i32\n%s = arith.constant 16 : i32\n"
             "%r = scf.for %i = %c0 to %n step %s iter_args(%a = %c0) -> (i32) : i32 {\n"
             "  %b = arith.addi %a, %s : i32\n  scf.yield %b : i32\n}\n"
             "%u = tt.splat %r : i32 -> tensor<64xi32>\n%t = arith.addi %u, %range : tensor<64xi32>",
             64, 1},
        // What an open loop leaves is what its condition hands out, not what its body hands back, of another type.
        Case{"%no = arith.constant false\n%t = scf.while (%i = %n) : (i32) -> tensor<64xi32> {\n"
             "  scf.condition(%no) %range : tensor<64xi32>\n} do {\n^bb0(%kept: tensor<64xi32>):\n"
             "  scf.yield %n : i32\n}",
             64, 1}));

}  // namespace
}  // namespace lockstep::backend_cuda
