// Structured forms against dense ones: the same integer expression on ranges (affine, box) and on the same numbers
// loaded from memory must give the same bits, for every op and predicate, near the ends of the type as well.
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

/// Applies `op` to a range with the given start and step, and to a second affine or uniform operand; stores the result
/// twice: computed on forms, and on loaded copies. Both operands vary along different dimensions of a 4x8 tile if
/// `is_2d`.
std::string expression(const std::string& op, const std::string& result_type, bool is_2d) {
  const std::string shape = is_2d ? "4x8" : "32", tile = "tensor<" + shape + "xi32>";
  std::string text = "    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n";
  if (is_2d) {
    text +=
        "    %r4 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n    %r8 = tt.make_range {end = 8 : "
        "i32, start = 0 : i32} : tensor<8xi32>\n"
        "    %e4 = tt.expand_dims %r4 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>\n    %e8 = tt.expand_dims "
        "%r8 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>\n"
        "    %i = tt.broadcast %e4 : tensor<4x1xi32> -> tensor<4x8xi32>\n    %j = tt.broadcast %e8 : tensor<1x8xi32> "
        "-> tensor<4x8xi32>\n"
        "    %c8 = arith.constant dense<8> : tensor<4x8xi32>\n    %i8 = arith.muli %i, %c8 : tensor<4x8xi32>\n    %at "
        "= arith.addi %i8, %j : tensor<4x8xi32>\n";
  } else {
    text +=
        "    %at = arith.addi %r, %r : tensor<32xi32>\n    %c2 = arith.constant dense<2> : tensor<32xi32>\n"
        "    %i = arith.divsi %at, %c2 : tensor<32xi32>\n    %j = arith.divsi %at, %c2 : tensor<32xi32>\n";
  }
  text += "    %start = tt.splat %s : i32 -> " + tile + "\n    %step = tt.splat %d : i32 -> " + tile + "\n";
  text += "    %m = arith.muli %i, %step : " + tile + "\n    %a = arith.addi %m, %start : " + tile + "\n";
  text += "    %start2 = tt.splat %s2 : i32 -> " + tile + "\n    %step2 = tt.splat %d2 : i32 -> " + tile + "\n";
  text += "    %m2 = arith.muli %j, %step2 : " + tile + "\n    %b = arith.addi %m2, %start2 : " + tile + "\n";
  const auto pointers = [&](const std::string& base, const std::string& name, const std::string& type) {
    const std::string from = is_2d ? "%at" : "%r";
    return "    %" + name + "s = tt.splat %" + base + " : !tt.ptr<" + type + "> -> tensor<" + shape + "x!tt.ptr<" +
           type + ">>\n    %" + name + " = tt.addptr %" + name + "s, " + from + " : tensor<" + shape + "x!tt.ptr<" +
           type + ">>, " + tile + "\n";
  };
  text += pointers("pa", "qa", "i32") + pointers("pb", "qb", "i32") + pointers("po", "qo", result_type) +
          pointers("pd", "qd", result_type);
  text += "    tt.store %qa, %a : tensor<" + shape + "x!tt.ptr<i32>>\n    tt.store %qb, %b : tensor<" + shape +
          "x!tt.ptr<i32>>\n";
  text += "    %da = tt.load %qa : tensor<" + shape + "x!tt.ptr<i32>>\n    %db = tt.load %qb : tensor<" + shape +
          "x!tt.ptr<i32>>\n";
  text += "    %x = " + op + " %a, %b : " + tile + "\n    %y = " + op + " %da, %db : " + tile + "\n";
  text += "    tt.store %qo, %x : tensor<" + shape + "x!tt.ptr<" + result_type + ">>\n    tt.store %qd, %y : tensor<" +
          shape + "x!tt.ptr<" + result_type + ">>\n";
  return kernel("%pa: !tt.ptr<i32>, %pb: !tt.ptr<i32>, %po: !tt.ptr<" + result_type + ">, %pd: !tt.ptr<" + result_type +
                    ">, %s: i32, %d: i32, %s2: i32, %d2: i32",
                text);
}

struct Range {
  std::int32_t start, step;
};

const std::vector<Range> kRanges = {{0, 0},         {0, 1},          {-3, 1},         {100, -7}, {INT32_MAX - 3, 1},
                                    {INT32_MIN, 1}, {INT32_MAX, -1}, {0, 0x10000000}, {7, 0},    {-1, 0},
                                    {31, -1}};

template <typename T>
void compare_forms(const std::string& op, const std::string& type, ScalarKind kind) {
  for (const bool is_2d : {false, true}) {
    const std::string text = expression(op, type, is_2d);
    for (const Range& a : kRanges) {
      for (const Range& b : kRanges) {
        Harness h(text);
        h.tensor(std::vector<std::int32_t>(32));
        h.tensor(std::vector<std::int32_t>(32));
        const std::size_t forms = h.tensor(std::vector<T>(32), kind), dense = h.tensor(std::vector<T>(32), kind);
        for (const std::int32_t value : {a.start, a.step, b.start, b.step}) h.scalar(static_cast<std::uint32_t>(value));
        h.run();
        ASSERT_EQ(h.values<T>(forms), h.values<T>(dense))
            << op << " 2d=" << is_2d << " a=" << a.start << "+" << a.step << "i b=" << b.start << "+" << b.step << "j";
      }
    }
  }
}

class IntegerOps : public testing::TestWithParam<const char*> {};
TEST_P(IntegerOps, FormsGiveTheBitsOfElements) { compare_forms<std::int32_t>(GetParam(), "i32", ScalarKind::i32); }
INSTANTIATE_TEST_SUITE_P(Forms, IntegerOps,
                         testing::Values("arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.divui",
                                         "arith.remsi", "arith.remui", "arith.andi", "arith.xori", "arith.shli",
                                         "arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui", "arith.floordivsi",
                                         "arith.ceildivsi"));

class Comparisons : public testing::TestWithParam<const char*> {};
TEST_P(Comparisons, FormsGiveTheBitsOfElements) {
  compare_forms<std::int8_t>("arith.cmpi " + std::string(GetParam()) + ",", "i1", ScalarKind::i1);
}
INSTANTIATE_TEST_SUITE_P(Forms, Comparisons,
                         testing::Values("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"));

/// Masks made by comparisons, combined and used by select, loads and stores.
TEST(Forms, BoxMasksMoveRectangles) {
  Harness h(kernel(
      "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %m: i32, %n: i32",
      "    %r4 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n    %r8 = tt.make_range {end = 8 : "
      "i32, start = 0 : i32} : tensor<8xi32>\n"
      "    %i = tt.expand_dims %r4 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>\n    %j = tt.expand_dims %r8 "
      "{axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>\n"
      "    %ms = tt.splat %m : i32 -> tensor<4x1xi32>\n    %ns = tt.splat %n : i32 -> tensor<1x8xi32>\n"
      "    %mi = arith.cmpi slt, %i, %ms : tensor<4x1xi32>\n    %mj = arith.cmpi sge, %j, %ns : tensor<1x8xi32>\n"
      "    %mib = tt.broadcast %mi : tensor<4x1xi1> -> tensor<4x8xi1>\n    %mjb = tt.broadcast %mj : tensor<1x8xi1> -> "
      "tensor<4x8xi1>\n"
      "    %mask = arith.andi %mib, %mjb : tensor<4x8xi1>\n"
      "    %c8 = arith.constant dense<8> : tensor<4x1xi32>\n    %i8 = arith.muli %i, %c8 : tensor<4x1xi32>\n"
      "    %i8b = tt.broadcast %i8 : tensor<4x1xi32> -> tensor<4x8xi32>\n    %jb = tt.broadcast %j : tensor<1x8xi32> "
      "-> tensor<4x8xi32>\n"
      "    %at = arith.addi %i8b, %jb : tensor<4x8xi32>\n    %other = arith.constant dense<-1.0> : tensor<4x8xf32>\n"
      "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>\n    %xp = tt.addptr %xs, %at : "
      "tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>\n"
      "    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>\n    %yp = tt.addptr %ys, %at : "
      "tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>\n"
      "    %v = tt.load %xp, %mask, %other : tensor<4x8x!tt.ptr<f32>>\n    tt.store %yp, %v : "
      "tensor<4x8x!tt.ptr<f32>>\n"));
  h.tensor(iota_f32(32));
  h.tensor(std::vector<float>(32));
  h.scalar(3);
  h.scalar(2);
  h.run();
  const auto out = h.values<float>(1);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 8; ++j)
      EXPECT_EQ(out[i * 8 + j], i < 3 && j >= 2 ? static_cast<float>(i * 8 + j) : -1.0f);
  }
}

/// Pointers of two arguments under a range of lanes: each lane may reach its own argument.
TEST(Forms, SelectKeepsTheOriginOfEachPointer) {
  const std::string tile = "tensor<32x!tt.ptr<i32>>";
  Harness h(kernel("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %o: !tt.ptr<i32>",
                   "    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
                   "    %xs = tt.splat %x : !tt.ptr<i32> -> " +
                       tile + "\n    %xp = tt.addptr %xs, %r : " + tile +
                       ", tensor<32xi32>\n    %v = tt.load %xp : " + tile + "\n    %p = tt.addptr %xs, %v : " + tile +
                       ", tensor<32xi32>\n    %q = tt.splat %y : !tt.ptr<i32> -> " + tile +
                       "\n    %c20 = arith.constant dense<20> : tensor<32xi32>\n"
                       "    %m = arith.cmpi slt, %r, %c20 : tensor<32xi32>\n"
                       "    %s = arith.select %m, %p, %q : tensor<32xi1>, " +
                       tile + "\n    %l = tt.load %s : " + tile + "\n    %os = tt.splat %o : !tt.ptr<i32> -> " + tile +
                       "\n    %op = tt.addptr %os, %r : " + tile + ", tensor<32xi32>\n    tt.store %op, %l : " + tile +
                       "\n"));
  std::vector<std::int32_t> places(32), expected(32, 1000);
  for (std::int32_t i = 0; i < 32; ++i) places[static_cast<std::size_t>(i)] = 31 - i;
  for (std::int32_t i = 0; i < 20; ++i) expected[static_cast<std::size_t>(i)] = i;
  h.tensor(places);
  h.tensor(std::vector<std::int32_t>{1000});
  h.tensor(std::vector<std::int32_t>(32));
  const LaunchReport report = h.run();
  EXPECT_TRUE(report.findings.findings().empty());
  EXPECT_EQ(h.values<std::int32_t>(2), expected);
}

}  // namespace
}  // namespace lockstep::interpreter
