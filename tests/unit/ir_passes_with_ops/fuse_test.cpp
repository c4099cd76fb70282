// Which sums of products become math.fma (the rules of Triton 3.6's default build, seen in its PTX), and which stay.
#include <gtest/gtest.h>

#include <string>

#include "dialects/registry.h"
#include "ir/passes/passes.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::ir {
namespace {

std::string fused(const std::string& body, const std::string& type = "f32") {
  std::string text = "module {\n  tt.func public @k(%a: T, %b: T, %c: T, %d: T, %p: !tt.ptr<T>, %i: i1) {\n" + body +
                     "    tt.return\n  }\n}\n";
  for (std::size_t at = text.find('T'); at != std::string::npos; at = text.find('T', at + type.size()))
    text.replace(at, 1, type);
  DiagnosticSink sink;
  auto module = parse_module(dialects::registry(), std::make_shared<SourceFile>("test.ttir", text), sink);
  EXPECT_TRUE(module.has_value() && !sink.has_errors()) << text << render_text(sink);
  if (!module) return "";
  passes::fuse_multiply_add(*module);
  EXPECT_TRUE(verify(*module, sink)) << render_text(sink);
  return print_module(*module, {});
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
const std::string kStore = "    tt.store %p, %r : !tt.ptr<T>\n";

TEST(FuseMultiplyAdd, SumOfAProduct) {
  for (const char* type : {"f16", "bf16", "f32", "f64"}) {
    const std::string text = fused("    %m = arith.mulf %a, %b : T\n    %r = arith.addf %c, %m : T\n" + kStore, type);
    EXPECT_TRUE(contains(text, "math.fma %arg0, %arg1, %arg2")) << text;
    EXPECT_FALSE(contains(text, "mulf")) << text;
  }
}

TEST(FuseMultiplyAdd, DifferencesNegate) {
  const std::string minuend = fused("    %m = arith.mulf %a, %b : T\n    %r = arith.subf %m, %c : T\n" + kStore);
  EXPECT_TRUE(contains(minuend, "%0 = arith.negf %arg2") && contains(minuend, "math.fma %arg0, %arg1, %0")) << minuend;
  const std::string subtrahend = fused("    %m = arith.mulf %a, %b : T\n    %r = arith.subf %c, %m : T\n" + kStore);
  EXPECT_TRUE(contains(subtrahend, "%0 = arith.negf %arg0") && contains(subtrahend, "math.fma %0, %arg1, %arg2"))
      << subtrahend;
}

TEST(FuseMultiplyAdd, AProductWithOtherUsesIsComputedAgain) {
  const std::string text = fused(
      "    %m = arith.mulf %a, %b : T\n    %s = arith.addf %m, %c : T\n    %r = arith.divf %s, %m : T\n" + kStore);
  EXPECT_TRUE(contains(text, "math.fma") && contains(text, "mulf") && !contains(text, "addf")) << text;
}

TEST(FuseMultiplyAdd, OfTwoProductsTheOneWithFewerUses) {
  const std::string products = "    %m = arith.mulf %a, %b : T\n    %n = arith.mulf %c, %d : T\n";
  const std::string first = fused(products + "    %r = arith.addf %m, %n : T\n" + kStore);
  EXPECT_TRUE(contains(first, "math.fma %arg0, %arg1, %0")) << first;
  const std::string second =
      fused(products + "    %s = arith.addf %m, %n : T\n    %r = arith.divf %s, %m : T\n" + kStore);
  EXPECT_TRUE(contains(second, "math.fma %arg2, %arg3, %0")) << second;
}

TEST(FuseMultiplyAdd, AProductOfAnotherBlockStays) {
  const std::string text = fused(
      "    %m = arith.mulf %a, %b : T\n    scf.if %i {\n      %r = arith.addf %m, %c : T\n  " + kStore + "    }\n");
  EXPECT_TRUE(contains(text, "mulf") && contains(text, "addf") && !contains(text, "fma")) << text;
}

TEST(FuseMultiplyAdd, FloatsOfEightBitsStay) {
  const std::string text = fused("    %m = arith.mulf %a, %b : T\n    %r = arith.addf %c, %m : T\n" + kStore, "f8E5M2");
  EXPECT_FALSE(contains(text, "fma")) << text;
}

}  // namespace
}  // namespace lockstep::ir
