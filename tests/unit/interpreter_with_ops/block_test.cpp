// Blocks and atomics where tests/ops cannot look: the number of threads, arguments made by the host, pointers that come
// from memory, and numbers that leave 64 bits.
#include <limits>

#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

// ---- the same bytes for any number of threads ----

const std::string kTiles =
    "    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
    "    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>\n"
    "    %xp = tt.addptr %xs, %r : tensor<32x!tt.ptr<i32>>, tensor<32xi32>\n"
    "    %p = tt.get_program_id x : i32\n    %t = arith.constant dense<true> : tensor<32xi1>\n"
    "    %ps = tt.splat %p : i32 -> tensor<32xi32>\n    %v = arith.addi %ps, %r : tensor<32xi32>\n";

std::string update(const std::string& kind, const std::string& name) {
  return "    %" + name + " = tt.atomic_rmw " + kind +
         ", relaxed, gpu, %xp, %v, %t : (tensor<32x!tt.ptr<i32>>, tensor<32xi32>, tensor<32xi1>) -> tensor<32xi32>\n";
}

std::vector<std::int32_t> run_with(const std::string& body, std::int32_t start, unsigned threads, unsigned* used) {
  Harness h(kernel("%x: !tt.ptr<i32>", body));
  h.tensor(std::vector<std::int32_t>(32, start));
  const LaunchReport report = h.run({20'000, 1, 1}, threads);  // too many for the calling thread alone
  if (used != nullptr) *used = report.threads;
  return h.values<std::int32_t>(0);
}

TEST(Atomics, OneKindRunsSideBySide) {
  unsigned used = 0;
  run_with(kTiles + update("add", "a"), 0, 4, &used);
  EXPECT_EQ(used, 4u);
}

TEST(Atomics, KindsThatShowTheirOrderRunInOrder) {
  for (const auto& [first, second] : {std::pair{"add", "max"}, std::pair{"and", "or"}, std::pair{"xor", "umax"}}) {
    const std::string body = kTiles + update(first, "a") + update(second, "b");
    unsigned used = 0;
    const auto one = run_with(body, 0x55, 1, nullptr);
    EXPECT_EQ(run_with(body, 0x55, 8, &used), one) << first << second;
    EXPECT_EQ(used, 1u);
  }
}

TEST(Atomics, HalvesOfAFloatMaximumRunSideBySide) {
  unsigned used = 0;
  const std::string masks =
      "    %zero = arith.constant dense<0> : tensor<32xi32>\n    %half = arith.constant dense<150> : tensor<32xi32>\n"
      "    %s = arith.subi %v, %half : tensor<32xi32>\n"
      "    %pos = arith.cmpi sge, %s, %zero : tensor<32xi32>\n    %neg = arith.cmpi slt, %s, %zero : tensor<32xi32>\n";
  const auto half = [](const std::string& kind, const std::string& mask) {
    return "    %" + mask + "v = tt.atomic_rmw " + kind + ", relaxed, gpu, %xp, %s, %" + mask +
           " : (tensor<32x!tt.ptr<i32>>, tensor<32xi32>, tensor<32xi1>) -> tensor<32xi32>\n";
  };
  const std::string body = kTiles + masks + half("max", "pos") + half("umin", "neg");
  const auto one = run_with(body, -7, 1, nullptr);
  EXPECT_EQ(run_with(body, -7, 8, &used), one);
  EXPECT_EQ(used, 8u);
}

TEST(Atomics, HalvesWithOtherSignsRunInOrder) {
  const std::string body = kTiles + update("max", "a") + update("umin", "b");  // umin of positive numbers
  unsigned used = 0;
  const auto one = run_with(body, -7, 1, nullptr);
  EXPECT_EQ(run_with(body, -7, 8, &used), one);
  EXPECT_EQ(used, 1u);
}

// ---- descriptors that the host makes ----

const std::string kFromHost =
    kernel("%d: !tt.tensordesc<tensor<2x8xf16>>, %o: !tt.ptr<f16>",
           "    %c1 = arith.constant 1 : i32\n    %c8 = arith.constant 8 : i32\n"
           "    %v = tt.descriptor_load %d[%c1, %c8] : !tt.tensordesc<tensor<2x8xf16>> -> tensor<2x8xf16>\n"
           "    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
           "    %f = tt.reshape %v : tensor<2x8xf16> -> tensor<16xf16>\n"
           "    %os = tt.splat %o : !tt.ptr<f16> -> tensor<16x!tt.ptr<f16>>\n"
           "    %op = tt.addptr %os, %r : tensor<16x!tt.ptr<f16>>, tensor<16xi32>\n"
           "    tt.store %op, %f : tensor<16x!tt.ptr<f16>>\n");

TEST(Descriptors, FromTheHostWithNanOutside) {
  Harness h(kFromHost);
  std::vector<std::uint16_t> memory(32);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::uint16_t>(i);
  const std::size_t base = h.spare(memory);
  h.descriptor(base, {2, 12}, {16, 1}, true);
  const std::size_t out = h.tensor(std::vector<std::uint16_t>(16));
  h.run();
  const std::uint16_t nan = 0x7e00;
  EXPECT_EQ(h.values<std::uint16_t>(out),
            (std::vector<std::uint16_t>{24, 25, 26, 27, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}));
}

TEST(Descriptors, NeedTheRightArgument) {
  Harness h(kFromHost);
  h.expects_refusal = true;
  h.tensor(std::vector<std::uint16_t>(32));
  h.tensor(std::vector<std::uint16_t>(16));
  h.run();
  EXPECT_NE(h.diagnostics.find("argument 0 must be a tensor descriptor"), std::string::npos) << h.diagnostics;
}

TEST(Descriptors, RanksThatCannotBeHeldAreRefused) {
  for (const char* type : {"!tt.ptr<tensor<1x1x1x1x1x1x4xf32>>", "!tt.tensordesc<tensor<1x1x1x1x1x4xf32>>"}) {
    Harness h(kernel("%d: " + std::string(type) + ", %o: !tt.ptr<f32>",
                     type[4] == 't'
                         ? "    %c = arith.constant 0 : i32\n    %v = tt.descriptor_load %d[%c, %c, %c, %c, %c, "
                           "%c] : " +
                               std::string(type) + " -> tensor<1x1x1x1x1x4xf32>\n"
                         : ""));
    h.expects_refusal = true;
    h.tensor(std::vector<float>(4));
    h.tensor(std::vector<float>(4));
    h.run();
    EXPECT_FALSE(h.diagnostics.empty()) << type;
  }
}

// ---- block pointers ----

TEST(BlockPointers, NumbersThatLeave64Bits) {
  for (const char* number : {"9223372036854775807", "-9223372036854775808", "4611686018427387905"}) {
    const std::string body =
        "    %n = arith.constant " + std::string(number) +
        " : i64\n    %c3 = arith.constant 3 : i32\n    %far = arith.constant 2147483647 : i32\n"
        "    %a = tt.make_tensor_ptr %x, [%n, %n], [%n, %n], [%c3, %far] {order = array<i32: 1, 0>} : "
        "<tensor<4x8xf32>>\n"
        "    %b = tt.advance %a, [%far, %far] : <tensor<4x8xf32>>\n"
        "    %v = tt.load %a {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<4x8xf32>>\n"
        "    %w = tt.load %b : !tt.ptr<tensor<4x8xf32>>\n"
        "    tt.store %b, %v {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<4x8xf32>>\n"
        "    tt.store %a, %w : !tt.ptr<tensor<4x8xf32>>\n";
    Harness h(kernel("%x: !tt.ptr<f32>", body));
    h.tensor(iota_f32(8));
    h.run();
    EXPECT_EQ(h.values<float>(0), iota_f32(8)) << number;
  }
}

TEST(BlockPointers, PoisonReadsNothing) {
  Harness h(kernel("%x: !tt.ptr<f32>",
                   "    %a = ub.poison : !tt.ptr<tensor<8xf32>>\n"
                   "    %v = tt.load %a {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf32>>\n"
                   "    tt.store %a, %v : !tt.ptr<tensor<8xf32>>\n"));
  h.tensor(iota_f32(8));
  const LaunchReport report = h.run();
  EXPECT_EQ(h.values<float>(0), iota_f32(8));
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS106);
}

TEST(BlockPointers, OtherOpsDoNotLookInside) {
  const std::string pointer = "!tt.ptr<tensor<4xf32>>";
  for (const std::string& op :
       {"%q = tt.bitcast %p : " + pointer + " -> !tt.ptr<tensor<2x2x4xf32>>",
        "%q = tt.ptr_to_int %p : " + pointer + " -> i64", "%q = tt.int_to_ptr %c1 : i64 -> " + pointer,
        "tt.print \" a: \" {hex = false, isSigned = array<i32: 0>} : %p : " + pointer}) {
    Harness h(
        kernel("%x: !tt.ptr<f32>",
               "    %c1 = arith.constant 1 : i64\n    %c0 = arith.constant 0 : i32\n"
               "    %p = tt.make_tensor_ptr %x, [%c1], [%c1], [%c0] {order = array<i32: 0>} : <tensor<4xf32>>\n    " +
                   op + "\n"));
    h.expects_refusal = true;
    h.tensor(std::vector<float>(4));
    h.run();
    EXPECT_TRUE(h.was_unsupported) << op << h.diagnostics;
  }
}

// ---- pointers from memory ----

const std::string kThroughTable =
    kernel("%t: !tt.ptr<!tt.ptr<f32>>, %x: !tt.ptr<f32>",
           "    %p = tt.load %t : !tt.ptr<!tt.ptr<f32>>\n    %two = arith.constant 2.0 : f32\n"
           "    tt.store %p, %two : !tt.ptr<f32>\n");

TEST(PointersFromMemory, ReachArguments) {
  Harness h(kThroughTable);
  h.tensor(std::vector<std::int64_t>{0});
  h.tensor(iota_f32(4));
  h.poke(0, 0, h.address(1) + 8);
  EXPECT_TRUE(h.run().findings.findings().empty());
  EXPECT_EQ(h.values<float>(1), (std::vector<float>{0, 1, 2, 3}));
  h.poke(0, 0, h.address(1) + 12);
  h.run();
  EXPECT_EQ(h.values<float>(1), (std::vector<float>{0, 1, 2, 2}));
}

TEST(PointersFromMemory, ThatReachNothingAreFindings) {
  for (const std::int64_t past : {16, -4, 14, 1 << 28}) {
    Harness h(kThroughTable);
    h.tensor(std::vector<std::int64_t>{0});
    h.tensor(iota_f32(4));
    h.poke(0, 0, h.address(1) + static_cast<std::uint64_t>(past));
    const LaunchReport report = h.run();
    ASSERT_EQ(report.findings.findings().size(), 1u) << past;
    EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS101);
    EXPECT_EQ(h.values<float>(1), iota_f32(4));
    if (past == 16) {
      EXPECT_NE(report.findings.findings()[0].message.find("0 bytes past the end of 'a1'"), std::string::npos)
          << report.findings.findings()[0].message;
    }
  }
}

}  // namespace
}  // namespace lockstep::interpreter
