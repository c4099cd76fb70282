// What ptxas makes of divisions that are added (its code for sm_90, read with cuobjdump), and dots by parts as Triton's
// F32DotTC makes them.
#include "ir/passes/contraction.h"

#include <gtest/gtest.h>

#include <string>

#include "dialects/registry.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::ir {
namespace {

std::string as_compiled(const std::string& body) {
  const std::string text = "module {\n  tt.func public @k(%a: f32, %b: f32, %c: f32, %d: f32, %p: !tt.ptr<f32>, %i: i1, "
                           "%x: tensor<16x16xf32>) {\n" + body + "    tt.return\n  }\n}\n";
  DiagnosticSink sink;
  auto module = parse_module(dialects::registry(), std::make_shared<SourceFile>("test.ttir", text), sink);
  EXPECT_TRUE(module.has_value() && !sink.has_errors()) << text << render_text(sink);
  if (!module) return "";
  passes::contract_as_compiled(*module);
  EXPECT_TRUE(verify(*module, sink)) << render_text(sink);
  return print_module(*module, {});
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

const std::string kQuotient = "    %q = arith.divf %a, %b : f32\n";
const std::string kStoreOfF32 = "    tt.store %p, %r : !tt.ptr<f32>\n";

TEST(Contraction, AQuotientIsJoinedWithItsOnlySum) {
  const std::string text = as_compiled(kQuotient + "    %r = arith.addf %q, %c : f32\n" + kStoreOfF32);
  EXPECT_EQ(count(text, "rcp.approx.ftz.f32"), 1) << text;
  EXPECT_EQ(count(text, "divf") + count(text, "addf"), 0) << text;
}

TEST(Contraction, AllSumsOfAQuotientOrNone) {
  const std::string sums = "    %s = arith.addf %q, %c : f32\n    %r = arith.subf %s, %q : f32\n" + kStoreOfF32;
  EXPECT_EQ(count(as_compiled(kQuotient + sums), "rcp.approx"), 2);
  const std::string stored = as_compiled(kQuotient + sums + "    tt.store %p, %q : !tt.ptr<f32>\n");
  EXPECT_EQ(count(stored, "rcp.approx"), 0) << stored;
  EXPECT_EQ(count(stored, "divf"), 1) << stored;
}

TEST(Contraction, OfTwoQuotientsTheFirst) {
  const std::string text = as_compiled("    %n = arith.divf %c, %d : f32\n" + kQuotient +
                                       "    %r = arith.addf %q, %n : f32\n" + kStoreOfF32);
  EXPECT_EQ(count(text, "arith.divf %arg2, %arg3"), 1) << text;
  EXPECT_EQ(count(text, "rcp.approx"), 1) << text;
}

TEST(Contraction, NotBeyondAnInstructionWithAPredicate) {
  const std::string masked = as_compiled(kQuotient + "    %v = tt.load %p, %i : !tt.ptr<f32>\n"
                                                     "    %r = arith.subf %v, %q : f32\n" + kStoreOfF32);
  EXPECT_EQ(count(masked, "divf"), 1) << masked;
  const std::string plain = as_compiled(kQuotient + "    %v = tt.load %p : !tt.ptr<f32>\n"
                                                    "    %r = arith.subf %v, %q : f32\n" + kStoreOfF32);
  EXPECT_EQ(count(plain, "divf"), 0) << plain;
}

TEST(Contraction, AConstantDivisorIsAReciprocal) {
  const std::string divisor = "    %k = arith.constant 1.600000e+02 : f32\n    %q = arith.divf %a, %k : f32\n";
  const std::string added = as_compiled(divisor + "    %r = arith.addf %q, %c : f32\n" + kStoreOfF32);
  EXPECT_EQ(count(added, "math.fma"), 1) << added;
  EXPECT_EQ(count(added, "6.250000e-03"), 1) << added;
  const std::string stored = as_compiled(divisor + "    tt.store %p, %q : !tt.ptr<f32>\n");
  EXPECT_EQ(count(stored, "arith.mulf"), 1) << stored;
  // 2^127 has no normal reciprocal.
  const std::string great = as_compiled("    %k = arith.constant 1.70141183E+38 : f32\n"
                                        "    %r = arith.divf %a, %k : f32\n" + kStoreOfF32);
  EXPECT_EQ(count(great, "divf"), 1) << great;
}

TEST(Contraction, AConstantIsMultipliedInsideOfASelection) {
  const std::string product = "    %k = arith.constant 1.44269502 : f32\n    %z = arith.constant 0xFF800000 : f32\n"
                              "    %s = arith.select %i, %a, %z : f32\n    %m = arith.mulf %s, ";
  const std::string sum = " : f32\n    %r = arith.subf %m, %b : f32\n" + kStoreOfF32;
  EXPECT_EQ(count(as_compiled(product + "%k" + sum), "math.fma"), 0);
  EXPECT_EQ(count(as_compiled(product + "%c" + sum), "math.fma"), 1);
}

TEST(Contraction, DotsByParts) {
  const auto dots = [](const std::string& precision) {
    return as_compiled("    %y = tt.dot %x, %x, %x, inputPrecision = " + precision +
                       " : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>\n"
                       "    %z = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>\n"
                       "    tt.store %z, %y : tensor<16x16x!tt.ptr<f32>>\n");
  };
  EXPECT_EQ(count(dots("tf32"), "tt.dot "), 1);
  const std::string single = dots("tf32x3");
  EXPECT_EQ(count(single, "tt.dot "), 3) << single;
  EXPECT_EQ(count(single, "cvt.rna.tf32.f32"), 2) << single;
  EXPECT_EQ(count(dots("bf16x3"), "tt.dot "), 3);
  EXPECT_EQ(count(dots("bf16x6"), "tt.dot "), 6);
}

}  // namespace
}  // namespace lockstep::ir
