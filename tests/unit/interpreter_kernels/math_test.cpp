// Math functions: errors against the C library's f64 functions over samples of all f32 patterns, special values, and
// the same bytes from every instruction set. The bounds are the ones that isa_math.cpp states.
#include "kernel_fixture.h"

#include <algorithm>

namespace lockstep::interpreter::kernels::testing {
namespace {

struct Function {
  const char* name;
  Unary op;
  double (*reference)(double);
  double max_ulp;
};
double reciprocal_root(double x) { return 1 / std::sqrt(x); }
const Function kFunctions[] = {
    {"exp", Unary::exp, std::exp, 0.9},  {"exp2", Unary::exp2, std::exp2, 0.9},
    {"log", Unary::log, std::log, 0.85}, {"log2", Unary::log2, std::log2, 1.5},
    {"sin", Unary::sin, std::sin, 0.51}, {"cos", Unary::cos, std::cos, 0.51},
    {"tan", Unary::tan, std::tan, 0.51}, {"tanh", Unary::tanh, std::tanh, 1.4},
    {"erf", Unary::erf, std::erf, 1.6},  {"rsqrt", Unary::rsqrt, reciprocal_root, 1.5},
};

float from_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

/// Distance in units of the last place of f32 at `want`.
double ulp_distance(float got, double want) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : HUGE_VAL;
  const float rounded = static_cast<float>(want);
  if (got == rounded) return 0;
  if (std::isinf(got) || std::isinf(want)) {
    const double limit = std::ldexp(1.0, 128);
    const double value = std::isinf(got) ? std::copysign(limit, static_cast<double>(got)) : static_cast<double>(got);
    return std::fabs(value - want) / std::ldexp(1.0, 104);
  }
  int exponent = 0;
  std::frexp(want, &exponent);
  return std::fabs(static_cast<double>(got) - want) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

std::vector<float> all_patterns(std::uint32_t stride) {
  std::vector<float> values;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += stride)
    values.push_back(from_bits(static_cast<std::uint32_t>(bits)));
  return values;
}

TEST(MathKernels, ErrorsStayInTheirBounds) {
  const std::vector<float> x = all_patterns(4001);
  std::vector<float> y(x.size());
  for (const Function& function : kFunctions) {
    tables().back()->unary(function.op, Kind::f32)(y.data(), x.data(), static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double want = function.reference(static_cast<double>(x[i]));
      ASSERT_LE(ulp_distance(y[i], want), function.max_ulp)
          << function.name << "(" << x[i] << ") = " << y[i] << " instead of " << want;
    }
  }
}

/// Dense where the functions do something: exp between its limits, log around 1, tanh and erf before they saturate.
TEST(MathKernels, ErrorsStayInTheirBoundsWhereItMatters) {
  std::vector<float> x;
  for (double value = -20; value < 20; value += 1.0 / 4099) x.push_back(static_cast<float>(value));
  for (std::uint32_t bits = 0x3f000000; bits < 0x3fc00000; bits += 97) x.push_back(from_bits(bits));
  std::vector<float> y(x.size());
  for (const Function& function : kFunctions) {
    tables().back()->unary(function.op, Kind::f32)(y.data(), x.data(), static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double want = function.reference(static_cast<double>(x[i]));
      ASSERT_LE(ulp_distance(y[i], want), function.max_ulp)
          << function.name << "(" << x[i] << ") = " << y[i] << " instead of " << want;
    }
  }
}

TEST(MathKernels, SameBytesInEveryInstructionSet) {
  const std::vector<float> x = all_patterns(65521);
  for (const Function& function : kFunctions) {
    std::vector<std::uint32_t> first(x.size()), y(x.size());
    tables()[0]->unary(function.op, Kind::f32)(first.data(), x.data(), static_cast<std::int64_t>(x.size()));
    for (const Table* table : tables()) {
      table->unary(function.op, Kind::f32)(y.data(), x.data(), static_cast<std::int64_t>(x.size()));
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(y[i] == first[i] || std::isnan(x[i])) << table->name << " " << function.name << "(" << x[i] << ")";
    }
  }
}

/// Registers whose elements go different ways: far below, subnormal, normal, too large, infinite, NaN.
TEST(MathKernels, MixedRegistersHaveTheSameBytesAsSingleElements) {
  const float ends[] = {-HUGE_VALF, -200.0f, -150.6f, -149.5f, -126.0f, -125.9f, -104.1f, -103.9f, -95.0f, -87.0f, -86.9f,
                        -1.0f,      -0.0f,   0.0f,    0.25f,   87.9f,   88.0f,   88.1f,   88.8f,   89.5f,  127.0f, 127.9f,
                        128.5f,     200.0f,  HUGE_VALF, from_bits(0x7fc00123u), from_bits(0xffc00001u)};
  std::mt19937_64 random(3);
  std::vector<float> x(4096), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool is_plain = i < 1024 || random() % 5 != 0;
    x[i] = is_plain ? static_cast<float>(random() % 20000) * -0.005f : ends[random() % std::size(ends)];
  }
  for (const Unary op : {Unary::exp, Unary::exp2}) {
    for (const Table* table : tables()) {
      table->unary(op, Kind::f32)(y.data(), x.data(), static_cast<std::int64_t>(x.size()));
      for (std::size_t i = 0; i < x.size(); ++i) {
        float want = 0;
        tables()[0]->unary(op, Kind::f32)(&want, &x[i], 1);
        ASSERT_EQ(std::memcmp(&y[i], &want, sizeof want), 0) << table->name << " element " << i << ": " << x[i];
      }
    }
  }
}

/// A tail of any length gives the same bytes as the middle of a long tile, and in place is legal.
TEST(MathKernels, CutIntoStripsAndInPlace) {
  std::vector<float> x;
  for (int i = 0; i < 1100; ++i) x.push_back(static_cast<float>(i - 550) * 0.37f);
  x[600] = 1e30f;
  for (const Function& function : kFunctions)
    for (const Table* table : tables()) {
      const UnaryFn apply = table->unary(function.op, Kind::f32);
      std::vector<float> whole(x.size()), pieces = x;
      apply(whole.data(), x.data(), static_cast<std::int64_t>(x.size()));
      for (std::size_t begin = 0, length = 1; begin < x.size(); begin += length, length = length % 37 + 1) {
        length = std::min(length, x.size() - begin);
        apply(pieces.data() + begin, pieces.data() + begin, static_cast<std::int64_t>(length));
      }
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(whole[i] == pieces[i] || std::isnan(whole[i])) << table->name << function.name << x[i];
    }
}

float apply_one(const Table* table, Unary op, float x) {
  float y = 0;
  table->unary(op, Kind::f32)(&y, &x, 1);
  return y;
}

TEST(MathKernels, SpecialValues) {
  for (const Table* table : tables()) {
    const auto f = [&](Unary op, float x) { return apply_one(table, op, x); };
    EXPECT_EQ(f(Unary::exp, -INFINITY), 0);
    EXPECT_EQ(f(Unary::exp, INFINITY), INFINITY);
    EXPECT_EQ(f(Unary::exp, 0), 1);
    EXPECT_EQ(f(Unary::exp, 88.8f), INFINITY);
    EXPECT_EQ(f(Unary::exp, -103.9f), 1.40129846e-45f);
    EXPECT_EQ(f(Unary::exp, -1e30f), 0);
    EXPECT_EQ(f(Unary::exp2, -149.0f), 1.40129846e-45f);
    EXPECT_EQ(f(Unary::exp2, 127.0f), 0x1p127f);
    EXPECT_EQ(f(Unary::exp2, 128.0f), INFINITY);
    EXPECT_EQ(f(Unary::log, 0), -INFINITY);
    EXPECT_EQ(f(Unary::log, -0.0f), -INFINITY);
    EXPECT_EQ(f(Unary::log, 1), 0);
    EXPECT_EQ(f(Unary::log, INFINITY), INFINITY);
    EXPECT_TRUE(std::isnan(f(Unary::log, -1)));
    EXPECT_EQ(f(Unary::log2, 1.40129846e-45f), -149);
    EXPECT_EQ(f(Unary::log2, 8), 3);
    EXPECT_TRUE(std::isnan(f(Unary::sin, INFINITY)));
    EXPECT_TRUE(std::isnan(f(Unary::cos, -INFINITY)));
    EXPECT_TRUE(std::signbit(f(Unary::sin, -0.0f)));
    EXPECT_EQ(f(Unary::sin, 1e22f), static_cast<float>(std::sin(static_cast<double>(1e22f))));
    EXPECT_EQ(f(Unary::cos, 3e38f), static_cast<float>(std::cos(static_cast<double>(3e38f))));
    EXPECT_EQ(f(Unary::tanh, INFINITY), 1);
    EXPECT_EQ(f(Unary::tanh, -50), -1);
    EXPECT_TRUE(std::signbit(f(Unary::tanh, -0.0f)));
    EXPECT_EQ(f(Unary::erf, -INFINITY), -1);
    EXPECT_TRUE(std::signbit(f(Unary::erf, -0.0f)));
    EXPECT_EQ(f(Unary::rsqrt, 0), INFINITY);
    EXPECT_EQ(f(Unary::rsqrt, 4), 0.5f);
    for (const Function& function : kFunctions) EXPECT_TRUE(std::isnan(f(function.op, NAN))) << function.name;
  }
}

TEST(MathKernels, DoubleIsTheLibrary) {
  for (const Table* table : tables())
    for (const Function& function : kFunctions)
      for (double x : {-3.5, -0.0, 0.25, 1.0, 700.0, 1e-310, 1e22, HUGE_VAL}) {
        double y = 0;
        table->unary(function.op, Kind::f64)(&y, &x, 1);
        const double want = function.reference(x);
        EXPECT_TRUE(y == want || (std::isnan(y) && std::isnan(want))) << function.name << x;
      }
}

TEST(MathKernels, SmallFloatsRoundTheF32Result) {
  for (Kind kind : kSmallFloats)
    for (const Table* table : tables()) {
      std::vector<std::uint64_t> values = sample_bits(kind, 2000, 9);
      const Tile x(kind, values);
      Tile y(kind, values.size());
      for (const Function& function : kFunctions) {
        table->unary(function.op, kind)(y.data(), x.data(), static_cast<std::int64_t>(values.size()));
        for (std::size_t i = 0; i < values.size(); ++i) {
          const float exact = apply_one(table, function.op, static_cast<float>(x.number(i)));
          const std::uint64_t want =
              encode_float(scalar(kind), static_cast<double>(exact), Rounding::nearest_even, is_float8(scalar(kind)));
          ASSERT_TRUE(is_same_number(kind, y.bits(i), want)) << name_of(kind) << function.name << x.number(i);
        }
      }
    }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
