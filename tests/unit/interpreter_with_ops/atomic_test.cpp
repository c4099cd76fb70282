// Atomics: every kind and width, masks, old values, compare and swap on tiles; small floats and one-bit integers
// elsewhere.
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

/// Applies one atomic to four cells (the last lane masked off) and stores the old values.
std::string rmw(const std::string& kind, const std::string& type) {
  const std::string p = "tensor<4x!tt.ptr<" + type + ">>", v = "tensor<4x" + type + ">";
  return kernel("%x: !tt.ptr<" + type + ">, %v: !tt.ptr<" + type + ">, %o: !tt.ptr<" + type + ">",
                "    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n    %c3 = arith.constant "
                "dense<3> : tensor<4xi32>\n"
                "    %m = arith.cmpi slt, %r, %c3 : tensor<4xi32>\n"
                "    %xs = tt.splat %x : !tt.ptr<" +
                    type + "> -> " + p + "\n    %xp = tt.addptr %xs, %r : " + p +
                    ", tensor<4xi32>\n"
                    "    %vs = tt.splat %v : !tt.ptr<" +
                    type + "> -> " + p + "\n    %vp = tt.addptr %vs, %r : " + p +
                    ", tensor<4xi32>\n"
                    "    %os = tt.splat %o : !tt.ptr<" +
                    type + "> -> " + p + "\n    %op = tt.addptr %os, %r : " + p +
                    ", tensor<4xi32>\n"
                    "    %d = tt.load %vp : " +
                    p +
                    "\n"
                    "    %old = tt.atomic_rmw " +
                    kind + ", acq_rel, gpu, %xp, %d, %m : (" + p + ", " + v + ", tensor<4xi1>) -> " + v +
                    "\n"
                    "    tt.store %op, %old : " +
                    p + "\n");
}

template <typename T>
void check(const std::string& kind, const std::string& type, ScalarKind scalar, std::vector<T> x, std::vector<T> v,
           std::vector<T> expected) {
  Harness h(rmw(kind, type));
  h.tensor(x, scalar);
  h.tensor(v, scalar);
  h.tensor(std::vector<T>(4), scalar);
  h.run();
  EXPECT_EQ(h.values<T>(0), expected) << kind << " " << type;
  x[3] = 0;  // masked off
  EXPECT_EQ(h.values<T>(2), x) << kind << " " << type;
}

TEST(Atomic, IntegerKinds) {
  using V = std::vector<std::int32_t>;
  const V x{5, -1, INT32_MAX, 9}, v{3, 7, 1, 9};
  check<std::int32_t>("add", "i32", ScalarKind::i32, x, v, {8, 6, INT32_MIN, 9});
  check<std::int32_t>("and", "i32", ScalarKind::i32, x, v, {1, 7, 1, 9});
  check<std::int32_t>("or", "i32", ScalarKind::i32, x, v, {7, -1, INT32_MAX, 9});
  check<std::int32_t>("xor", "i32", ScalarKind::i32, x, v, {6, -8, INT32_MAX - 1, 9});
  check<std::int32_t>("max", "i32", ScalarKind::i32, x, v, {5, 7, INT32_MAX, 9});
  check<std::int32_t>("min", "i32", ScalarKind::i32, x, v, {3, -1, 1, 9});
  check<std::int32_t>("umax", "i32", ScalarKind::i32, x, v, {5, -1, INT32_MAX, 9});
  check<std::int32_t>("umin", "i32", ScalarKind::i32, x, v, {3, 7, 1, 9});
  check<std::int32_t>("exch", "i32", ScalarKind::i32, x, v, {3, 7, 1, 9});
  check<std::int64_t>("add", "i64", ScalarKind::i64, {INT64_MAX, 1, 2, 3}, {1, 1, 1, 1}, {INT64_MIN, 2, 3, 3});
}

TEST(Atomic, FloatAdditions) {
  check<float>("fadd", "f32", ScalarKind::f32, {1, 2, 3, 4}, {0.5f, 1e9f, -3, 1}, {1.5f, 1e9f, 0, 4});
  check<double>("fadd", "f64", ScalarKind::f64, {1, 2, 3, 4}, {0.5, 1e9, -3, 1}, {1.5, 1000000002.0, 0, 4});
  const auto bits = [](ScalarKind kind, std::vector<double> values) {
    std::vector<std::uint16_t> out;
    for (const double value : values) out.push_back(static_cast<std::uint16_t>(encode_float(kind, value)));
    return out;
  };
  for (const auto& [type, kind] : {std::pair{"f16", ScalarKind::f16}, std::pair{"bf16", ScalarKind::bf16}}) {
    check<std::uint16_t>("fadd", type, kind, bits(kind, {1, 2, 2048, 0}), bits(kind, {0.5, 0.25, 1, 1}),
                         bits(kind, {1.5, 2.25, 2049, 0}));
  }
}

TEST(Atomic, SeveralLanesOnOneCellAreAppliedInOrder) {
  Harness h(kernel("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>",
                   "    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n    %one = arith.constant "
                   "dense<1> : tensor<4xi32>\n"
                   "    %t = arith.constant dense<true> : tensor<4xi1>\n    %xs = tt.splat %x : !tt.ptr<i32> -> "
                   "tensor<4x!tt.ptr<i32>>\n"
                   "    %os = tt.splat %o : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>\n    %op = tt.addptr %os, %r : "
                   "tensor<4x!tt.ptr<i32>>, tensor<4xi32>\n"
                   "    %old = tt.atomic_rmw add, relaxed, gpu, %xs, %one, %t : (tensor<4x!tt.ptr<i32>>, "
                   "tensor<4xi32>, tensor<4xi1>) -> tensor<4xi32>\n"
                   "    tt.store %op, %old : tensor<4x!tt.ptr<i32>>\n"));
  h.tensor(std::vector<std::int32_t>{10});
  h.tensor(std::vector<std::int32_t>(4));
  h.run();
  EXPECT_EQ(h.values<std::int32_t>(0)[0], 14);
  EXPECT_EQ(h.values<std::int32_t>(1), (std::vector<std::int32_t>{10, 11, 12, 13}));
}

TEST(Atomic, CompareAndSwapOnTiles) {
  Harness h(kernel("%x: !tt.ptr<i64>, %o: !tt.ptr<i64>",
                   "    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n    %two = arith.constant "
                   "dense<2> : tensor<4xi64>\n"
                   "    %nine = arith.constant dense<9> : tensor<4xi64>\n    %xs = tt.splat %x : !tt.ptr<i64> -> "
                   "tensor<4x!tt.ptr<i64>>\n"
                   "    %xp = tt.addptr %xs, %r : tensor<4x!tt.ptr<i64>>, tensor<4xi32>\n"
                   "    %os = tt.splat %o : !tt.ptr<i64> -> tensor<4x!tt.ptr<i64>>\n    %op = tt.addptr %os, %r : "
                   "tensor<4x!tt.ptr<i64>>, tensor<4xi32>\n"
                   "    %old = tt.atomic_cas acq_rel, gpu, %xp, %two, %nine : (tensor<4x!tt.ptr<i64>>, tensor<4xi64>, "
                   "tensor<4xi64>) -> tensor<4xi64>\n"
                   "    tt.store %op, %old : tensor<4x!tt.ptr<i64>>\n"));
  h.tensor(std::vector<std::int64_t>{1, 2, 3, 2});
  h.tensor(std::vector<std::int64_t>(4));
  h.run();
  EXPECT_EQ(h.values<std::int64_t>(0), (std::vector<std::int64_t>{1, 9, 3, 9}));
  EXPECT_EQ(h.values<std::int64_t>(1), (std::vector<std::int64_t>{1, 2, 3, 2}));
}

TEST(Atomic, OutOfBoundsLanesTouchNothing) {
  Harness h(rmw("add", "i32"));
  h.tensor(std::vector<std::int32_t>{1, 2});
  h.tensor(std::vector<std::int32_t>{1, 1, 1, 1});
  h.tensor(std::vector<std::int32_t>(4));
  const LaunchReport report = h.run();
  EXPECT_EQ(h.values<std::int32_t>(0), (std::vector<std::int32_t>{2, 3}));
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS101);
  EXPECT_EQ(report.findings.findings()[0].op, "tt.atomic_rmw");
}

TEST(Elementwise, OneBitIntegersWrap) {
  Harness h(
      kernel("%x: !tt.ptr<i32>",
             "    %t = arith.constant true\n    %f = arith.constant false\n    %a = arith.addi %t, %t : i1\n    %s = "
             "arith.subi %f, %t : i1\n"
             "    %m = arith.muli %t, %t : i1\n    %n = arith.xori %t, %t : i1\n    %c1 = arith.constant 1 : i32\n"
             "    %ax = arith.extui %a : i1 to i32\n    %sx = arith.extui %s : i1 to i32\n    %mx = arith.extsi %m : "
             "i1 to i32\n    %nx = arith.extui %n : i1 to i32\n"
             "    %p1 = tt.addptr %x, %c1 : !tt.ptr<i32>, i32\n    %p2 = tt.addptr %p1, %c1 : !tt.ptr<i32>, i32\n    "
             "%p3 = tt.addptr %p2, %c1 : !tt.ptr<i32>, i32\n"
             "    tt.store %x, %ax : !tt.ptr<i32>\n    tt.store %p1, %sx : !tt.ptr<i32>\n    tt.store %p2, %mx : "
             "!tt.ptr<i32>\n    tt.store %p3, %nx : !tt.ptr<i32>\n"));
  h.tensor(std::vector<std::int32_t>(4, 7));
  h.run();
  EXPECT_EQ(h.values<std::int32_t>(0), (std::vector<std::int32_t>{0, 1, -1, 0}));
}

TEST(Elementwise, SmallFloatsRoundAfterEveryOperation) {
  Harness h(kernel("%x: !tt.ptr<f16>",
                   "    %v = tt.load %x : !tt.ptr<f16>\n    %a = arith.constant 1.000000e+00 : f16\n    %s = "
                   "arith.addf %v, %a : f16\n"
                   "    %t = arith.addf %s, %a : f16\n    tt.store %x, %t : !tt.ptr<f16>\n"));
  h.tensor(std::vector<std::uint16_t>{static_cast<std::uint16_t>(encode_float(ScalarKind::f16, 2048))},
           ScalarKind::f16);
  h.run();
  EXPECT_EQ(decode_float(ScalarKind::f16, h.values<std::uint16_t>(0)[0]), 2048.0);
}

}  // namespace
}  // namespace lockstep::interpreter
