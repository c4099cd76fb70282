// Compile-time arithmetic gives Python's values. The expectations were computed by CPython 3.11.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "frontend/eval/constant.h"
#include "frontend/semantics/semantics.h"

namespace lockstep::frontend {
namespace {

using Op = ast::BinaryOperator;

Constant integer(Integer value) { return Constant::integer(value); }
Constant real(double value) { return Constant::floating(value); }

std::string repr(Op op, const Constant& left, const Constant& right) {
  const ConstantResult result = apply(op, left, right);
  return result ? result->repr() : result.error().substr(0, result.error().find(':'));
}

TEST(Constant, IntegersDivideTowardMinusInfinity) {
  EXPECT_EQ(repr(Op::FloorDiv, integer(-7), integer(2)), "-4");
  EXPECT_EQ(repr(Op::FloorDiv, integer(7), integer(-2)), "-4");
  EXPECT_EQ(repr(Op::FloorDiv, integer(-8), integer(2)), "-4");
  EXPECT_EQ(repr(Op::Mod, integer(-7), integer(3)), "2");
  EXPECT_EQ(repr(Op::Mod, integer(7), integer(-3)), "-2");
  EXPECT_EQ(repr(Op::Div, integer(7), integer(2)), "3.5");
  EXPECT_EQ(repr(Op::Div, integer(6), integer(3)), "2.0");
  EXPECT_EQ(repr(Op::FloorDiv, integer(1), integer(0)), "ZeroDivisionError");
  EXPECT_EQ(repr(Op::Mod, real(1), real(0)), "ZeroDivisionError");
}

TEST(Constant, FloatsFollowPython) {
  EXPECT_EQ(repr(Op::Mod, real(-7.5), real(2)), "0.5");
  EXPECT_EQ(repr(Op::FloorDiv, real(-7.5), real(2)), "-4.0");
  EXPECT_EQ(repr(Op::Pow, integer(2), integer(-2)), "0.25");
  EXPECT_EQ(repr(Op::Pow, integer(-3), integer(3)), "-27");
  EXPECT_EQ(repr(Op::Add, integer(1), real(0.5)), "1.5");
  EXPECT_EQ(repr(Op::BitAnd, real(1), integer(1)), "TypeError");
}

TEST(Constant, IntegersBeyondTheLimitAreRefused) {
  EXPECT_EQ(repr(Op::LShift, integer(1), integer(100)), "1267650600228229401496703205376");
  EXPECT_EQ(repr(Op::LShift, integer(1), integer(127)), "OverflowError");
  EXPECT_EQ(repr(Op::Pow, integer(10), integer(40)), "OverflowError");
  EXPECT_EQ(repr(Op::Mult, integer(Integer{1} << 100), integer(Integer{1} << 100)), "OverflowError");
  EXPECT_EQ(repr(Op::RShift, integer(-1), integer(500)), "-1");
  EXPECT_EQ(repr(Op::LShift, integer(1), integer(-1)), "ValueError");
  EXPECT_EQ(repr(Op::Div, integer((Integer{1} << 60) + 1), integer(3)), "OverflowError");
}

TEST(Constant, TextAndEquality) {
  EXPECT_EQ(real(1e16).repr(), "1e+16");
  EXPECT_EQ(real(123456.0).repr(), "123456.0");
  EXPECT_EQ(real(0.1).repr(), "0.1");
  EXPECT_EQ(real(1e-5).repr(), "1e-05");
  EXPECT_EQ(real(-0.0).repr(), "-0.0");
  EXPECT_EQ(real(std::numeric_limits<double>::infinity()).repr(), "inf");
  EXPECT_EQ(Constant::string("it's").repr(), "\"it's\"");
  EXPECT_TRUE(integer(1) == real(1.0));
  EXPECT_TRUE(integer(1) == Constant::boolean(true));
  EXPECT_FALSE(integer(1) == Constant::string("1"));
  EXPECT_EQ(to_int(real(-2.7))->repr(), "-2");
  EXPECT_EQ(to_float(Constant::string(" -inf "))->repr(), "-inf");
  EXPECT_FALSE(to_float(Constant::string("0x10")).has_value());
  EXPECT_FALSE(to_int(real(NAN)).has_value());
}

TEST(Types, NamesAndMangling) {
  EXPECT_EQ(parse_signature_type("*kfp16")->name(), "const_pointer<fp16>");
  EXPECT_EQ(parse_signature_type("**i32")->mangle(), "PPi32");
  EXPECT_EQ((ValueType{DType(Scalar::int1), {4, 8}}.mangle()), "u1S4_8S");
  EXPECT_EQ(parse_dtype_name("bool")->name(), "int1");
  EXPECT_FALSE(parse_signature_type("*").has_value());
  EXPECT_FALSE(parse_signature_type(std::string(1000, '*') + "fp32").has_value());
}

TEST(Types, IntegerPromotionKeepsTheWiderAndThenTheUnsigned) {
  const auto promoted = [](Scalar a, Scalar b) { return semantics::promote_integers(DType(a), DType(b)).name(); };
  EXPECT_EQ(promoted(Scalar::int8, Scalar::int8), "int8");
  EXPECT_EQ(promoted(Scalar::int8, Scalar::uint8), "uint8");
  EXPECT_EQ(promoted(Scalar::int16, Scalar::uint8), "int16");
  EXPECT_EQ(promoted(Scalar::uint32, Scalar::int64), "int64");
  EXPECT_EQ(promoted(Scalar::int1, Scalar::int32), "int32");
  EXPECT_EQ(promoted(Scalar::int64, Scalar::uint64), "uint64");
}

}  // namespace
}  // namespace lockstep::frontend
