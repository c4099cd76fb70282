// Integer kernels against 128-bit arithmetic, in every instruction set, for dense and uniform operands and in place.
#include "kernel_fixture.h"

#include <algorithm>

namespace lockstep::interpreter::kernels::testing {
namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

struct Operands {
  Wide signed_a, signed_b;
  UnsignedWide unsigned_a, unsigned_b;
  int width;
};

Wide divide(const Operands& o, bool is_signed, int direction) {
  if (o.unsigned_b == 0) return -1;
  const Wide a = is_signed ? o.signed_a : static_cast<Wide>(o.unsigned_a),
             b = is_signed ? o.signed_b : static_cast<Wide>(o.unsigned_b);
  const Wide quotient = a / b, rest = a % b;
  if (rest == 0 || direction == 0) return quotient;
  const bool is_negative = (rest < 0) != (b < 0);
  return direction > 0 ? quotient + (is_negative ? 0 : 1) : quotient - (is_negative ? 1 : 0);
}

Wide expected_integer(Binary op, const Operands& o) {
  const auto by = static_cast<std::uint32_t>(o.unsigned_b);  // S-21: of 64 bits the low 32 count, i1 is not shifted
  const bool in_width = o.width == 1 || by < static_cast<unsigned>(o.width);
  const int amount = in_width && o.width != 1 ? static_cast<int>(by) : 0;
  switch (op) {
    case Binary::addi: return o.signed_a + o.signed_b;
    case Binary::subi: return o.signed_a - o.signed_b;
    case Binary::muli: return o.signed_a * o.signed_b;
    case Binary::divsi: return divide(o, true, 0);
    case Binary::divui: return divide(o, false, 0);
    case Binary::remsi: return o.signed_b == 0 ? o.signed_a : o.signed_a % o.signed_b;
    case Binary::remui: return static_cast<Wide>(o.unsigned_b == 0 ? o.unsigned_a : o.unsigned_a % o.unsigned_b);
    case Binary::ceildivsi: return divide(o, true, 1);
    case Binary::ceildivui: return divide(o, false, 1);
    case Binary::floordivsi: return divide(o, true, -1);
    case Binary::andi: return o.signed_a & o.signed_b;
    case Binary::ori: return o.signed_a | o.signed_b;
    case Binary::xori: return o.signed_a ^ o.signed_b;
    case Binary::shli: return in_width ? static_cast<Wide>(o.unsigned_a << amount) : 0;
    case Binary::shrsi: return in_width ? o.signed_a >> amount : (o.signed_a < 0 ? -1 : 0);
    case Binary::shrui: return in_width ? static_cast<Wide>(o.unsigned_a >> amount) : 0;
    case Binary::minsi: return std::min(o.signed_a, o.signed_b);
    case Binary::maxsi: return std::max(o.signed_a, o.signed_b);
    case Binary::minui: return static_cast<Wide>(std::min(o.unsigned_a, o.unsigned_b));
    case Binary::maxui: return static_cast<Wide>(std::max(o.unsigned_a, o.unsigned_b));
    case Binary::mulhiui: return static_cast<Wide>((o.unsigned_a * o.unsigned_b) >> o.width);
    default: return 0;
  }
}

std::uint64_t expected_bits(Binary op, std::uint64_t a, std::uint64_t b, int width) {
  const Operands operands{sign_extended(a, width), sign_extended(b, width), a, b, width};
  return low_bits(static_cast<std::uint64_t>(expected_integer(op, operands)), width);
}

/// All pairs of samples as two tiles.
void make_integers(Kind kind, std::size_t samples, std::vector<std::uint64_t>& a, std::vector<std::uint64_t>& b) {
  const std::vector<std::uint64_t> values = sample_bits(kind, samples, 7);
  for (std::uint64_t x : values)
    for (std::uint64_t y : values) {
      a.push_back(x);
      b.push_back(y);
    }
}

TEST(IntegerKernels, EveryBinaryOpAgreesWithWideArithmetic) {
  for (Kind kind : kIntegers) {
    std::vector<std::uint64_t> a, b;
    make_integers(kind, 120, a, b);
    const Tile left(kind, a), right(kind, b);
    const int width = 8 * bytes_of(kind);
    for (int number = 0; number < kIntegerBinaryCount; ++number) {
      const Binary op = static_cast<Binary>(number);
      for (const Table* table : tables()) {
        const BinaryFn function = table->binary(op, kind);
        ASSERT_NE(function, nullptr) << number << name_of(kind);
        Tile out(kind, a.size());
        function(out.data(), left.data(), right.data(), static_cast<std::int64_t>(a.size()), 1, 1);
        for (std::size_t i = 0; i < a.size(); ++i)
          ASSERT_EQ(out.bits(i), expected_bits(op, a[i], b[i], width))
              << table->name << " " << name_of(kind) << " op " << number << " of " << a[i] << ", " << b[i];
      }
    }
  }
}

TEST(IntegerKernels, UniformOperandsAndInPlace) {
  for (Kind kind : kIntegers) {
    const std::vector<std::uint64_t> values = sample_bits(kind, 77, 3);
    const int width = 8 * bytes_of(kind);
    const std::int64_t n = static_cast<std::int64_t>(values.size());
    for (int number = 0; number < kIntegerBinaryCount; ++number) {
      const Binary op = static_cast<Binary>(number);
      for (const Table* table : tables()) {
        const BinaryFn function = table->binary(op, kind);
        Tile in_place(kind, values);
        const Tile uniform(kind, std::vector<std::uint64_t>{5});
        function(in_place.data(), in_place.data(), uniform.data(), n, 1, 0);
        for (std::size_t i = 0; i < values.size(); ++i)
          ASSERT_EQ(in_place.bits(i), expected_bits(op, values[i], 5, width));
        Tile reversed(kind, values);
        function(reversed.data(), uniform.data(), reversed.data(), n, 0, 1);
        for (std::size_t i = 0; i < values.size(); ++i)
          ASSERT_EQ(reversed.bits(i), expected_bits(op, 5, values[i], width));
        Tile both(kind, values.size());
        function(both.data(), uniform.data(), uniform.data(), n, 0, 0);
        for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(both.bits(i), expected_bits(op, 5, 5, width));
      }
    }
  }
}

TEST(IntegerKernels, OneBitIntegers) {
  for (const Table* table : tables())
    for (int number = 0; number < kIntegerBinaryCount; ++number) {
      const Binary op = static_cast<Binary>(number);
      const BinaryFn function = table->binary(op, Kind::i1);
      if (function == nullptr) continue;
      const Tile a(Kind::i1, {0, 0, 1, 1}), b(Kind::i1, {0, 1, 0, 1});
      Tile out(Kind::i1, 4);
      function(out.data(), a.data(), b.data(), 4, 1, 1);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(out.bits(i), expected_bits(op, a.bits(i), b.bits(i), 1))
            << number << " of " << a.bits(i) << b.bits(i);
    }
}

TEST(IntegerKernels, AbsoluteValueKeepsTheLowest) {
  for (const Table* table : tables())
    for (Kind kind : kIntegers) {
      const int width = 8 * bytes_of(kind);
      const std::vector<std::uint64_t> values = sample_bits(kind, 100, 1);
      Tile tile(kind, values);
      table->unary(Unary::absi, kind)(tile.data(), tile.data(), static_cast<std::int64_t>(values.size()));
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t value = sign_extended(values[i], width);
        EXPECT_EQ(tile.bits(i), low_bits(value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                                                   : static_cast<std::uint64_t>(value),
                                         width));
      }
    }
}

bool expected_order(CompareInt predicate, std::uint64_t a, std::uint64_t b, int width) {
  const std::int64_t x = sign_extended(a, width), y = sign_extended(b, width);
  switch (predicate) {
    case CompareInt::eq: return a == b;
    case CompareInt::ne: return a != b;
    case CompareInt::slt: return x < y;
    case CompareInt::sle: return x <= y;
    case CompareInt::sgt: return x > y;
    case CompareInt::sge: return x >= y;
    case CompareInt::ult: return a < b;
    case CompareInt::ule: return a <= b;
    case CompareInt::ugt: return a > b;
    case CompareInt::uge: return a >= b;
  }
  return false;
}

TEST(IntegerKernels, EveryPredicate) {
  for (Kind kind : {Kind::i1, Kind::i8, Kind::i16, Kind::i32, Kind::i64, Kind::pointer}) {
    std::vector<std::uint64_t> a, b;
    if (kind == Kind::i1) {
      a = {0, 0, 1, 1};
      b = {0, 1, 0, 1};
    } else {
      make_integers(kind, 60, a, b);
    }
    const Tile left(kind, a), right(kind, b);
    for (int number = 0; number < 10; ++number)
      for (const Table* table : tables()) {
        Tile out(Kind::i1, a.size());
        table->compare_int(static_cast<CompareInt>(number), kind)(out.data(), left.data(), right.data(),
                                                                  static_cast<std::int64_t>(a.size()), 1, 1);
        for (std::size_t i = 0; i < a.size(); ++i)
          ASSERT_EQ(out.bits(i) != 0,
                    expected_order(static_cast<CompareInt>(number), a[i], b[i], bit_width(scalar(kind))))
              << name_of(kind) << number;
      }
  }
}

TEST(IntegerKernels, FloatOpsHaveNoIntegerKernel) {
  for (const Table* table : tables()) {
    EXPECT_EQ(table->binary(Binary::addf, Kind::i32), nullptr);
    EXPECT_EQ(table->binary(Binary::addi, Kind::f32), nullptr);
    EXPECT_EQ(table->unary(Unary::absi, Kind::f32), nullptr);
    EXPECT_EQ(table->unary(Unary::exp, Kind::i32), nullptr);
    EXPECT_EQ(table->compare_int(CompareInt::eq, Kind::f32), nullptr);
    EXPECT_EQ(table->reduce(Binary::subi, Kind::i32), nullptr);
  }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
