// Reductions, scans and shape ops.
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

const char* const kLoad8 =
    "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
    "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n    %xp = tt.addptr %xs, %r : "
    "tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
    "    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n    %yp = tt.addptr %ys, %r : "
    "tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
    "    %v = tt.load %xp : tensor<8x!tt.ptr<f32>>\n";
const char* const kTwo = "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>";

std::vector<float> run8(const std::string& body, const std::vector<float>& in) {
  Harness h(kernel(kTwo, kLoad8 + body));
  h.tensor(in);
  h.tensor(std::vector<float>(8));
  h.run();
  return h.values<float>(1);
}

TEST(Reduce, SumCombinesHalves) {
  const std::string body =
      "    %s = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n    ^bb0(%a: f32, %b: f32):\n      %c = arith.addf %a, %b : "
      "f32\n      tt.reduce.return %c : f32\n    }) : (tensor<8xf32>) -> f32\n"
      "    tt.store %y, %s : !tt.ptr<f32>\n";
  const std::vector<float> in{1e8f, 1, 3, 1, -1e8f, 1, -3, 1};
  const float expected = ((in[0] + in[4]) + (in[2] + in[6])) + ((in[1] + in[5]) + (in[3] + in[7]));
  EXPECT_EQ(run8(body, in)[0], expected);
}

/// argmax with ties to the left: two operands, a region of compares and selects.
TEST(Reduce, ArgMax) {
  const std::string body =
      "    %s:2 = \"tt.reduce\"(%v, %r) <{axis = 0 : i32}> ({\n    ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):\n"
      "      %eq = arith.cmpf oeq, %a, %b : f32\n      %lt = arith.cmpi slt, %i, %j : i32\n      %tie = arith.andi "
      "%eq, %lt : i1\n"
      "      %gt = arith.cmpf ogt, %a, %b : f32\n      %take = arith.ori %gt, %tie : i1\n"
      "      %m = arith.select %take, %a, %b : f32\n      %k = arith.select %take, %i, %j : i32\n"
      "      tt.reduce.return %m, %k : f32, i32\n    }) : (tensor<8xf32>, tensor<8xi32>) -> (f32, i32)\n"
      "    %f = arith.sitofp %s#1 : i32 to f32\n    %y1 = arith.constant 1 : i32\n    %yq = tt.addptr %y, %y1 : "
      "!tt.ptr<f32>, i32\n"
      "    tt.store %y, %s#0 : !tt.ptr<f32>\n    tt.store %yq, %f : !tt.ptr<f32>\n";
  const auto out = run8(body, {1, 7, 3, 7, 2, 7, -1, 0});
  EXPECT_EQ(out[0], 7);
  EXPECT_EQ(out[1], 1);
}

/// An axis of one element: nothing is combined, whatever the region.
TEST(Reduce, AxisOfOneElement) {
  const std::string body =
      "    %m = tt.reshape %v : tensor<8xf32> -> tensor<8x1xf32>\n    %q = tt.reshape %r : tensor<8xi32> -> "
      "tensor<8x1xi32>\n"
      "    %s:2 = \"tt.reduce\"(%m, %q) <{axis = 1 : i32}> ({\n    ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):\n"
      "      %gt = arith.cmpf ogt, %a, %b : f32\n      %c = arith.select %gt, %a, %b : f32\n      %k = arith.select "
      "%gt, %i, %j : i32\n"
      "      tt.reduce.return %c, %k : f32, i32\n    }) : (tensor<8x1xf32>, tensor<8x1xi32>) -> (tensor<8xf32>, "
      "tensor<8xi32>)\n"
      "    tt.store %yp, %s#0 : tensor<8x!tt.ptr<f32>>\n";
  EXPECT_EQ(run8(body, iota_f32(8, 3)), iota_f32(8, 3));
}

/// A region with control flow runs element by element in the same order.
TEST(Reduce, RegionWithControlFlow) {
  const std::string body =
      "    %s = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n    ^bb0(%a: f32, %b: f32):\n      %g = arith.cmpf ogt, %a, "
      "%b : f32\n"
      "      %c = scf.if %g -> (f32) {\n        scf.yield %a : f32\n      } else {\n        %d = arith.addf %a, %b : "
      "f32\n        scf.yield %d : f32\n      }\n"
      "      tt.reduce.return %c : f32\n    }) : (tensor<8xf32>) -> f32\n    tt.store %y, %s : !tt.ptr<f32>\n";
  const std::vector<float> in{3, 1, 4, 1, 5, 9, 2, 6};
  const auto f = [](float a, float b) { return a > b ? a : a + b; };
  const float expected = f(f(f(in[0], in[4]), f(in[2], in[6])), f(f(in[1], in[5]), f(in[3], in[7])));
  EXPECT_EQ(run8(body, in)[0], expected);
}

/// A lifted region over rows and columns of a matrix gives what single elements give.
TEST(Reduce, LiftedRegionOverBothAxes) {
  for (const int axis : {0, 1}) {
    const std::string a = std::to_string(axis);
    Harness h(kernel(
        kTwo, std::string(kLoad8) + "    %m = tt.reshape %v : tensor<8xf32> -> tensor<" + (axis == 0 ? "4x2" : "2x4") +
                  "xf32>\n"
                  "    %half = arith.constant 5.000000e-01 : f32\n"
                  "    %s = \"tt.reduce\"(%m) <{axis = " +
                  a +
                  " : i32}> ({\n    ^bb0(%p: f32, %q: f32):\n      %t = arith.mulf %q, %half : f32\n"
                  "      %u = arith.subf %p, %t : f32\n      tt.reduce.return %u : f32\n    }) : (tensor<" +
                  (axis == 0 ? "4x2" : "2x4") +
                  "xf32>) -> tensor<2xf32>\n"
                  "    %r2 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>\n    %y2 = tt.splat %y : "
                  "!tt.ptr<f32> -> tensor<2x!tt.ptr<f32>>\n"
                  "    %yq = tt.addptr %y2, %r2 : tensor<2x!tt.ptr<f32>>, tensor<2xi32>\n    tt.store %yq, %s : "
                  "tensor<2x!tt.ptr<f32>>\n"));
    const std::vector<float> in{3, 1, 4, 1, 5, 9, 2, 6};
    h.tensor(in);
    h.tensor(std::vector<float>(8));
    h.run();
    const auto f = [](float p, float q) { return p - q * 0.5f; };
    for (std::size_t i = 0; i < 2; ++i) {
      const auto at = [&](std::size_t k) { return axis == 0 ? in[k * 2 + i] : in[i * 4 + k]; };
      EXPECT_EQ(h.values<float>(1)[i], f(f(at(0), at(2)), f(at(1), at(3)))) << axis;
    }
  }
}

TEST(Scan, SumForwardAndReverse) {
  for (const bool reverse : {false, true}) {
    const std::string body =
        "    %s = \"tt.scan\"(%v) <{axis = 0 : i32, reverse = " + std::string(reverse ? "true" : "false") +
        "}> ({\n    ^bb0(%a: f32, %b: f32):\n      %c = arith.addf %a, %b : f32\n      tt.scan.return %c : f32\n    }) "
        ": (tensor<8xf32>) -> tensor<8xf32>\n"
        "    tt.store %yp, %s : tensor<8x!tt.ptr<f32>>\n";
    const auto out = run8(body, {1, 2, 3, 4, 5, 6, 7, 8});
    EXPECT_EQ(out, reverse ? (std::vector<float>{36, 35, 33, 30, 26, 21, 15, 8})
                           : (std::vector<float>{1, 3, 6, 10, 15, 21, 28, 36}));
  }
}

/// The affine recurrence of the GPU measurements: 1, a*b, ... forward and reverse.
TEST(Scan, TwoOperands) {
  for (const bool reverse : {false, true}) {
    Harness h(kernel(kTwo,
                     "    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n    %one = "
                     "arith.constant dense<1> : tensor<4xi32>\n"
                     "    %ri = arith.addi %r, %one : tensor<4xi32>\n    %u = arith.sitofp %ri : tensor<4xi32> to "
                     "tensor<4xf32>\n    %five = arith.constant dense<1.0> : tensor<4xf32>\n"
                     "    %w = arith.addf %u, %five : tensor<4xf32>\n"
                     "    %s:2 = \"tt.scan\"(%u, %w) <{axis = 0 : i32, reverse = " +
                         std::string(reverse ? "true" : "false") +
                         "}> ({\n"
                         "    ^bb0(%a1: f32, %b1: f32, %a2: f32, %b2: f32):\n      %a = arith.mulf %a1, %a2 : f32\n    "
                         "  %t = arith.mulf %b1, %a2 : f32\n"
                         "      %b = arith.addf %t, %b2 : f32\n      tt.scan.return %a, %b : f32, f32\n    }) : "
                         "(tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n"
                         "    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>\n    %yp = tt.addptr %ys, %r "
                         ": tensor<4x!tt.ptr<f32>>, tensor<4xi32>\n"
                         "    tt.store %yp, %s#1 : tensor<4x!tt.ptr<f32>>\n    %xs = tt.splat %x : !tt.ptr<f32> -> "
                         "tensor<4x!tt.ptr<f32>>\n"
                         "    %xp = tt.addptr %xs, %r : tensor<4x!tt.ptr<f32>>, tensor<4xi32>\n    tt.store %xp, %s#0 "
                         ": tensor<4x!tt.ptr<f32>>\n"));
    h.tensor(std::vector<float>(4));
    h.tensor(std::vector<float>(4));
    h.run();
    std::vector<float> a{1, 2, 3, 4}, b{2, 3, 4, 5};
    for (int k = 1; k < 4; ++k) {
      const auto at = static_cast<std::size_t>(reverse ? 3 - k : k),
                 before = static_cast<std::size_t>(reverse ? at + 1 : at - 1);
      b[at] = b[before] * a[at] + b[at];
      a[at] = a[before] * a[at];
    }
    EXPECT_EQ(h.values<float>(0), a);
    EXPECT_EQ(h.values<float>(1), b);
  }
}

TEST(Shape, TransJoinSplitCat) {
  const std::string trans =
      "    %m = tt.reshape %v : tensor<8xf32> -> tensor<2x4xf32>\n    %t = tt.trans %m {order = array<i32: 1, 0>} : "
      "tensor<2x4xf32> -> tensor<4x2xf32>\n"
      "    %f = tt.reshape %t : tensor<4x2xf32> -> tensor<8xf32>\n    tt.store %yp, %f : tensor<8x!tt.ptr<f32>>\n";
  EXPECT_EQ(run8(trans, iota_f32(8)), (std::vector<float>{0, 4, 1, 5, 2, 6, 3, 7}));
  const std::string split =
      "    %m = tt.reshape %v : tensor<8xf32> -> tensor<4x2xf32>\n    %l, %h = tt.split %m : tensor<4x2xf32> -> "
      "tensor<4xf32>\n"
      "    %c = tt.cat %h, %l : tensor<4xf32> -> tensor<8xf32>\n    tt.store %yp, %c : tensor<8x!tt.ptr<f32>>\n";
  EXPECT_EQ(run8(split, iota_f32(8)), (std::vector<float>{1, 3, 5, 7, 0, 2, 4, 6}));
  const std::string join =
      "    %m = tt.reshape %v : tensor<8xf32> -> tensor<4x2xf32>\n    %l, %h = tt.split %m : tensor<4x2xf32> -> "
      "tensor<4xf32>\n"
      "    %j = tt.join %h, %l : tensor<4xf32> -> tensor<4x2xf32>\n    %f = tt.reshape %j : tensor<4x2xf32> -> "
      "tensor<8xf32>\n    tt.store %yp, %f : tensor<8x!tt.ptr<f32>>\n";
  EXPECT_EQ(run8(join, iota_f32(8)), (std::vector<float>{1, 0, 3, 2, 5, 4, 7, 6}));
}

/// Tiles of many dimensions (as tl.sort makes them) with broadcasts and transposes.
TEST(Shape, ManyDimensions) {
  const std::string shape = "2x2x2x1x1x1x1", big = "2x2x2x2x1x1x1";
  const std::string body =
      "    %m = tt.reshape %v : tensor<8xf32> -> tensor<" + shape + "xf32>\n    %b = tt.broadcast %m : tensor<" +
      shape + "xf32> -> tensor<" + big +
      "xf32>\n"
      "    %t = tt.trans %b {order = array<i32: 3, 2, 1, 0, 4, 5, 6>} : tensor<" +
      big + "xf32> -> tensor<" + big +
      "xf32>\n"
      "    %f = tt.reshape %t : tensor<" +
      big +
      "xf32> -> tensor<2x8xf32>\n"
      "    %s = \"tt.reduce\"(%f) <{axis = 0 : i32}> ({\n    ^bb0(%p: f32, %q: f32):\n      %c = arith.addf %p, %q : "
      "f32\n      tt.reduce.return %c : f32\n    }) : (tensor<2x8xf32>) -> tensor<8xf32>\n"
      "    tt.store %yp, %s : tensor<8x!tt.ptr<f32>>\n";
  EXPECT_EQ(run8(body, iota_f32(8)), (std::vector<float>{0, 8, 4, 12, 2, 10, 6, 14}));
}

TEST(Shape, GatherAndHistogram) {
  Harness h(kernel(
      "%x: !tt.ptr<i32>, %y: !tt.ptr<i32>",
      "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
      "    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n    %xp = tt.addptr %xs, %r : "
      "tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n"
      "    %v = tt.load %xp : tensor<8x!tt.ptr<i32>>\n    %g = tt.gather %v[%v] {axis = 0 : i32} : (tensor<8xi32>, "
      "tensor<8xi32>) -> tensor<8xi32>\n"
      "    tt.store %xp, %g : tensor<8x!tt.ptr<i32>>\n    %hi = tt.histogram %v : tensor<8xi32> -> tensor<8xi32>\n"
      "    %ys = tt.splat %y : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n    %yp = tt.addptr %ys, %r : "
      "tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n"
      "    tt.store %yp, %hi : tensor<8x!tt.ptr<i32>>\n"));
  h.tensor(std::vector<std::int32_t>{7, 0, 3, 3, -1, 2, 8, 100});
  h.tensor(std::vector<std::int32_t>(8));
  h.run();
  EXPECT_EQ(h.values<std::int32_t>(0), (std::vector<std::int32_t>{100, 7, 3, 3, 100, 3, 7, -1}));
  EXPECT_EQ(h.values<std::int32_t>(1),
            (std::vector<std::int32_t>{1, 0, 1, 2, 1, 0, 0, 1}));  // S-100: 100 is 4 modulo 32
}

/// d = c + a b for every layout of the operands, against a loop.
TEST(Dot, AccumulatesTransposedOperands) {
  Harness h(kernel(
      kTwo,
      "    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>\n"
      "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>\n    %xp = tt.addptr %xs, %r : "
      "tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
      "    %v = tt.load %xp : tensor<256x!tt.ptr<f32>>\n    %a = tt.reshape %v : tensor<256xf32> -> tensor<16x16xf32>\n"
      "    %t = tt.trans %a {order = array<i32: 1, 0>} : tensor<16x16xf32> -> tensor<16x16xf32>\n"
      "    %d = tt.dot %a, %t, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>\n"
      "    %f = tt.reshape %d : tensor<16x16xf32> -> tensor<256xf32>\n"
      "    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>\n    %yp = tt.addptr %ys, %r : "
      "tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
      "    tt.store %yp, %f : tensor<256x!tt.ptr<f32>>\n"));
  std::vector<float> in(256);
  for (std::size_t i = 0; i < 256; ++i) in[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6);
  h.tensor(in);
  h.tensor(std::vector<float>(256));
  h.run();
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      float sum = in[i * 16 + j];
      for (std::size_t k = 0; k < 16; ++k) sum += in[i * 16 + k] * in[j * 16 + k];
      EXPECT_EQ(h.values<float>(1)[i * 16 + j], sum);
    }
  }
}

}  // namespace
}  // namespace lockstep::interpreter
