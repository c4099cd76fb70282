// Passes on small modules. Expected forms were probed with Triton 3.6's own pass manager (canonicalize, combine,
// inline).
#include "ir/passes/passes.h"

#include <gtest/gtest.h>

#include <string>

#include "dialects/registry.h"
#include "ir/op_def.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::ir {
using passes::run_ttir_pipeline;
namespace {

Module parse(const std::string& text) {
  DiagnosticSink sink;
  auto module = parse_module(dialects::registry(), std::make_shared<SourceFile>("test.ttir", text), sink);
  EXPECT_TRUE(module.has_value() && !sink.has_errors()) << render_text(sink);
  return std::move(*module);
}

std::string kernel(const std::string& arguments, const std::string& body) {
  return "module {\n  tt.func public @k(" + arguments + ") {\n" + body + "    tt.return\n  }\n}\n";
}

using Pass = void (*)(Module&);
std::string after(const std::string& text, Pass pass) {
  Module module = parse(text);
  pass(module);
  DiagnosticSink sink;
  EXPECT_TRUE(verify(module, sink)) << render_text(sink);
  return print_module(module, {});
}

bool has_part(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const char* const kDotArguments =
    "%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>, %q: tensor<16x16x!tt.ptr<f32>>";
std::string dot(const std::string& attributes) {
  return "    %z = arith.constant dense<0.0> : tensor<16x16xf32>\n"
         "    %d = tt.dot %a, %b, %z" +
         attributes +
         " : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>\n"
         "    %e = arith.addf %c, %d : tensor<16x16xf32>\n"
         "    tt.store %q, %e : tensor<16x16x!tt.ptr<f32>>\n";
}

TEST(Combine, AdditionBecomesTheAccumulatorOfADot) {
  const std::string text = after(kernel(kDotArguments, dot("")), run_ttir_pipeline);
  EXPECT_TRUE(has_part(text, "tt.dot %arg0, %arg1, %arg2")) << text;
  EXPECT_FALSE(has_part(text, "arith.addf")) << text;
}

TEST(CommonSubexpressions, PartitionsSeeNothingFromOutside) {
  const std::string body =
      "    %zero = arith.constant 0 : i32\n"
      "    tt.store %p, %zero : !tt.ptr<i32>\n"
      "    ttg.warp_specialize(%p)\n"
      "    default {\n"
      "      %same = arith.constant 0 : i32\n"
      "      tt.store %p, %same : !tt.ptr<i32>\n"
      "      ttg.warp_yield\n"
      "    }\n"
      "    partition0(%q: !tt.ptr<i32>) num_warps(1) {\n"
      "      %own = arith.constant 0 : i32\n"
      "      tt.store %q, %own : !tt.ptr<i32>\n"
      "      ttg.warp_return\n"
      "    } : (!tt.ptr<i32>) -> ()\n";
  const std::string text = after(kernel("%p: !tt.ptr<i32>", body), passes::merge_common_subexpressions);
  const std::size_t first = text.find("arith.constant");
  const std::size_t second = text.find("arith.constant", first + 1);
  EXPECT_NE(second, std::string::npos) << text;  // the partition's; verify() refuses one from outside
  EXPECT_EQ(text.find("arith.constant", second + 1), std::string::npos) << text;
}

TEST(Combine, ADotWithASecondUseStays) {
  const std::string body = dot("") + "    tt.store %q, %d : tensor<16x16x!tt.ptr<f32>>\n";
  EXPECT_TRUE(has_part(after(kernel(kDotArguments, body), run_ttir_pipeline), "arith.addf"));
}

TEST(Combine, AnImpreciseAccumulationLimitKeepsTheAddition) {
  const std::string body = dot(" {maxNumImpreciseAcc = 16 : i32}");
  EXPECT_TRUE(has_part(after(kernel(kDotArguments, body), run_ttir_pipeline), "arith.addf"));
}

std::string product_sum(int axis, const std::string& combine) {
  return "    %x1 = tt.expand_dims %a {axis = 2 : i32} : tensor<16x16xf32> -> tensor<16x16x1xf32>\n"
         "    %x2 = tt.expand_dims %b {axis = 0 : i32} : tensor<16x16xf32> -> tensor<1x16x16xf32>\n"
         "    %y1 = tt.broadcast %x1 : tensor<16x16x1xf32> -> tensor<16x16x16xf32>\n"
         "    %y2 = tt.broadcast %x2 : tensor<1x16x16xf32> -> tensor<16x16x16xf32>\n"
         "    %m = arith.mulf %y1, %y2 : tensor<16x16x16xf32>\n"
         "    %r = \"tt.reduce\"(%m) <{axis = " +
         std::to_string(axis) +
         " : i32}> ({\n"
         "    ^bb0(%u: f32, %v: f32):\n"
         "      %w = " +
         combine +
         " %u, %v : f32\n"
         "      tt.reduce.return %w : f32\n"
         "    }) : (tensor<16x16x16xf32>) -> tensor<16x16xf32>\n"
         "    tt.store %q, %r : tensor<16x16x!tt.ptr<f32>>\n";
}
const char* const kSumArguments = "%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %q: tensor<16x16x!tt.ptr<f32>>";

TEST(Combine, ABroadcastProductSummedOverTheMiddleIsATf32Dot) {
  const std::string text = after(kernel(kSumArguments, product_sum(1, "arith.addf")), run_ttir_pipeline);
  EXPECT_TRUE(has_part(text, "tt.dot %arg0, %arg1, %cst, inputPrecision = tf32")) << text;
}

TEST(Combine, OtherAxesAndOtherReductionsStay) {
  EXPECT_TRUE(has_part(after(kernel(kSumArguments, product_sum(2, "arith.addf")), run_ttir_pipeline), "tt.reduce"));
  EXPECT_TRUE(has_part(after(kernel(kSumArguments, product_sum(1, "arith.maximumf")), run_ttir_pipeline), "tt.reduce"));
}

TEST(Fold, IntegersWrapAndZeroDivisorsStay) {
  const std::string text = after(kernel("%p: !tt.ptr<i32>",
                                        "    %a = arith.constant 2147483647 : i32\n    %b = arith.constant 1 : i32\n"
                                        "    %z = arith.constant 0 : i32\n"
                                        "    %s = arith.addi %a, %b : i32\n    tt.store %p, %s : !tt.ptr<i32>\n"
                                        "    %d = arith.divsi %a, %z : i32\n    tt.store %p, %d : !tt.ptr<i32>\n"),
                                 run_ttir_pipeline);
  EXPECT_TRUE(has_part(text, "arith.constant -2147483648 : i32")) << text;
  EXPECT_TRUE(has_part(text, "arith.divsi")) << text;
}

TEST(Fold, OnlyIdentitiesThatKeepEveryBit) {
  const std::string text = after(kernel("%p: !tt.ptr<f32>",
                                        "    %x = tt.load %p : !tt.ptr<f32>\n    %z = arith.constant 0.0 : f32\n"
                                        "    %n = arith.constant -0.0 : f32\n"
                                        "    %a = arith.addf %x, %z : f32\n    tt.store %p, %a : !tt.ptr<f32>\n"
                                        "    %b = arith.subf %x, %n : f32\n    tt.store %p, %b : !tt.ptr<f32>\n"
                                        "    %c = arith.mulf %x, %z : f32\n    tt.store %p, %c : !tt.ptr<f32>\n"
                                        "    %d = arith.addf %x, %n : f32\n    tt.store %p, %d : !tt.ptr<f32>\n"),
                                 run_ttir_pipeline);
  EXPECT_TRUE(has_part(text, "arith.addf") && has_part(text, "arith.subf") && has_part(text, "arith.mulf")) << text;
  EXPECT_EQ(text.find("arith.addf"), text.rfind("arith.addf")) << "x + -0.0 is x";
}

TEST(Fold, TheTakenBranchOfAConstantIfMovesOut) {
  const std::string text = after(kernel("%p: !tt.ptr<i32>",
                                        "    %t = arith.constant true\n    %a = arith.constant 5 : i32\n"
                                        "    %r = scf.if %t -> (i32) {\n      %l = tt.load %p : !tt.ptr<i32>\n"
                                        "      scf.yield %l : i32\n    } else {\n      scf.yield %a : i32\n    }\n"
                                        "    tt.store %p, %r : !tt.ptr<i32>\n"),
                                 run_ttir_pipeline);
  EXPECT_FALSE(has_part(text, "scf.if")) << text;
  EXPECT_TRUE(has_part(text, "tt.load")) << text;
}

const char* const kHelper = R"(
  tt.func private @helper(%x: i32) -> i32 attributes {noinline = false} {
    %c3 = arith.constant 3 : i32
    %c = arith.cmpi sgt, %x, %c3 : i32
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    tt.return %x : i32
  ^bb2:
    %y = arith.addi %x, %c3 : i32
    tt.return %y : i32
  }
)";

TEST(Inline, EarlyReturnsBecomeBranchesToTheRestOfTheCaller) {
  const std::string text = after(std::string("module {\n  tt.func public @k(%p: !tt.ptr<i32>, %n: i32) {\n"
                                             "    %r = tt.call @helper(%n) : (i32) -> i32\n"
                                             "    tt.store %p, %r : !tt.ptr<i32>\n    tt.return\n  }\n") +
                                     kHelper + "}\n",
                                 run_ttir_pipeline);
  EXPECT_FALSE(has_part(text, "tt.call") || has_part(text, "@helper")) << text;
  EXPECT_TRUE(has_part(text, "cf.cond_br")) << text;
}

TEST(Inline, SeveralBlocksDoNotFitIntoALoop) {
  const std::string text = after(std::string("module {\n  tt.func public @k(%p: !tt.ptr<i32>, %n: i32) {\n"
                                             "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
                                             "    scf.for %i = %c0 to %n step %c1  : i32 {\n"
                                             "      %r = tt.call @helper(%i) : (i32) -> i32\n"
                                             "      tt.store %p, %r : !tt.ptr<i32>\n    }\n    tt.return\n  }\n") +
                                     kHelper + "}\n",
                                 run_ttir_pipeline);
  EXPECT_TRUE(has_part(text, "tt.call @helper")) << text;
}

TEST(Cleanup, EqualPureOpsMergeAndDeadOnesGo) {
  const std::string text = after(kernel("%p: !tt.ptr<i32>, %n: i32",
                                        "    %a = arith.addi %n, %n : i32\n    %b = arith.addi %n, %n : i32\n"
                                        "    %dead = tt.load %p : !tt.ptr<i32>\n"
                                        "    %c = arith.muli %a, %b : i32\n    tt.store %p, %c : !tt.ptr<i32>\n"),
                                 run_ttir_pipeline);
  EXPECT_EQ(text.find("arith.addi"), text.rfind("arith.addi")) << text;
  EXPECT_FALSE(has_part(text, "tt.load")) << text;
}

TEST(Cleanup, AssemblyThatIsNotPureIsKept) {
  const auto timers = [](const std::string& pure) {
    const std::string line =
        " = tt.elementwise_inline_asm \"mov.u64 $0, %globaltimer;\" {constraints = \"=l\", "
        "packed_element = 1 : i32, pure = " +
        pure + "} -> i64\n";
    const std::string text = after(kernel("", "    %a" + line + "    %b" + line), run_ttir_pipeline);
    std::size_t count = 0;
    for (std::size_t at = text.find("inline_asm"); at != std::string::npos; at = text.find("inline_asm", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(timers("false"), 2u);
  EXPECT_EQ(timers("true"), 0u);
}

TEST(Cleanup, LoadsAreNotMergedAcrossStores) {
  const std::string text = after(kernel("%p: !tt.ptr<i32>",
                                        "    %a = tt.load %p : !tt.ptr<i32>\n    %b = arith.addi %a, %a : i32\n"
                                        "    tt.store %p, %b : !tt.ptr<i32>\n    %c = tt.load %p : !tt.ptr<i32>\n"
                                        "    tt.store %p, %c : !tt.ptr<i32>\n"),
                                 run_ttir_pipeline);
  EXPECT_NE(text.find("tt.load"), text.rfind("tt.load")) << text;
}

}  // namespace
}  // namespace lockstep::ir
