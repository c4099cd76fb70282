// Values of expressions, against numbers worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "debugger/expression/evaluate.h"
#include "fake_scope.h"

namespace lockstep::debugger {
namespace {

class ExpressionTest : public testing::Test {
 protected:
  ExpressionTest() { fill(scope); }

  Tensor tensor(std::string_view text) {
    const auto value = evaluate(text, scope);
    if (!value) {
      ADD_FAILURE() << text << ": " << value.error().message;
      return Tensor::of(std::nan(""));
    }
    const auto read = tensor_of(*value, scope);
    if (!read) {
      ADD_FAILURE() << text << ": " << read.error();
      return Tensor::of(std::nan(""));
    }
    return *read;
  }
  std::int64_t integer(std::string_view text) {
    const Tensor out = tensor(text);
    EXPECT_TRUE(out.is_scalar() && !out.is_floating()) << text;
    return out.integers.empty() ? -999 : out.integers[0];
  }
  double number(std::string_view text) {
    const Tensor out = tensor(text);
    EXPECT_TRUE(out.is_scalar() && out.is_floating()) << text;
    return out.floats.empty() ? -999 : out.floats[0];
  }
  bool truth(std::string_view text) {
    const auto expression = parse_expression(text);
    EXPECT_TRUE(expression) << text;
    const auto holds = expression ? evaluate_condition(*expression, scope)
                                  : Expected<bool, ExpressionError>(Unexpected{ExpressionError{}});
    EXPECT_TRUE(holds) << text << ": " << (holds ? "" : holds.error().message);
    return holds && *holds;
  }
  std::vector<std::int64_t> integers(std::string_view text) { return tensor(text).integers; }
  std::vector<double> floats(std::string_view text) { return tensor(text).floats; }
  std::string text_of(std::string_view text) {
    const auto value = evaluate(text, scope);
    return value && std::holds_alternative<std::string>(*value) ? std::get<std::string>(*value) : "(no text)";
  }
  /// "begin-end message".
  std::string error(std::string_view text) {
    const auto value = evaluate(text, scope);
    if (!value) {
      const ExpressionError& e = value.error();
      return std::to_string(e.begin) + "-" + std::to_string(e.end) + " " + e.message;
    }
    const auto read = tensor_of(*value, scope);
    return read ? "(no error)" : read.error();
  }

  FakeScope scope;
  using Integers = std::vector<std::int64_t>;
  using Floats = std::vector<double>;
};

TEST_F(ExpressionTest, IntegersFollowPython) {
  EXPECT_EQ(integer("2 + 3 * 4 - -1"), 15);
  EXPECT_EQ(integer("-7 // 2"), -4);
  EXPECT_EQ(integer("-7 % 3"), 2);
  EXPECT_EQ(integer("7 % -3"), -2);
  EXPECT_EQ(integer("(-9223372036854775807 - 1) // 3"), -3074457345618258603);
  EXPECT_EQ(integer("(-9223372036854775807 - 1) % -1"), 0);
  EXPECT_EQ(integer("-2 ** 2"), -4);
  EXPECT_EQ(integer("2 ** 3 ** 2"), 512);
  EXPECT_EQ(integer("0x_ff & ~0xf | 0b1"), 0xf1);
  EXPECT_EQ(integer("1 << 4 + 1"), 32);
  EXPECT_EQ(integer("-9 >> 1"), -5);
  EXPECT_EQ(integer("5 ^ 1"), 4);
  EXPECT_EQ(integer("1_000"), 1000);
  EXPECT_DOUBLE_EQ(number("7 / 2"), 3.5);
  EXPECT_DOUBLE_EQ(number("2 ** -1"), 0.5);
}

TEST_F(ExpressionTest, FloatsFollowPython) {
  EXPECT_EQ(number("1.0 // 0.1"), 9);
  EXPECT_EQ(number("-7.5 // 2"), -4);
  EXPECT_EQ(number("-7.5 % 2"), 0.5);
  EXPECT_EQ(number("1e-3"), 0.001);
  EXPECT_EQ(number(".5 + 1."), 1.5);
  EXPECT_TRUE(std::isinf(number("1.0 / 0")));
  EXPECT_TRUE(std::isnan(number("nan")));
  EXPECT_EQ(number("-inf"), -std::numeric_limits<double>::infinity());
}

TEST_F(ExpressionTest, OverflowIsAnError) {
  EXPECT_EQ(error("9223372036854775807 + 1"), "0-23 the result does not fit into 64 bits");
  EXPECT_EQ(error("1 << 63"), "0-7 the result does not fit into 64 bits");
  EXPECT_EQ(error("3 ** 41"), "0-7 the result does not fit into 64 bits");
  EXPECT_EQ(error("1 // 0"), "0-6 integer division by zero");
  EXPECT_EQ(error("offs * 9223372036854775807"), "0-26 the result does not fit into 64 bits at [2]");
  EXPECT_EQ(error("18446744073709551616"), "0-20 this integer does not fit into 64 bits");
  EXPECT_EQ(error("1 >> -1"), "0-7 a shift by a negative number");
}

TEST_F(ExpressionTest, ComparisonsAreExactAndChained) {
  EXPECT_TRUE(truth("9007199254740993 > 9007199254740992.0"));
  EXPECT_FALSE(truth("9007199254740993 == 9007199254740992.0"));
  EXPECT_TRUE(truth("9223372036854775807 < 9223372036854775808.0"));
  EXPECT_TRUE(truth("0.5 > 0 and -0.5 < 0 and -1 < -0.5"));
  EXPECT_TRUE(truth("0 <= 3 < 5 != 4"));
  EXPECT_FALSE(truth("0 <= 7 < 5"));
  EXPECT_FALSE(truth("nan == nan"));
  EXPECT_TRUE(truth("nan != nan"));
  EXPECT_EQ(integers("0 < acc <= 4"), (Integers{1, 0, 1, 1, 0, 0}));
}

TEST_F(ExpressionTest, LogicIsLazyInBothSpellings) {
  EXPECT_FALSE(truth("n == 3 && later > 1"));
  EXPECT_TRUE(truth("n == 781 || later"));
  EXPECT_TRUE(truth("not n == 3"));
  EXPECT_TRUE(truth("!(n == 3)"));
  EXPECT_TRUE(truth("n and not False or later"));
  EXPECT_EQ(integer("1 if n > 700 else later"), 1);
  EXPECT_EQ(integer("n > 1000 ? later : n > 700 ? 2 : 3"), 2);
  EXPECT_EQ(error("acc && 1"), "0-3 a tensor of several elements is neither true nor false: use any() or all()");
}

TEST_F(ExpressionTest, IndicesAndSlices) {
  EXPECT_EQ(number("acc[0,2]"), 3.5);
  EXPECT_EQ(number("acc[-1][-1]"), -0.25);
  EXPECT_EQ(floats("acc[:, ::-1]"), (Floats{3.5, -2, 1, -0.25, 5, 4}));
  EXPECT_EQ(floats("acc[..., 1]"), (Floats{-2, 5}));
  EXPECT_EQ(tensor("acc[None, 0, :2]").shape, (Integers{1, 2}));
  EXPECT_EQ(floats("acc[0, 1:100]"), (Floats{-2, 3.5}));
  EXPECT_EQ(integers("offs[-3:-1]"), (Integers{1, 2}));
  EXPECT_EQ(integers("offs[::3]"), (Integers{0, 3}));
  EXPECT_EQ(integers("offs[3:0:-2]"), (Integers{3, 1}));
  EXPECT_EQ(integers("offs[::-9223372036854775807]"), (Integers{3}));
  EXPECT_TRUE(integers("offs[2:1]").empty());
  EXPECT_EQ(floats("acc[acc < 0]"), (Floats{-2, -0.25}));
  EXPECT_EQ(error("acc[2,0]"), "0-8 index 2 is out of range for extent 2 of axis 0");
  EXPECT_EQ(error("acc[0,0,0]"), "0-10 3 indices for shape [2,3]");
  EXPECT_EQ(error("acc[::0]"), "0-8 a slice's step cannot be 0");
  EXPECT_EQ(error("acc[1.5]"), "4-7 this must be one integer");
  EXPECT_EQ(error("acc[mask[0]]"), "0-12 a mask of shape [3] for shape [2,3]");
}

TEST_F(ExpressionTest, TilesBroadcast) {
  EXPECT_EQ(floats("acc + acc[:, :1]"), (Floats{2, -1, 4.5, 8, 9, 3.75}));
  EXPECT_EQ(integers("offs[:, None] * 10 + offs[None, :2]"), (Integers{0, 1, 10, 11, 20, 21, 30, 31}));
  EXPECT_EQ(error("acc + offs"), "0-10 shapes [2,3] and [4] do not broadcast");
  EXPECT_EQ(integers("~mask"), (Integers{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(integers("mask & (acc > 3)"), (Integers{0, 0, 1, 1, 1, 0}));
  EXPECT_EQ(integers("-offs"), (Integers{0, -1, -2, -3}));
  EXPECT_EQ(error("acc & 1"), "0-7 floats have no bit operations: bits() gives their bits");
}

TEST_F(ExpressionTest, Reductions) {
  EXPECT_EQ(number("max(acc)"), 5);
  EXPECT_EQ(number("acc.min()"), -2);
  EXPECT_EQ(number("sum(acc)"), 11.25);
  EXPECT_EQ(floats("tl.sum(acc, axis=0)"), (Floats{5, 3, 3.25}));
  EXPECT_EQ(floats("max(acc, 1)"), (Floats{3.5, 5}));
  EXPECT_EQ(integer("argmax(acc)"), 4);
  EXPECT_EQ(integers("acc.argmin(-1)"), (Integers{1, 2}));
  EXPECT_EQ(integer("mask.count"), 4);
  EXPECT_EQ(integer("sum(mask)"), 4);
  EXPECT_EQ(number("mean(offs)"), 1.5);
  EXPECT_DOUBLE_EQ(number("std(offs)"), std::sqrt(1.25));
  EXPECT_EQ(integer("max(n, 3, 1000)"), 1000);
  EXPECT_TRUE(truth("any(acc < -1) and not all(mask)"));
  EXPECT_EQ(integers("where(acc < 0)"), (Integers{0, 1, 1, 2}));
  EXPECT_EQ(floats("where(mask, acc, 0)"), (Floats{1, 0, 3.5, 4, 5, 0}));
  EXPECT_EQ(floats("maximum(acc, 0.5)"), (Floats{1, 0.5, 3.5, 4, 5, 0.5}));
  EXPECT_EQ(error("max(acc, 2)"), "0-11 there is no axis 2 of shape [2,3]");
  EXPECT_EQ(error("min(offs[4:])"), "0-13 min() of no elements");
}

TEST_F(ExpressionTest, NansWinReductions) {
  scope.tile<float>("bad", ScalarKind::f32, {3}, {1, std::nanf(""), 5});
  EXPECT_TRUE(std::isnan(number("max(bad)")));
  EXPECT_EQ(integer("argmin(bad)"), 1);
  EXPECT_TRUE(truth("any(isnan(bad))"));
  EXPECT_EQ(integers("isfinite(bad)"), (Integers{1, 0, 1}));
  EXPECT_EQ(integers("where(isnan(bad))"), (Integers{1}));
}

TEST_F(ExpressionTest, ElementwiseFunctions) {
  EXPECT_EQ(floats("abs(acc[0])"), (Floats{1, 2, 3.5}));
  EXPECT_EQ(number("sqrt(16)"), 4);
  EXPECT_DOUBLE_EQ(number("exp(log(3))"), 3);
  EXPECT_EQ(integer("int(-3.7)"), -3);
  EXPECT_EQ(number("round(2.5)"), 2);
  EXPECT_EQ(integer("cdiv(n, 16)"), 49);
  EXPECT_EQ(integer("tl.cdiv(-7, 2)"), -3);
  EXPECT_EQ(error("int(inf)"), "0-8 int(): the number does not fit into 64 bits");
}

TEST_F(ExpressionTest, BitsKeepEveryNan) {
  scope.tile<std::uint32_t>("odd", ScalarKind::f32, {2}, {0x7fa12345, 0xbf800000});
  EXPECT_EQ(integers("bits(odd)"), (Integers{0x7fa12345, 0xbf800000}));
  EXPECT_EQ(integer("bits(odd[0])"), 0x7fa12345);
  EXPECT_TRUE(tensor("bits(odd)").is_hex);
  scope.tile<std::uint16_t>("half", ScalarKind::bf16, {2}, {0x7fa1, 0x3f80});
  EXPECT_EQ(integers("bits(half)"), (Integers{0x7fa1, 0x3f80}));
  EXPECT_TRUE(truth("bits(half[1]) == 0x3f80"));
  EXPECT_EQ(integer("bits(offs[1])"), 1);
}

TEST_F(ExpressionTest, EveryFloatFormatIsDecoded) {
  scope.tile<std::uint16_t>("h", ScalarKind::f16, {2}, {0x3c00, 0xc400});
  scope.tile<std::uint16_t>("b", ScalarKind::bf16, {1}, {0x4049});
  scope.tile<std::uint8_t>("e4", ScalarKind::f8E4M3FN, {2}, {0x38, 0x7e});
  scope.tile<std::uint8_t>("e5", ScalarKind::f8E5M2, {2}, {0x3c, 0x7c});
  EXPECT_EQ(floats("h"), (Floats{1, -4}));
  EXPECT_EQ(floats("b"), (Floats{3.140625}));
  EXPECT_EQ(floats("e4"), (Floats{1, 448}));
  EXPECT_EQ(floats("e5[:1]"), (Floats{1}));
  EXPECT_TRUE(truth("isinf(e5[1])"));
  EXPECT_EQ(text_of("e4.dtype"), "f8E4M3FN");
}

TEST_F(ExpressionTest, UlpCountsNumbersBetween) {
  scope.tile<float>("a", ScalarKind::f32, {3}, {1, 0, -1});
  scope.tile<float>("b", ScalarKind::f32, {3},
                    {std::nextafterf(1, 2), std::numeric_limits<float>::denorm_min(), std::nanf("")});
  EXPECT_EQ(floats("ulp(a, b)"), (Floats{1, 1, std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(number("ulp(a[0], 1.0)"), 0);
  EXPECT_EQ(number("ulp(a[1], -b[1])"), 1);
  EXPECT_EQ(error("ulp(1, 2)"), "0-9 ulp() is about floats");
}

TEST_F(ExpressionTest, ProgramGridAndLoops) {
  EXPECT_EQ(integer("pid(0)"), 3);
  EXPECT_EQ(integer("pid[1]"), 1);
  EXPECT_EQ(integer("tl.program_id(axis=2)"), 1);
  EXPECT_EQ(integer("grid[0]"), 8);
  EXPECT_EQ(integer("tl.num_programs(1)"), 4);
  EXPECT_EQ(integer("program"), 3 + 8 * (1 + 4 * 1));
  EXPECT_EQ(integer("iter(k)"), 7);
  EXPECT_EQ(integer("iter()"), 7);
  EXPECT_EQ(error("iter(j)"), "0-7 there is no loop over 'j' here");
  EXPECT_EQ(error("pid(3)"), "0-6 a grid has axes 0, 1 and 2");
  scope.tile<std::int32_t>("pid", ScalarKind::i32, {}, {42});
  EXPECT_EQ(integer("pid"), 42);
  EXPECT_EQ(integer("pid[0]"), 3);
  EXPECT_TRUE(truth("pid[0]==3 && any(isnan(acc)) || pid == 42"));
  scope.program = std::nullopt;
  EXPECT_EQ(error("pid[0]"), "0-3 no program stands anywhere");
}

TEST_F(ExpressionTest, ArgumentsAreReadWhenNeeded) {
  EXPECT_EQ(integer("x[3,7]"), 310);
  EXPECT_EQ(integers("x[:2, 0]"), (Integers{0, 80}));
  EXPECT_EQ(integers("x[1, ::-3]"), (Integers{150, 120, 90}));
  EXPECT_EQ(integers("x.shape"), (Integers{4, 8}));
  EXPECT_EQ(integers("x[:, ::2].strides"), (Integers{8, 2}));
  EXPECT_EQ(integer("x.data_ptr"), static_cast<std::int64_t>(FakeScope::kBase));
  EXPECT_EQ(text_of("out.dtype"), "f32");
  EXPECT_TRUE(truth("out.dtype == tl.float32 and x.shape[0] == 4 and all(x.shape == (4, 8))"));
  EXPECT_EQ(number("sum(out)"), 15);
  EXPECT_EQ(integer("len(x)"), 4);
  EXPECT_EQ(error("x[4,0]"), "0-6 index 4 is out of range for extent 4 of axis 0");
}

TEST_F(ExpressionTest, WindowsThatAreTooLargeOrNowhere) {
  MemoryWindow huge = scope.arguments.at("x");
  huge.shape = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  huge.name = "huge";
  scope.arguments.emplace("huge", huge);
  EXPECT_EQ(integer("huge[0,1]"), 10);
  EXPECT_EQ(error("huge + 1"), "0-4 huge has too many elements (at most 4194304): take a slice of it");
  EXPECT_EQ(error("huge[100000, 0] + 1"), "0-15 huge does not lie in memory");
}

TEST_F(ExpressionTest, OldLooksBeforeTheLaunch) {
  EXPECT_EQ(integer("old(x[0,1])"), 0x01010101);
  EXPECT_EQ(integer("x[0,1] - old(x)[0,1]"), 10 - 0x01010101);
  EXPECT_EQ(error("old(n)"), "0-6 old() reads memory before the launch, and this expression reads no argument");
}

TEST_F(ExpressionTest, Pointers) {
  EXPECT_EQ(integers("ptr(ptrs)[1].index"), (Integers{1, 0}));
  EXPECT_EQ(tensor("ptrs.index").shape, (Integers{3, 2}));
  EXPECT_EQ(text_of("ptr(ptrs)[2].argument"), "x");
  EXPECT_EQ(integer("ptrs[0].address"), static_cast<std::int64_t>(FakeScope::kBase + 4));
  EXPECT_EQ(integers("ptrs.offset"), (Integers{4, 32, 124}));
  EXPECT_EQ(integers("load(ptrs)"), (Integers{10, 80, 310}));
  EXPECT_EQ(integers("load(ptrs, offs[:3] != 1)"), (Integers{10, 0, 310}));
  EXPECT_EQ(integer("ptr(x).address"), static_cast<std::int64_t>(FakeScope::kBase));
  EXPECT_EQ(integers("load(ptrs - 1)"), (Integers{0, 70, 300}));
  EXPECT_EQ(integers("load(ptr(x) + offs * 2)"), (Integers{0, 20, 40, 60}));
  EXPECT_EQ(integers("(1 + ptrs[0]).index"), (Integers{0, 2}));
  EXPECT_EQ(error("ptrs * 2"),
            "0-8 a pointer only takes + and - with an integer: .address, .index and .offset are numbers");
  EXPECT_EQ(error("ptrs + 0.5"), "0-10 pointers move by integers");
  EXPECT_EQ(error("ptrs[0][3]"), "0-10 a pointer has no elements: use load(p + i) to read memory");
  EXPECT_EQ(error("ptr(acc)"), "4-7 this is not a pointer");
  scope.tile<std::uint64_t>("wild", ScalarKind::pointer, {2}, {FakeScope::kBase + 4, 8});
  EXPECT_EQ(integers("wild.inside"), (Integers{1, 0}));
  EXPECT_EQ(error("wild.index"), "0-10 the pointer [1] points into no argument");
  EXPECT_EQ(error("load(wild)"), "0-10 pointer [1] points outside memory");
}

TEST_F(ExpressionTest, References) {
  EXPECT_EQ(number("max(abs(acc - ref(\"c\")))"), 4.5);
  EXPECT_EQ(error("ref('d')"), "0-8 the reference has no 'd'");
}

TEST_F(ExpressionTest, SsaNames) {
  scope.variables.emplace("%12", Value(Tensor::of(std::int64_t{5})));
  scope.variables.emplace("%acc_24#1", Value(Tensor::of(std::int64_t{6})));
  EXPECT_EQ(integer("%12 + %acc_24#1"), 11);
  EXPECT_EQ(integer("n %12"), 781 % 12);
  EXPECT_EQ(integer("n % %12"), 1);
}

TEST_F(ExpressionTest, UnknownNamesAreAnsweredWithNearOnes) {
  EXPECT_EQ(error("ac + 1"), "0-2 there is no 'ac' here; did you mean 'acc'?");
  EXPECT_EQ(error("maxx(acc)"), "0-4 there is no function 'maxx'; did you mean 'max'?");
  EXPECT_EQ(error("acc.shap"), "0-8 there is no attribute 'shap' of this; did you mean 'shape'?");
  EXPECT_EQ(error("1 + later"), "4-9 later has no value yet");
  EXPECT_EQ(error("sum"), "0-3 'sum' is a function: call it with parentheses");
  EXPECT_EQ(error("sum(acc, axis=0, keep=1)"), "17-23 'keep' cannot be passed to 'sum'");
  EXPECT_EQ(error("bits(acc, 1)"), "0-12 'bits' takes 1 arguments, not 2");
}

TEST_F(ExpressionTest, WhatHangsOnTheProgramAlone) {
  const auto depends = [&](std::string_view text) { return depends_only_on_program(*parse_expression(text), scope); };
  EXPECT_TRUE(depends("pid[0] == 4000"));
  EXPECT_TRUE(depends("pid(0) % 16 == 0 and program < 9 or grid[1] > 3"));
  EXPECT_TRUE(depends("pid_m == 2 ? 1 : max(pid(0), 3)"));
  EXPECT_TRUE(depends("any(pid == (1, 2, 0))"));
  EXPECT_FALSE(depends("pid[0] == n"));
  EXPECT_FALSE(depends("iter(k) == 3"));
  EXPECT_FALSE(depends("x[0] == 1"));
  EXPECT_FALSE(depends("ref('c') == 1"));
  EXPECT_FALSE(depends("acc.shape[0] == pid[0]"));
  const ProgramScope program({5, 2, 0}, {8, 4, 1}, scope);
  EXPECT_TRUE(*evaluate_condition(*parse_expression("pid[0] == 5 && pid_m == 2 and program == 21"), program));
  EXPECT_FALSE(*evaluate_condition(*parse_expression("pid(1) == 3"), program));
  scope.tile<std::int32_t>("pid", ScalarKind::i32, {4}, {1, 2, 3, 4});
  EXPECT_FALSE(depends("pid[0] == 4"));
  EXPECT_FALSE(depends("pid == 4"));
}

TEST_F(ExpressionTest, WorkIsBounded) {
  scope.tile<std::int32_t>("wide", ScalarKind::i32, {1, 2000}, std::vector<std::int32_t>(2000, 1));
  scope.tile<std::int32_t>("tall", ScalarKind::i32, {2000, 1}, std::vector<std::int32_t>(2000, 1));
  EXPECT_EQ(integer("sum(wide + tall)"), 8000000);
  scope.tile<std::int32_t>("taller", ScalarKind::i32, {3000, 1}, std::vector<std::int32_t>(3000, 1));
  EXPECT_EQ(error("wide + taller"), "0-13 a result of shape [3000,2000] has too many elements (at most 4194304)");
  std::string many = "0";
  for (int i = 0; i < 10; ++i) many += " + sum(wide + tall)";
  EXPECT_NE(error(many).find("the expression computes too many elements in total"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::debugger
