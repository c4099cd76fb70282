// Every conversion against the integer reference: all patterns of kinds up to 16 bits, corners and random bits of the
// others.
#include "kernel_fixture.h"

namespace lockstep::interpreter::kernels::testing {
namespace {

std::vector<std::uint64_t> inputs_of(Kind kind) {
  if (kind == Kind::i1) return {0, 1};
  if (bytes_of(kind) != 2) return sample_bits(kind, 20000, 17);
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < 65536; ++i) all.push_back(i);
  return all;
}

Tile converted(const Table* table, Kind from, Kind to, Conversion how, const std::vector<std::uint64_t>& values) {
  const Tile in(from, values);
  Tile out(to, values.size());
  table->convert(from, to, how)(out.data(), in.data(), static_cast<std::int64_t>(values.size()));
  return out;
}

TEST(ConvertKernels, FloatToFloat) {
  for (Kind from : kFloats) {
    const std::vector<std::uint64_t> values = inputs_of(from);
    for (Kind to : kFloats) {
      if (from == to) continue;
      for (Conversion how : {Conversion::signed_, Conversion::toward_zero})
        for (const Table* table : tables()) {
          const Tile out = converted(table, from, to, how, values);
          const Rounding rounding = how == Conversion::toward_zero ? Rounding::toward_zero : Rounding::nearest_even;
          for (std::size_t i = 0; i < values.size(); ++i) {
            const double value = decode_float(scalar(from), values[i]);
            const bool keeps_infinity = std::isinf(value) && how == Conversion::toward_zero && to == Kind::f8E5M2;
            const std::uint64_t want =
                encode_float(scalar(to), value, rounding, is_float8(scalar(to)) && !keeps_infinity);
            ASSERT_TRUE(is_same_number(to, out.bits(i), want))
                << table->name << " " << name_of(from) << " -> " << name_of(to) << " of " << value << ": "
                << out.number(i) << " instead of " << decode_float(scalar(to), want);
          }
        }
    }
  }
}

TEST(ConvertKernels, SmallFloatBitsAreTheSameInEveryInstructionSet) {
  for (Kind from : kFloats)
    for (Kind to : kFloats) {
      const std::vector<std::uint64_t> values = inputs_of(from);
      const Tile first = converted(tables()[0], from, to, Conversion::signed_, values);
      for (const Table* table : tables())
        EXPECT_EQ(first.bytes, converted(table, from, to, Conversion::signed_, values).bytes)
            << name_of(from) << name_of(to);
    }
}

std::uint64_t expected_integer(double value, Kind from, Kind to, bool is_unsigned) {
  const int width = to == Kind::i8 ? 16 : 8 * bytes_of(to);
  const int kept = 8 * bytes_of(to);
  if (std::isnan(value)) return kept == 64 || from == Kind::f64 ? low_bits(std::uint64_t{1} << (width - 1), kept) : 0;
  const double whole = std::trunc(value);
  const double end = std::ldexp(1.0, is_unsigned ? width : width - 1);
  if (is_unsigned && whole <= 0) return 0;
  if (whole >= end)
    return low_bits(is_unsigned ? ~std::uint64_t{0} >> (64 - width) : (~std::uint64_t{0} >> (65 - width)), kept);
  if (whole < -end) return low_bits(std::uint64_t{1} << (width - 1), kept);
  return low_bits(
      is_unsigned ? static_cast<std::uint64_t>(whole) : static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)),
      kept);
}

TEST(ConvertKernels, FloatToInteger) {
  for (Kind from : kFloats) {
    const std::vector<std::uint64_t> values = inputs_of(from);
    for (Kind to : kIntegers)
      for (Conversion how : {Conversion::signed_, Conversion::unsigned_})
        for (const Table* table : tables()) {
          const Tile out = converted(table, from, to, how, values);
          for (std::size_t i = 0; i < values.size(); ++i) {
            const double value = decode_float(scalar(from), values[i]);
            ASSERT_EQ(out.bits(i), expected_integer(value, from, to, how == Conversion::unsigned_))
                << table->name << " " << name_of(from) << " -> " << name_of(to) << " of " << value
                << (how == Conversion::unsigned_ ? " unsigned" : "");
          }
        }
  }
}

TEST(ConvertKernels, FloatToIntegerAsMeasuredOnTheGpu) {
  const auto one = [](Kind to, Conversion how, float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return sign_extended(converted(tables().back(), Kind::f32, to, how, {bits}).bits(0), 8 * bytes_of(to));
  };
  EXPECT_EQ(one(Kind::i32, Conversion::signed_, 1e10f), 2147483647);
  EXPECT_EQ(one(Kind::i32, Conversion::signed_, -INFINITY), -2147483648LL);
  EXPECT_EQ(one(Kind::i32, Conversion::signed_, NAN), 0);
  EXPECT_EQ(one(Kind::i32, Conversion::signed_, -2.9f), -2);
  EXPECT_EQ(one(Kind::i8, Conversion::signed_, 300.f), 44);
  EXPECT_EQ(one(Kind::i8, Conversion::signed_, -300.f), -44);
  EXPECT_EQ(one(Kind::i8, Conversion::unsigned_, -1.f), 0);
  EXPECT_EQ(one(Kind::i8, Conversion::unsigned_, 255.9f), -1);
  EXPECT_EQ(one(Kind::i16, Conversion::signed_, 70000.f), 32767);
  EXPECT_EQ(one(Kind::i64, Conversion::signed_, 1e20f), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(one(Kind::i64, Conversion::signed_, NAN), std::numeric_limits<std::int64_t>::min());
}

/// An integer rounded once to a float kind: exact in long double (64 bits), rounded to odd on the way to f64.
std::uint64_t expected_float(Kind to, bool is_negative, std::uint64_t magnitude) {
  if (to != Kind::f64 && (magnitude >> 53) != 0)
    magnitude = (magnitude & ~std::uint64_t{0xfff}) | ((magnitude & 0xfff) != 0 ? 0x800 : 0);
  const double value = static_cast<double>(magnitude);
  return encode_float(scalar(to), is_negative ? -value : value, Rounding::nearest_even, is_float8(scalar(to)));
}

TEST(ConvertKernels, IntegerToFloat) {
  for (Kind from : {Kind::i1, Kind::i8, Kind::i16, Kind::i32, Kind::i64}) {
    const std::vector<std::uint64_t> values = inputs_of(from);
    const int width = bit_width(scalar(from));
    for (Kind to : kFloats)
      for (Conversion how : {Conversion::signed_, Conversion::unsigned_})
        for (const Table* table : tables()) {
          const Tile out = converted(table, from, to, how, values);
          for (std::size_t i = 0; i < values.size(); ++i) {
            const std::int64_t number = sign_extended(values[i], width);
            const bool is_negative = how == Conversion::signed_ && number < 0;
            const std::uint64_t want = expected_float(
                to, is_negative, is_negative ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : values[i]);
            ASSERT_EQ(out.bits(i), want) << table->name << " " << name_of(from) << " -> " << name_of(to) << " of "
                                         << number;
          }
        }
  }
}

TEST(ConvertKernels, IntegerToInteger) {
  for (Kind from : {Kind::i1, Kind::i8, Kind::i16, Kind::i32, Kind::i64})
    for (Kind to : {Kind::i1, Kind::i8, Kind::i16, Kind::i32, Kind::i64})
      for (Conversion how : {Conversion::signed_, Conversion::unsigned_})
        for (const Table* table : tables()) {
          const std::vector<std::uint64_t> values = inputs_of(from);
          const Tile out = converted(table, from, to, how, values);
          for (std::size_t i = 0; i < values.size(); ++i) {
            const std::uint64_t wide =
                how == Conversion::signed_
                    ? static_cast<std::uint64_t>(sign_extended(values[i], bit_width(scalar(from))))
                    : values[i];
            ASSERT_EQ(out.bits(i), low_bits(wide, bit_width(scalar(to)))) << name_of(from) << " -> " << name_of(to);
          }
        }
}

TEST(ConvertKernels, InPlaceWhenNotLarger) {
  for (const Table* table : tables())
    for (Kind to : {Kind::f16, Kind::bf16, Kind::f8E4M3FN, Kind::i32, Kind::i8}) {
      const std::vector<std::uint64_t> values = sample_bits(Kind::f32, 1500, 4);
      Tile tile(Kind::f32, values);
      const Tile want = converted(table, Kind::f32, to, Conversion::signed_, values);
      table->convert(Kind::f32, to, Conversion::signed_)(tile.data(), tile.data(),
                                                         static_cast<std::int64_t>(values.size()));
      EXPECT_EQ(std::memcmp(tile.data(), want.data(), want.bytes.size()), 0) << table->name << name_of(to);
    }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
