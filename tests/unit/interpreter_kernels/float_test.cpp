// Float arithmetic, comparisons, fma and clamp against f64 arithmetic rounded by the integer reference.
#include <limits>

#include "kernel_fixture.h"

namespace lockstep::interpreter::kernels::testing {
namespace {

constexpr Binary kOps[] = {Binary::addf,    Binary::subf,    Binary::mulf,     Binary::divf,    Binary::remf,
                           Binary::minnumf, Binary::maxnumf, Binary::minimumf, Binary::maximumf};

/// -0 is lower than +0.
bool is_lower(double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

double expected(Binary op, double a, double b) {
  const bool any_nan = std::isnan(a) || std::isnan(b);
  const double number = std::isnan(a) ? b : a;
  switch (op) {
    case Binary::addf: return a + b;
    case Binary::subf: return a - b;
    case Binary::mulf: return a * b;
    case Binary::divf: return a / b;
    case Binary::remf: return std::fmod(a, b);
    case Binary::minnumf: return any_nan ? number : (is_lower(a, b) ? a : b);
    case Binary::maxnumf: return any_nan ? number : (is_lower(a, b) ? b : a);
    case Binary::minimumf: return any_nan ? std::nan("") : (is_lower(a, b) ? a : b);
    default: return any_nan ? std::nan("") : (is_lower(a, b) ? b : a);
  }
}

/// One rounding of an f64 result is one rounding of the exact one: 53 bits are more than twice 24 and two. In f64
/// itself the kernel and the reference are the same operation.
void make_pairs(Kind kind, std::vector<std::uint64_t>& a, std::vector<std::uint64_t>& b) {
  const std::vector<std::uint64_t> values = sample_bits(kind, 150, 5);
  for (std::uint64_t x : values)
    for (std::uint64_t y : values) {
      a.push_back(x);
      b.push_back(y);
    }
}

TEST(FloatKernels, BinaryOpsRoundOnce) {
  for (Kind kind : kFloats) {
    std::vector<std::uint64_t> a, b;
    make_pairs(kind, a, b);
    const Tile left(kind, a), right(kind, b);
    Tile want(kind, a.size());
    for (Binary op : kOps) {
      for (std::size_t i = 0; i < a.size(); ++i) want.set_number(i, expected(op, left.number(i), right.number(i)));
      for (const Table* table : tables()) {
        const BinaryFn function = table->binary(op, kind);
        ASSERT_NE(function, nullptr);
        Tile out(kind, a.size());
        function(out.data(), left.data(), right.data(), static_cast<std::int64_t>(a.size()), 1, 1);
        for (std::size_t i = 0; i < a.size(); ++i)
          ASSERT_TRUE(is_same_number(kind, out.bits(i), want.bits(i)))
              << table->name << " " << name_of(kind) << " op " << static_cast<int>(op) << " of " << left.number(i)
              << ", " << right.number(i) << ": " << out.number(i) << " instead of " << want.number(i);
      }
    }
  }
}

TEST(FloatKernels, UniformOperandsAndInPlace) {
  for (Kind kind : kFloats) {
    std::vector<std::uint64_t> values = sample_bits(kind, 700, 8);
    const std::int64_t n = static_cast<std::int64_t>(values.size());
    Tile uniform(kind, 1);
    uniform.set_number(0, 1.5);
    const Tile original(kind, values);
    for (Binary op : kOps)
      for (const Table* table : tables()) {
        Tile right(kind, values), left(kind, values), both(kind, values);
        table->binary(op, kind)(right.data(), right.data(), uniform.data(), n, 1, 0);
        table->binary(op, kind)(left.data(), uniform.data(), left.data(), n, 0, 1);
        table->binary(op, kind)(both.data(), uniform.data(), uniform.data(), n, 0, 0);
        Tile want(kind, 1);
        for (std::size_t i = 0; i < values.size(); ++i) {
          want.set_number(0, expected(op, original.number(i), 1.5));
          ASSERT_TRUE(is_same_number(kind, right.bits(i), want.bits(0)));
          want.set_number(0, expected(op, 1.5, original.number(i)));
          ASSERT_TRUE(is_same_number(kind, left.bits(i), want.bits(0)));
          want.set_number(0, expected(op, 1.5, 1.5));
          ASSERT_EQ(both.bits(i), want.bits(0));
        }
      }
  }
}

/// Zeros of either sign in runs of many lengths, as a mask that cuts a block leaves them, over every kind of divisor.
TEST(FloatKernels, RunsOfZerosAreDividedAsOthers) {
  std::mt19937 random(31);
  for (Kind kind : {Kind::f32, Kind::f64}) {
    Tile x(kind, 1500);
    std::size_t run = 0;
    bool is_negative = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (run == 0) {
        run = 1 + random() % 300;
        is_negative = random() % 4 == 0;
      }
      const double zero = is_negative ? -0.0 : 0.0;
      x.set_number(i, run-- % 150 > 140 ? 1.5 + static_cast<double>(random() % 100) : zero);
    }
    for (const double divisor : {3.0, 1e-42, -2.0, 0.0, -0.0, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()}) {
      Tile y(kind, 1);
      y.set_number(0, divisor);
      for (const Table* table : tables()) {
        Tile out = x, one(kind, 1);
        const auto divide = table->binary(Binary::divf, kind);
        divide(out.data(), out.data(), y.data(), static_cast<std::int64_t>(x.size()), 1, 0);
        for (std::size_t i = 0; i < x.size(); ++i) {
          one.set(0, x.bits(i));
          divide(one.data(), one.data(), y.data(), 1, 1, 0);
          ASSERT_EQ(out.bits(i), one.bits(0)) << table->name << " element " << i << " over " << divisor;
        }
      }
    }
  }
}

/// Quotients by one number come from its reciprocal where the processor multiplies and adds at once; they are those of a
/// division, also near halves and at the ends of the range.
TEST(FloatKernels, QuotientsByOneNumberAreRoundedOnce) {
  std::mt19937_64 random(8);
  const auto number = [&random](int lowest, int highest) {
    const float mantissa = 1.0f + std::ldexp(static_cast<float>(random() % (1u << 23)), -23);
    const auto range = static_cast<std::uint64_t>(highest - lowest + 1);
    const float magnitude = std::ldexp(mantissa, lowest + static_cast<int>(random() % range));
    return random() % 2 != 0 ? -magnitude : magnitude;
  };
  for (const Table* table : tables()) {
    const BinaryFn divide = table->binary(Binary::divf, Kind::f32);
    for (int round = 0; round < 600; ++round) {
      const float divisor = round % 3 == 0 ? number(-126, 127) : number(-42, 42);
      std::vector<float> x(203), y(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = round % 4 == 0 ? number(-149, 127) : number(-62, 62);
        // A number that is nearly, or just, halfway between two quotients.
        if (i % 2 == 0) x[i] = static_cast<float>(static_cast<double>(divisor) * (1.0 + std::ldexp(2.0 * static_cast<double>(random() % (1u << 23)) + 1.0, -24)));
        if (i % 61 == 0) x[i] = round % 2 != 0 ? 0.0f : -0.0f;
      }
      divide(y.data(), x.data(), &divisor, static_cast<std::int64_t>(x.size()), 1, 0);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float want = x[i] / divisor;
        ASSERT_EQ(std::memcmp(&y[i], &want, sizeof want), 0) << table->name << " " << x[i] << " / " << divisor;
      }
    }
  }
}

/// f16 and bf16 are computed in registers where the processor converts them, else in strips; NaNs count.
TEST(FloatKernels, SmallFloatsHaveTheSameBytesOnEveryInstructionSet) {
  for (Kind kind : {Kind::f16, Kind::bf16}) {
    std::vector<std::uint64_t> x, y;
    make_pairs(kind, x, y);
    for (std::uint64_t nan : {0x7e01u, 0xfd23u, 0x7fc1u, 0xff93u}) {
      x.push_back(nan);
      y.push_back(x[x.size() / 2]);
    }
    std::vector<std::uint64_t> z(x.rbegin(), x.rend());
    for (std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{16}, std::size_t{37}, x.size()}) {
      const std::size_t first = x.size() - n;
      const auto part = [&](const std::vector<std::uint64_t>& of) {
        return Tile(kind, std::vector<std::uint64_t>(of.begin() + static_cast<std::ptrdiff_t>(first), of.end()));
      };
      const Tile a = part(x), b = part(y), c = part(z);
      const auto count = static_cast<std::int64_t>(n);
      for (int steps = 0; steps < 8; ++steps) {
        for (Binary op : kOps) {
          if (steps >= 4) break;
          Tile want(kind, n), out(kind, n);
          tables()[0]->binary(op, kind)(want.data(), a.data(), b.data(), count, steps & 1, steps >> 1);
          for (const Table* table : tables()) {
            table->binary(op, kind)(out.data(), a.data(), b.data(), count, steps & 1, steps >> 1);
            ASSERT_EQ(out.bytes, want.bytes) << table->name << " " << name_of(kind) << " op " << static_cast<int>(op)
                                             << ", " << n << " elements, steps " << steps;
          }
        }
        Tile want(kind, n), out(kind, n);
        tables()[0]->ternary(Ternary::fma, kind)(want.data(), a.data(), b.data(), c.data(), count, steps & 1,
                                                 steps >> 1 & 1, steps >> 2);
        for (const Table* table : tables()) {
          table->ternary(Ternary::fma, kind)(out.data(), a.data(), b.data(), c.data(), count, steps & 1,
                                             steps >> 1 & 1, steps >> 2);
          ASSERT_EQ(out.bytes, want.bytes) << table->name << " " << name_of(kind) << " fma of " << n << ", steps " << steps;
        }
      }
    }
  }
}

bool expected_compare(int predicate, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  const bool results[8] = {false, a == b, a > b, a >= b, a < b, a <= b, a < b || a > b, true};
  // 1..7 ordered; 8..14 are unordered or eq, gt, ge, lt, le, ne; 14 "uno" and 7 "ord" have no comparison.
  if (predicate == 0) return false;
  if (predicate == 15) return true;
  if (predicate == 14) return unordered;
  if (predicate <= 7) return !unordered && results[predicate];
  return unordered || results[predicate - 7];
}

TEST(FloatKernels, EveryPredicate) {
  for (Kind kind : kFloats) {
    std::vector<std::uint64_t> a, b;
    make_pairs(kind, a, b);
    const Tile left(kind, a), right(kind, b);
    for (int number = 0; number < 16; ++number)
      for (const Table* table : tables()) {
        Tile out(Kind::i1, a.size());
        table->compare_float(static_cast<CompareFloat>(number), kind)(out.data(), left.data(), right.data(),
                                                                      static_cast<std::int64_t>(a.size()), 1, 1);
        for (std::size_t i = 0; i < a.size(); ++i)
          ASSERT_EQ(out.bits(i) != 0, expected_compare(number, left.number(i), right.number(i)))
              << name_of(kind) << number << " " << left.number(i) << " " << right.number(i);
      }
  }
}

TEST(FloatKernels, FmaRoundsOnce) {
  struct Case {
    Kind kind;
    double a, b, c, result;
  };
  // Products that end on a tie of the format, moved off it by a c far below: two roundings would go to even.
  const Case cases[] = {
      {Kind::f32, 0x1.000002p0, 0x1.fffffep-1, -1.0, 0x1.fffffcp-25},
      {Kind::f32, 0x1.001p0, 0x1.001p0, 0x1p-60, 0x1.002002p0},
      {Kind::f32, 0x1.001p0, 0x1.001p0, -0x1p-60, 0x1.002p0},
      {Kind::bf16, 0x1.1p0, 0x1.1p0, 0x1p-100, 0x1.22p0},
      {Kind::bf16, 0x1.1p0, 0x1.1p0, -0x1p-100, 0x1.2p0},
      {Kind::f16, 0x1.08p0, 0x1.04p0, 0x1p-24, 0x1.0c4p0},
      {Kind::f64, 1 + 0x1p-52, 1 - 0x1p-53, -1.0, 0x1.ffffffffffffep-54},
  };
  for (const Case& c : cases)
    for (const Table* table : tables()) {
      Tile a(c.kind, 40), b(c.kind, 40), z(c.kind, 40), out(c.kind, 40);
      for (std::size_t i = 0; i < 40; ++i) {
        a.set_number(i, c.a);
        b.set_number(i, c.b);
        z.set_number(i, c.c);
      }
      table->ternary(Ternary::fma, c.kind)(out.data(), a.data(), b.data(), z.data(), 40, 1, 1, 1);
      for (std::size_t i = 0; i < 40; ++i)
        EXPECT_EQ(out.number(i), c.result) << table->name << " " << name_of(c.kind) << " " << c.a;
    }
}

TEST(FloatKernels, FmaAgreesWithTheLibrary) {
  const std::vector<std::uint64_t> x = sample_bits(Kind::f32, 40000, 21), y = sample_bits(Kind::f32, 40000, 22),
                                   z = sample_bits(Kind::f32, 40000, 23);
  const Tile a(Kind::f32, x), b(Kind::f32, y), c(Kind::f32, z);
  for (const Table* table : tables())
    for (int mixture = 0; mixture < 8; ++mixture) {
      const int steps[3] = {mixture & 1, (mixture >> 1) & 1, (mixture >> 2) & 1};
      Tile out(Kind::f32, x.size());
      table->ternary(Ternary::fma, Kind::f32)(out.data(), a.data(), b.data(), c.data(),
                                              static_cast<std::int64_t>(x.size()), steps[0], steps[1], steps[2]);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float want =
            std::fma(static_cast<float>(a.number(i * steps[0])), static_cast<float>(b.number(i * steps[1])),
                     static_cast<float>(c.number(i * steps[2])));
        ASSERT_TRUE(is_same_number(Kind::f32, out.bits(i), encode_float(ScalarKind::f32, static_cast<double>(want))))
            << table->name << i;
      }
    }
}

TEST(FloatKernels, ClampAsOnTheGpu) {
  for (Kind kind : kFloats)
    for (const Table* table : tables()) {
      Tile x(kind, 5), low(kind, 1), high(kind, 1), out(kind, 5);
      const double values[5] = {-3, 0.5, 3, std::nan(""), 1};
      for (std::size_t i = 0; i < 5; ++i) x.set_number(i, values[i]);
      low.set_number(0, -1);
      high.set_number(0, 1);
      table->ternary(Ternary::clampf_none, kind)(out.data(), x.data(), low.data(), high.data(), 5, 1, 0, 0);
      const double want[5] = {-1, 0.5, 1, -1, 1};
      for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(out.number(i), want[i]) << name_of(kind) << i;
      table->ternary(Ternary::clampf_symmetric, kind)(out.data(), x.data(), low.data(), high.data(), 5, 1, 0, 0);
      const double by_magnitude[5] = {-1, 0.5, 1, 1, 1};
      for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(out.number(i), by_magnitude[i]) << name_of(kind) << i;
      table->ternary(Ternary::clampf_all, kind)(out.data(), x.data(), low.data(), high.data(), 5, 1, 0, 0);
      EXPECT_TRUE(std::isnan(out.number(3)));
      EXPECT_EQ(out.number(0), -1);
    }
}

double expected_unary(Unary op, double a) {
  switch (op) {
    case Unary::absf: return std::fabs(a);
    case Unary::negf: return -a;
    case Unary::ceil: return std::ceil(a);
    case Unary::floor: return std::floor(a);
    default: return std::sqrt(a);
  }
}

TEST(FloatKernels, ExactUnaryOps) {
  for (Kind kind : kFloats) {
    const std::vector<std::uint64_t> values = sample_bits(kind, 3000, 12);
    const Tile a(kind, values);
    for (Unary op : {Unary::absf, Unary::negf, Unary::ceil, Unary::floor, Unary::sqrt})
      for (const Table* table : tables()) {
        Tile out(kind, values);
        table->unary(op, kind)(out.data(), out.data(), static_cast<std::int64_t>(values.size()));
        Tile want(kind, 1);
        for (std::size_t i = 0; i < values.size(); ++i) {
          // Sign operations are operations on bits: an infinity stays one in formats whose conversions saturate.
          const bool saturate = is_float8(scalar(kind)) && op != Unary::absf && op != Unary::negf;
          want.set(0, encode_float(scalar(kind), expected_unary(op, a.number(i)), Rounding::nearest_even, saturate));
          ASSERT_TRUE(is_same_number(kind, out.bits(i), want.bits(0)))
              << name_of(kind) << " op " << static_cast<int>(op) << " of " << a.number(i) << ": " << out.number(i);
        }
      }
  }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
