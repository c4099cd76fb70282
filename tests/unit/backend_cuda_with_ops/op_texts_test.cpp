// Text of single ops: small kernels as TTIR, and what their CUDA C++ must contain.
#include <gtest/gtest.h>

#include "backend_cuda/emit/emit_module.h"
#include "dialects/registry.h"
#include "ir/op_def.h"
#include "ir/text/parser.h"
#include "ir/verify/verifier.h"

namespace lockstep::backend_cuda {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

struct Emitted {
  std::string body, messages;
};

Emitted emit_statements(const std::string& parameters, const std::string& statements, Target target = {}) {
  DiagnosticSink sink;
  const auto file = SourceFile::make("kernel.ttir", "module {\n  tt.func public @k(" + parameters + ") {\n" +
                                                        statements + "\n    tt.return\n  }\n}\n");
  const auto module = ir::parse_module(dialects::registry(), *file, sink);
  if (!module || !ir::verify(*module, sink)) {
    ADD_FAILURE() << render_text(sink);
    return {};
  }
  const auto kernel = emit_kernel(*module->kernels().front(), target, sink);
  return {kernel ? kernel->body : "", render_text(sink)};
}

constexpr const char* kPointers = R"(
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %b = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %q = tt.addptr %b, %r : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
)";

TEST(OpTexts, EveryRowHasTextOrAReason) {
  for (const ir::OpDef* def : dialects::registry().rows()) {
    EXPECT_NE(def->emit_cuda == nullptr, def->emit_reason.empty()) << def->spelling;
  }
}

TEST(OpTexts, AtomicsUsePtxOrderScopeAndType) {
  const Emitted tile = emit_statements("%p: !tt.ptr<i32>", std::string(kPointers) + R"(
    %v = tt.atomic_rmw umax, acq_rel, sys, %q, %r : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>) -> tensor<256xi32>)");
  EXPECT_EQ(occurrences(tile.body, "atom.acq_rel.sys.global.max.u32"), 1u) << tile.body << tile.messages;
  EXPECT_EQ(occurrences(tile.body, "ls_scratch"), 0u) << "nobody reads the old values";
  EXPECT_EQ(occurrences(tile.body, "__syncthreads"), 2u) << "before what it releases, after what it acquires";
}

TEST(OpTexts, AnAtomicOfAReplicatedTileActsOnceAndSharesItsAnswer) {
  const Emitted scalar = emit_statements("%p: !tt.ptr<f32>, %x: f32", R"(
    %v = tt.atomic_rmw fadd, relaxed, gpu, %p, %x : (!tt.ptr<f32>, f32) -> f32
    tt.store %p, %v : !tt.ptr<f32>)");
  EXPECT_EQ(occurrences(scalar.body, "atom.relaxed.gpu.global.add.f32"), 1u) << scalar.body << scalar.messages;
  EXPECT_EQ(occurrences(scalar.body, "if (threadIdx.x == 0)"), 2u);
  EXPECT_EQ(occurrences(scalar.body, "extern __shared__"), 1u);
}

TEST(OpTexts, SumsOfBfloatAreALoopBeforeSm90) {
  const std::string add = R"(
    %v = tt.atomic_rmw fadd, relaxed, gpu, %p, %x : (!tt.ptr<bf16>, bf16) -> bf16)";
  Target ampere;
  ampere.capability = 80;
  EXPECT_EQ(occurrences(emit_statements("%p: !tt.ptr<bf16>, %x: bf16", add, ampere).body, "update_by_swaps<unsigned short>"), 1u);
  EXPECT_EQ(occurrences(emit_statements("%p: !tt.ptr<bf16>, %x: bf16", add).body, "add.noftz.bf16"), 1u);
}

TEST(OpTexts, AScanGoesThroughScratchOnlyBetweenWarps) {
  const auto scan = [](int extent) {
    const std::string type = "tensor<" + std::to_string(extent) + "xi32>";
    const std::string range = "    %r = tt.make_range {end = " + std::to_string(extent) + " : i32, start = 0 : i32} : ";
    const std::string body = R"(
    %s = "tt.scan"(%r) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%a: i32, %c: i32):
      %t = arith.addi %a, %c : i32
      tt.scan.return %t : i32
    }) : )";
    return emit_statements("%p: !tt.ptr<i32>", range + type + body + "(" + type + ") -> " + type).body;
  };
  EXPECT_EQ(occurrences(scan(32), "ls_scratch"), 0u);
  EXPECT_GE(occurrences(scan(1024), "ls_scratch"), 1u);
  EXPECT_GE(occurrences(scan(1024), "shuffle_from("), 2u);
}

TEST(OpTexts, CacheOperatorsAndEvictionPrioritiesArePtx) {
  const Emitted made = emit_statements("%p: !tt.ptr<i32>", std::string(kPointers) + R"(
    %v = tt.load %q cacheModifier = cg evictionPolicy = evict_last : tensor<256x!tt.ptr<i32>>
    tt.store %q, %v evictionPolicy = evict_first : tensor<256x!tt.ptr<i32>>)");
  EXPECT_EQ(occurrences(made.body, ", CacheGlobal>("), 1u) << made.body << made.messages;
  EXPECT_EQ(occurrences(made.body, ", EvictFirst>("), 1u);
}

TEST(OpTexts, TextOfAKernelCannotLeaveItsLiteral) {
  const Emitted print = emit_statements("%x: i32", R"(
    tt.print "a\22); __trap(); (\22 %d" {hex = false, isSigned = array<i32: 1>} : %x : i32)");
  EXPECT_EQ(occurrences(print.body, "__trap(); (\\\""), 1u) << print.body << print.messages;
  EXPECT_EQ(occurrences(print.body, "%%d"), 1u);
  const Emitted symbol = emit_statements("%p: !tt.ptr<f32>, %x: f32", R"(
    %v = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_sinf(1); //"} : (f32) -> f32
    tt.store %p, %v : !tt.ptr<f32>)");
  EXPECT_TRUE(symbol.body.empty());
  EXPECT_NE(symbol.messages.find("LS1910"), std::string::npos) << symbol.messages;
}

TEST(OpTexts, InlineAssemblyPacksNeighboursAndRenumbersTiedOperands) {
  const Emitted made = emit_statements("%p: !tt.ptr<i32>", std::string(kPointers) + R"(
    %h = arith.trunci %r : tensor<256xi32> to tensor<256xi8>
    %v = tt.elementwise_inline_asm "add.u32 $0, $1, $2; // %x" {constraints = "=r,0,r", packed_element = 4 : i32, pure = true} %h, %h : tensor<256xi8>, tensor<256xi8> -> tensor<256xi8>
    %w = arith.extsi %v : tensor<256xi8> to tensor<256xi32>
    tt.store %q, %w : tensor<256x!tt.ptr<i32>>)");
  EXPECT_EQ(occurrences(made.body, "add.u32 %0, %0, %1; // %%x"), 1u) << made.body << made.messages;
  EXPECT_EQ(occurrences(made.body, "\"+r\"(o0)"), 1u);
  EXPECT_EQ(occurrences(made.body, "element_of<signed char>(o0, 3)"), 1u);
}

TEST(OpTexts, CallsBecomeBodies) {
  DiagnosticSink sink;
  const auto file = SourceFile::make("kernel.ttir", R"(module {
  tt.func public @k(%p: !tt.ptr<i32>, %x: i32) {
    %y = tt.call @twice(%x) : (i32) -> i32
    tt.store %p, %y : !tt.ptr<i32>
    tt.return
  }
  tt.func private @twice(%x: i32) -> i32 attributes {noinline = true} {
    %y = arith.addi %x, %x : i32
    tt.return %y : i32
  }
}
)");
  const auto module = ir::parse_module(dialects::registry(), *file, sink);
  ASSERT_TRUE(module.has_value()) << render_text(sink);
  const auto kernel = emit_kernel(*module->kernels().front(), {}, sink);
  ASSERT_TRUE(kernel.has_value()) << render_text(sink);
  EXPECT_EQ(occurrences(kernel->body, "add("), 1u);
}

}  // namespace
}  // namespace lockstep::backend_cuda
