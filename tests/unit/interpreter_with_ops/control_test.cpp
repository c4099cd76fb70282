// Control flow: loops, branches, blocks, calls, carried values.
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

std::int32_t run_scalar(const std::string& body, std::uint64_t n, const std::string& functions = "") {
  std::string text = kernel("%x: !tt.ptr<i32>, %n: i32", body);
  text.insert(text.rfind('}'), functions);
  Harness h(text);
  h.tensor(std::vector<std::int32_t>(1));
  h.scalar(n);
  h.run();
  return h.values<std::int32_t>(0)[0];
}

TEST(Control, NestedIfsAndFor) {
  const std::string body =
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %c3 = arith.constant 3 : i32\n    %c100 "
      "= arith.constant 100 : i32\n"
      "    %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32)  : i32 {\n"
      "      %m = arith.remsi %i, %c3 : i32\n      %z = arith.cmpi eq, %m, %c0 : i32\n"
      "      %r = scf.if %z -> (i32) {\n        %big = arith.cmpi sgt, %i, %c3 : i32\n"
      "        %t = scf.if %big -> (i32) {\n          %u = arith.addi %a, %c100 : i32\n          scf.yield %u : i32\n  "
      "      } else {\n          scf.yield %a : i32\n        }\n"
      "        scf.yield %t : i32\n      } else {\n        %w = arith.addi %a, %i : i32\n        scf.yield %w : i32\n  "
      "    }\n"
      "      scf.yield %r : i32\n    }\n    tt.store %x, %s : !tt.ptr<i32>\n";
  std::int32_t expected = 0;
  for (std::int32_t i = 0; i < 10; ++i) expected += i % 3 == 0 ? (i > 3 ? 100 : 0) : i;
  EXPECT_EQ(run_scalar(body, 10), expected);
  EXPECT_EQ(run_scalar(body, 0), 0);
  EXPECT_EQ(run_scalar(body, static_cast<std::uint32_t>(-5)), 0);
}

TEST(Control, SwappedCarriedValues) {
  const std::string body =
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
      "    %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (i32, i32)  : i32 {\n"
      "      %t = arith.addi %a, %b : i32\n      scf.yield %b, %t : i32, i32\n    }\n    tt.store %x, %s#0 : "
      "!tt.ptr<i32>\n";
  EXPECT_EQ(run_scalar(body, 10), 55);  // Fibonacci
}

TEST(Control, SwappedCarriedTiles) {
  Harness h(kernel(
      "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32",
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
      "    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n"
      "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>\n    %xp = tt.addptr %xs, %r : "
      "tensor<4x!tt.ptr<f32>>, tensor<4xi32>\n"
      "    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>\n    %yp = tt.addptr %ys, %r : "
      "tensor<4x!tt.ptr<f32>>, tensor<4xi32>\n"
      "    %u = tt.load %xp : tensor<4x!tt.ptr<f32>>\n    %v = tt.load %yp : tensor<4x!tt.ptr<f32>>\n"
      "    %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %b = %v) -> (tensor<4xf32>, tensor<4xf32>)  : i32 "
      "{\n"
      "      %t = arith.addf %a, %b : tensor<4xf32>\n      scf.yield %b, %t : tensor<4xf32>, tensor<4xf32>\n    }\n"
      "    tt.store %xp, %s#0 : tensor<4x!tt.ptr<f32>>\n    tt.store %yp, %s#1 : tensor<4x!tt.ptr<f32>>\n"));
  h.tensor(std::vector<float>{0, 1, 2, 3});
  h.tensor(std::vector<float>{1, 1, 1, 1});
  h.scalar(5);
  h.run();
  EXPECT_EQ(h.values<float>(0), (std::vector<float>{5, 8, 11, 14}));
  EXPECT_EQ(h.values<float>(1), (std::vector<float>{8, 13, 18, 23}));
}

TEST(Control, LoopNearTheEndOfItsTypeEnds) {
  const std::string body =
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %lo = arith.constant 2147483640 : i32\n "
      "   %hi = arith.constant 2147483647 : i32\n    %st = arith.constant 1 : i32\n"
      "    %s = scf.for %i = %lo to %hi step %st iter_args(%a = %c0) -> (i32)  : i32 {\n      %t = arith.addi %a, %c1 "
      ": i32\n      scf.yield %t : i32\n    }\n"
      "    tt.store %x, %s : !tt.ptr<i32>\n";
  EXPECT_EQ(run_scalar(body, 0), 7);
}

/// As on an H100: `range(2**19, 4094*2**19, 5*2**19)` with the step known at run time makes 2,457 turns (measured).
TEST(Control, CounterWrapsAndIsReported) {
  Harness h(kernel("%x: !tt.ptr<i32>, %n: i32",
                   "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
                   "    %lo = arith.constant 524288 : i32\n    %hi = arith.constant 2146435072 : i32\n"
                   "    %s:2 = scf.for %i = %lo to %hi step %n iter_args(%a = %c0, %b = %c0) -> (i32, i32)  : i32 {\n"
                   "      %t = arith.addi %a, %c1 : i32\n      scf.yield %t, %i : i32, i32\n    }\n"
                   "    tt.store %x, %s#0 : !tt.ptr<i32>\n    %y = tt.addptr %x, %c1 : !tt.ptr<i32>, i32\n"
                   "    tt.store %y, %s#1 : !tt.ptr<i32>\n"));
  h.tensor(std::vector<std::int32_t>{-1, -1});
  h.scalar(2621440);
  const LaunchReport report = h.run();
  EXPECT_EQ(h.values<std::int32_t>(0), (std::vector<std::int32_t>{2457, 2143813632}));
  ASSERT_EQ(report.findings.findings().size(), 1u);
  const Finding& found = report.findings.findings()[0];
  EXPECT_EQ(found.code, FindingCode::LS508);
  EXPECT_EQ(found.count, 1u);
  EXPECT_NE(found.message.find("makes 819 turns in Python, but after 2144862208 comes -2147483648"), std::string::npos)
      << found.message;
  EXPECT_NE(found.message.find("makes 2457 turns"), std::string::npos) << found.message;
}

TEST(Control, CounterThatNeverEndsIsLeftWhereItWraps) {
  Harness h(kernel("%x: !tt.ptr<i32>, %n: i32",
                   "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
                   "    %hi = arith.constant 2147483647 : i32\n"
                   "    %s = scf.for %i = %c0 to %hi step %n iter_args(%a = %c0) -> (i32)  : i32 {\n"
                   "      %t = arith.addi %a, %c1 : i32\n      scf.yield %t : i32\n    }\n"
                   "    tt.store %x, %s : !tt.ptr<i32>\n"));
  h.tensor(std::vector<std::int32_t>{-1});
  h.scalar(1 << 30);
  const LaunchReport report = h.run();
  EXPECT_EQ(h.values<std::int32_t>(0), (std::vector<std::int32_t>{2}));
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_NE(report.findings.findings()[0].message.find("never ends"), std::string::npos);
}

TEST(Control, LoopWithoutPositiveStepIsReported) {
  Harness h(kernel("%x: !tt.ptr<i32>, %n: i32",
                   "    %c0 = arith.constant 0 : i32\n    %c9 = arith.constant 9 : i32\n"
                   "    scf.for %i = %c0 to %c9 step %n  : i32 {\n      tt.store %x, %i : !tt.ptr<i32>\n    }\n"));
  h.tensor(std::vector<std::int32_t>{-1});
  h.scalar(0);
  const LaunchReport report = h.run();
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS902);
}

TEST(Control, WhileWithTwoValues) {
  const std::string body =
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %c2 = arith.constant 2 : i32\n    %c3 = "
      "arith.constant 3 : i32\n"
      "    %w:2 = scf.while (%a = %n, %k = %c0) : (i32, i32) -> (i32, i32) {\n      %go = arith.cmpi ne, %a, %c1 : "
      "i32\n      scf.condition(%go) %a, %k : i32, i32\n"
      "    } do {\n    ^bb0(%b: i32, %m: i32):\n      %o = arith.remsi %b, %c2 : i32\n      %odd = arith.cmpi eq, %o, "
      "%c1 : i32\n"
      "      %h = arith.divsi %b, %c2 : i32\n      %t = arith.muli %b, %c3 : i32\n      %t1 = arith.addi %t, %c1 : "
      "i32\n"
      "      %next = arith.select %odd, %t1, %h : i32\n      %m1 = arith.addi %m, %c1 : i32\n      scf.yield %next, "
      "%m1 : i32, i32\n    }\n"
      "    tt.store %x, %w#1 : !tt.ptr<i32>\n";
  EXPECT_EQ(run_scalar(body, 27), 111);  // Collatz steps
}

TEST(Control, BlocksWithArgumentsAndEarlyReturn) {
  const std::string body =
      "    %c0 = arith.constant 0 : i32\n    %c7 = arith.constant 7 : i32\n    %small = arith.cmpi slt, %n, %c7 : i32\n"
      "    cf.cond_br %small, ^bb1, ^bb2\n  ^bb1:\n    tt.store %x, %c7 : !tt.ptr<i32>\n    tt.return\n"
      "  ^bb2:\n    %d = arith.addi %n, %n : i32\n    cf.br ^bb3(%d : i32)\n  ^bb3(%e: i32):\n    tt.store %x, %e : "
      "!tt.ptr<i32>\n";
  EXPECT_EQ(run_scalar(body, 3), 7);
  EXPECT_EQ(run_scalar(body, 10), 20);
}

TEST(Control, LoopOfBlocks) {
  const std::string body =
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    cf.br ^bb1(%c0, %c0 : i32, i32)\n"
      "  ^bb1(%i: i32, %s: i32):\n    %go = arith.cmpi slt, %i, %n : i32\n    cf.cond_br %go, ^bb2, ^bb3\n"
      "  ^bb2:\n    %s1 = arith.addi %s, %i : i32\n    %i1 = arith.addi %i, %c1 : i32\n    cf.br ^bb1(%i1, %s1 : i32, "
      "i32)\n"
      "  ^bb3:\n    tt.store %x, %s : !tt.ptr<i32>\n";
  EXPECT_EQ(run_scalar(body, 100), 4950);
}

TEST(Control, CallsAreInlinedWithTheirOwnValues) {
  const std::string functions =
      "  tt.func private @f(%a: i32) -> i32 attributes {noinline = true} {\n    %c1 = arith.constant 1 : i32\n    %z = "
      "arith.cmpi sgt, %a, %c1 : i32\n"
      "    cf.cond_br %z, ^bb1, ^bb2\n  ^bb1:\n    %d = arith.muli %a, %a : i32\n    tt.return %d : i32\n  ^bb2:\n    "
      "tt.return %a : i32\n  }\n";
  const std::string body =
      "    %0 = tt.call @f(%n) : (i32) -> i32\n    %1 = tt.call @f(%0) : (i32) -> i32\n    %c1 = arith.constant 1 : "
      "i32\n"
      "    %2 = tt.call @f(%c1) : (i32) -> i32\n    %3 = arith.addi %1, %2 : i32\n    tt.store %x, %3 : !tt.ptr<i32>\n";
  EXPECT_EQ(run_scalar(body, 3, functions), 82);
}

TEST(Control, RecursionIsRefusedByName) {
  const std::string functions =
      "  tt.func private @f(%a: i32) -> i32 {\n    %0 = tt.call @f(%a) : (i32) -> i32\n    tt.return %0 : i32\n  }\n";
  std::string text = kernel("%x: !tt.ptr<i32>, %n: i32",
                            "    %0 = tt.call @f(%n) : (i32) -> i32\n    tt.store %x, %0 : !tt.ptr<i32>\n");
  text.insert(text.rfind('}'), functions);
  Harness h(text);
  h.tensor(std::vector<std::int32_t>(1));
  h.scalar(1);
  h.expects_refusal = true;
  h.run();
  EXPECT_TRUE(h.was_unsupported);
  EXPECT_NE(h.diagnostics.find("recursive"), std::string::npos);
}

TEST(Control, PrintAndAssert) {
  Harness h(kernel("%x: !tt.ptr<i32>, %n: i32",
                   "    %r = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>\n    %ns = tt.splat %n : "
                   "i32 -> tensor<2xi32>\n"
                   "    %v = arith.subi %r, %ns : tensor<2xi32>\n    %p = tt.get_program_id x : i32\n"
                   "    tt.print \" v: \" {hex = false, isSigned = array<i32: 1>} : %v : tensor<2xi32>\n"
                   "    tt.print \" h: \" {hex = true, isSigned = array<i32: 1, 1>} : %p, %v : i32, tensor<2xi32>\n"
                   "    %m = arith.cmpi eq, %v, %r : tensor<2xi32>\n    tt.assert %m, \"v changed\" : tensor<2xi1>\n"));
  h.tensor(std::vector<std::int32_t>(1));
  h.scalar(1);
  const LaunchReport report = h.run({2, 1, 1});
  EXPECT_EQ(h.printed.substr(0, h.printed.find("pid (1")),
            "pid (0, 0, 0) idx (0) v: -1\npid (0, 0, 0) idx (1) v: 0\npid (0, 0, 0) idx () h: (operand 0) 0x00000000\n"
            "pid (0, 0, 0) idx (0) h: (operand 1) 0xffffffff\npid (0, 0, 0) idx (1) h: (operand 1) 0x00000000\n");
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS120);
  EXPECT_EQ(report.findings.findings()[0].message, "device assert failed: v changed");
  EXPECT_EQ(report.findings.findings()[0].programs, 2u);
}

}  // namespace
}  // namespace lockstep::interpreter
