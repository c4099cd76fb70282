// Accesses through block pointers and descriptors, and the same kernels after ir::passes::rewrite_block_pointers: the same bytes.
#include "ir/passes/rewrite_block_pointers.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

// A loop carries two block pointers, a branch moves one of them.
const char* const kCarried = R"(module {
  tt.func public @k(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %c4_i32 = arith.constant 4 : i32
    %1 = arith.muli %0, %c4_i32 : i32
    %2 = arith.extsi %arg2 : i32 to i64
    %3 = arith.extsi %arg3 : i32 to i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i32 = arith.constant 0 : i32
    %4 = tt.make_tensor_ptr %arg0, [%2, %3], [%3, %c1_i64], [%1, %c0_i32] {order = array<i32: 1, 0>} : <tensor<4x8xf16>>
    %5 = tt.make_tensor_ptr %arg1, [%2, %3], [%3, %c1_i64], [%1, %c0_i32] {order = array<i32: 1, 0>} : <tensor<4x8xf16>>
    %6:3 = scf.while (%arg4 = %4, %arg5 = %5, %arg6 = %c0_i32) : (!tt.ptr<tensor<4x8xf16>>, !tt.ptr<tensor<4x8xf16>>, i32) -> (!tt.ptr<tensor<4x8xf16>>, !tt.ptr<tensor<4x8xf16>>, i32) {
      %7 = arith.cmpi slt, %arg6, %arg3 : i32
      scf.condition(%7) %arg4, %arg5, %arg6 : !tt.ptr<tensor<4x8xf16>>, !tt.ptr<tensor<4x8xf16>>, i32
    } do {
    ^bb0(%arg4: !tt.ptr<tensor<4x8xf16>>, %arg5: !tt.ptr<tensor<4x8xf16>>, %arg6: i32):
      %c7_i32 = arith.constant 7 : i32
      %7 = arith.cmpi sgt, %arg6, %c7_i32 : i32
      %8 = scf.if %7 -> (!tt.ptr<tensor<4x8xf16>>) {
        %c1_i32 = arith.constant 1 : i32
        %13 = tt.advance %arg4, [%c1_i32, %c0_i32] : <tensor<4x8xf16>>
        scf.yield %13 : !tt.ptr<tensor<4x8xf16>>
      } else {
        scf.yield %arg4 : !tt.ptr<tensor<4x8xf16>>
      }
      %9 = tt.load %8 {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<4x8xf16>>
      tt.store %arg5, %9 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<4x8xf16>>
      %c8_i32 = arith.constant 8 : i32
      %10 = tt.advance %arg4, [%c0_i32, %c8_i32] : <tensor<4x8xf16>>
      %11 = tt.advance %arg5, [%c0_i32, %c8_i32] : <tensor<4x8xf16>>
      %12 = arith.addi %arg6, %c8_i32 : i32
      scf.yield %10, %11, %12 : !tt.ptr<tensor<4x8xf16>>, !tt.ptr<tensor<4x8xf16>>, i32
    }
    tt.return
  }
}
)";

// Blocks that begin before the tensor and end behind it; an addition, and rows by their numbers.
const char* const kDescriptors = R"(module {
  tt.func public @d(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<i32>, %arg4: i32, %arg5: i32) attributes {noinline = false} {
    %0 = arith.extsi %arg5 : i32 to i64
    %c1_i64 = arith.constant 1 : i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg4, %arg5], [%0, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<4x8xf32>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg4, %arg5], [%0, %c1_i64] : <f32>, <tensor<4x8xf32>>
    %3 = tt.make_tensor_descriptor %arg0, [%arg4, %arg5], [%0, %c1_i64] : <f32>, <tensor<1x8xf32>>
    %4 = tt.make_tensor_descriptor %arg2, [%arg4, %arg5], [%0, %c1_i64] : <f32>, <tensor<1x8xf32>>
    %c8_i32 = arith.constant 8 : i32
    %5 = arith.addi %arg5, %c8_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    scf.for %arg6 = %c0_i32 to %5 step %c8_i32  : i32 {
      %6 = tt.get_program_id x : i32
      %c4_i32 = arith.constant 4 : i32
      %7 = arith.muli %6, %c4_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %8 = arith.subi %7, %c1_i32 : i32
      %9 = arith.addi %7, %c1_i32 : i32
      %10 = tt.descriptor_load %1[%9, %arg6] : !tt.tensordesc<tensor<4x8xf32>> -> tensor<4x8xf32>
      tt.descriptor_store %2[%8, %arg6], %10 : !tt.tensordesc<tensor<4x8xf32>>, tensor<4x8xf32>
      %11 = tt.descriptor_load %1[%7, %arg6] : !tt.tensordesc<tensor<4x8xf32>> -> tensor<4x8xf32>
      tt.descriptor_reduce add, %2[%7, %arg6], %11 : !tt.tensordesc<tensor<4x8xf32>>, tensor<4x8xf32>
      %12 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %13 = tt.splat %arg3 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
      %14 = tt.addptr %13, %12 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
      %15 = tt.load %14 : tensor<8x!tt.ptr<i32>>
      %16 = tt.descriptor_gather %3[%15, %arg6] : (!tt.tensordesc<tensor<1x8xf32>>, tensor<8xi32>, i32) -> tensor<8x8xf32>
      tt.descriptor_scatter %4[%15, %arg6], %16 : !tt.tensordesc<tensor<1x8xf32>>, tensor<8xi32>, i32, tensor<8x8xf32>
    }
    tt.return
  }
}
)";

std::string rewritten(const std::string& text) {
  DiagnosticSink sink;
  auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", text), sink);
  ir::passes::rewrite_block_pointers(*module);
  EXPECT_TRUE(ir::verify(*module, sink)) << render_text(sink);
  return ir::print_module(*module, {});
}

bool names_place(const std::string& text) {
  for (const char* op : {"tt.load %", "tt.store %"}) {
    for (std::size_t at = text.find(op); at != std::string::npos; at = text.find(op, at + 1)) {
      const std::string line = text.substr(at, text.find('\n', at) - at);
      if (line.find("boundaryCheck") != std::string::npos) return true;
    }
  }
  return text.find("tt.descriptor_") != std::string::npos;
}

std::vector<std::uint16_t> run_carried(const std::string& text, std::int32_t rows, std::int32_t columns) {
  Harness h(text);
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  std::vector<std::uint16_t> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<std::uint16_t>(0x3c00 + i);
  h.tensor(x);
  h.tensor(std::vector<std::uint16_t>(count, 7));
  h.scalar(static_cast<std::uint64_t>(rows));
  h.scalar(static_cast<std::uint64_t>(columns));
  h.run({(rows + 3) / 4, 1, 1});
  return h.values<std::uint16_t>(1);
}

TEST(RewrittenBlocks, LoopsAndBranchesCarryTheOffsets) {
  const std::string after = rewritten(kCarried);
  EXPECT_FALSE(names_place(after)) << after;
  for (const auto& [rows, columns] : {std::pair{4, 8}, std::pair{7, 21}, std::pair{1, 1}, std::pair{12, 32}})
    EXPECT_EQ(run_carried(after, rows, columns), run_carried(kCarried, rows, columns)) << rows << " x " << columns;
}

std::vector<std::uint32_t> run_descriptors(const std::string& text, std::int32_t rows, std::int32_t columns) {
  Harness h(text);
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<float>(i) / 4;
  h.tensor(x);
  h.tensor(std::vector<float>(count, 2));
  h.tensor(std::vector<float>(count, 3));
  h.tensor(std::vector<std::int32_t>{0, 5, -1, 2, 100, 6, 3, 1});
  h.scalar(static_cast<std::uint64_t>(rows));
  h.scalar(static_cast<std::uint64_t>(columns));
  h.run({(rows + 3) / 4, 1, 1}, 1);  // a program adds to what another one stored
  std::vector<std::uint32_t> bits;
  for (const std::size_t tensor : {1, 2}) {
    for (const float value : h.values<float>(tensor)) std::memcpy(&bits.emplace_back(), &value, 4);
  }
  return bits;
}

TEST(RewrittenBlocks, DescriptorsThatTheKernelMakes) {
  const std::string after = rewritten(kDescriptors);
  EXPECT_FALSE(names_place(after)) << after;
  for (const auto& [rows, columns] : {std::pair{4, 8}, std::pair{7, 20}, std::pair{1, 4}, std::pair{9, 36}})
    EXPECT_EQ(run_descriptors(after, rows, columns), run_descriptors(kDescriptors, rows, columns)) << rows << " x " << columns;
}

TEST(RewrittenBlocks, WhatMayComeFromTwoOpsStays) {
  const std::string text =
      "module {\n  tt.func public @k(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %n: i64, %c: i1) {\n"
      "    %z = arith.constant 0 : i32\n    %s = arith.constant 1 : i64\n"
      "    %a = tt.make_tensor_ptr %x, [%n], [%s], [%z] {order = array<i32: 0>} : <tensor<8xf16>>\n"
      "    %b = tt.make_tensor_ptr %y, [%n], [%s], [%z] {order = array<i32: 0>} : <tensor<8xf16>>\n"
      "    %p = scf.if %c -> (!tt.ptr<tensor<8xf16>>) {\n      scf.yield %a : !tt.ptr<tensor<8xf16>>\n"
      "    } else {\n      scf.yield %b : !tt.ptr<tensor<8xf16>>\n    }\n"
      "    %v = tt.load %p {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf16>>\n"
      "    tt.store %a, %v {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf16>>\n    tt.return\n  }\n}\n";
  EXPECT_TRUE(names_place(rewritten(text)));
}

}  // namespace
}  // namespace lockstep::interpreter
