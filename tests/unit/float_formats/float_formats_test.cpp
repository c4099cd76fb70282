// The reference conversions: known values, properties over all patterns of every small format, and checksums of the
// tables that ml_dtypes 0.5 gives for the same inputs (NaN results replaced by one value on both sides).
#include "support/float_formats.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr ScalarKind kEight[] = {ScalarKind::f8E4M3FN, ScalarKind::f8E5M2, ScalarKind::f8E4M3FNUZ,
                                 ScalarKind::f8E5M2FNUZ};
constexpr ScalarKind kSmall[] = {ScalarKind::f8E4M3FN,   ScalarKind::f8E5M2, ScalarKind::f8E4M3FNUZ,
                                 ScalarKind::f8E5M2FNUZ, ScalarKind::f16,    ScalarKind::bf16};

std::uint64_t pattern_count(ScalarKind kind) { return std::uint64_t{1} << bit_width(kind); }

/// The checksum of zlib's crc32.
template <class T>
std::uint32_t checksum(const std::vector<T>& values) {
  std::uint32_t crc = 0xffffffffu;
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

TEST(FloatFormats, EveryPatternSurvivesTheRoundTrip) {
  for (ScalarKind kind : kSmall)
    for (std::uint64_t bits = 0; bits < pattern_count(kind); ++bits) {
      const double value = decode_float(kind, bits);
      for (Rounding rounding : {Rounding::nearest_even, Rounding::toward_zero}) {
        const std::uint64_t back = encode_float(kind, value, rounding);
        ASSERT_TRUE(back == bits || (std::isnan(value) && std::isnan(decode_float(kind, back)))) << spelling(kind);
      }
    }
}

/// Between neighbours the lower half rounds down, the upper half up, the middle to the even pattern; toward zero always
/// down.
TEST(FloatFormats, MidpointsRoundToEven) {
  for (ScalarKind kind : kSmall)
    for (std::uint64_t bits = 0; bits + 1 < pattern_count(kind) / 2; ++bits) {
      const double low = decode_float(kind, bits), high = decode_float(kind, bits + 1);
      if (std::isnan(high) || std::isinf(high)) break;
      const double middle = low + (high - low) / 2;
      const std::uint64_t even = (bits & 1) == 0 ? bits : bits + 1;
      ASSERT_EQ(encode_float(kind, middle), even) << spelling(kind) << " " << middle;
      ASSERT_EQ(encode_float(kind, std::nextafter(middle, 0.0)), bits) << spelling(kind);
      ASSERT_EQ(encode_float(kind, std::nextafter(middle, 1e9 + high)), bits + 1) << spelling(kind);
      ASSERT_EQ(encode_float(kind, std::nextafter(high, 0.0), Rounding::toward_zero), bits) << spelling(kind);
      const std::uint64_t negative = encode_float(kind, -middle);
      ASSERT_EQ(decode_float(kind, negative), -decode_float(kind, even)) << spelling(kind);
    }
}

struct Known {
  ScalarKind kind;
  double value;
  std::uint64_t bits;
  bool saturate;
};

TEST(FloatFormats, KnownValues) {
  const Known cases[] = {
      {ScalarKind::f16, 1.0, 0x3c00, false},
      {ScalarKind::f16, -2.0, 0xc000, false},
      {ScalarKind::f16, 65504.0, 0x7bff, false},
      {ScalarKind::f16, 65519.99, 0x7bff, false},
      {ScalarKind::f16, 65520.0, 0x7c00, false},
      {ScalarKind::f16, 0x1p-24, 1, false},
      {ScalarKind::f16, 0x1p-25, 0, false},
      {ScalarKind::f16, -0.0, 0x8000, false},
      {ScalarKind::f16, -HUGE_VAL, 0xfc00, false},
      {ScalarKind::bf16, 1 + 0x1p-8, 0x3f80, false},
      {ScalarKind::bf16, 1 + 0x1p-8 + 0x1p-40, 0x3f81, false},
      {ScalarKind::bf16, 3.4e38, 0x7f80, false},
      {ScalarKind::f8E5M2, 1.125, 60, true},
      {ScalarKind::f8E5M2, 1.375, 62, true},
      {ScalarKind::f8E5M2, 1.875, 64, true},
      {ScalarKind::f8E5M2, 61440.0, 123, true},
      {ScalarKind::f8E5M2, HUGE_VAL, 123, true},
      {ScalarKind::f8E5M2, 61440.0, 124, false},
      {ScalarKind::f8E4M3FN, 1.0625, 56, true},
      {ScalarKind::f8E4M3FN, 1.9375, 64, true},
      {ScalarKind::f8E4M3FN, 464.0, 126, true},
      {ScalarKind::f8E4M3FN, 1e9, 126, true},
      {ScalarKind::f8E4M3FN, 1e9, 127, false},
      {ScalarKind::f8E4M3FN, 0x1p-10, 0, true},
      {ScalarKind::f8E4M3FN, 1.5 * 0x1p-9, 2, true},
      {ScalarKind::f8E4M3FN, -0x1p-6, 136, true},
      {ScalarKind::f8E4M3FNUZ, -0.0, 0, true},
      {ScalarKind::f8E4M3FNUZ, 240.0, 0x7f, true},
      {ScalarKind::f8E5M2FNUZ, -1e-30, 0, true},
      {ScalarKind::f32, 1e300, 0x7f800000, false},
      {ScalarKind::f32, 0x1p-149, 1, false},
      {ScalarKind::f64, 1.0, 0x3ff0000000000000, false},
  };
  for (const Known& known : cases)
    EXPECT_EQ(encode_float(known.kind, known.value, Rounding::nearest_even, known.saturate), known.bits)
        << spelling(known.kind) << " " << known.value;
}

TEST(FloatFormats, TowardZeroNeverOverflows) {
  EXPECT_EQ(encode_float(ScalarKind::f16, 1e9, Rounding::toward_zero), 0x7bffu);
  EXPECT_EQ(encode_float(ScalarKind::f16, -1e9, Rounding::toward_zero), 0xfbffu);
  EXPECT_EQ(encode_float(ScalarKind::f16, HUGE_VAL, Rounding::toward_zero), 0x7c00u);
  EXPECT_EQ(encode_float(ScalarKind::bf16, 3.4e38, Rounding::toward_zero), 0x7f7fu);
  EXPECT_EQ(encode_float(ScalarKind::f32, -1e300, Rounding::toward_zero), 0xff7fffffu);
}

TEST(FloatFormats, NanStaysNan) {
  EXPECT_EQ(encode_float(ScalarKind::f8E4M3FN, std::nan("")), 0x7fu);
  EXPECT_EQ(encode_float(ScalarKind::f8E5M2, -std::nan("")), 0x7fu);
  EXPECT_EQ(encode_float(ScalarKind::f8E4M3FNUZ, std::nan(""), Rounding::nearest_even, true), 0x80u);
  EXPECT_TRUE(std::isnan(decode_float(ScalarKind::f8E5M2FNUZ, 0x80)));
  EXPECT_TRUE(std::isnan(decode_float(ScalarKind::f8E4M3FN, 0xff)));
  EXPECT_TRUE(std::isinf(decode_float(ScalarKind::f8E5M2, 0x7c)));
  // A signalling NaN whose payload does not fit must not become an infinity.
  EXPECT_EQ(f32_to_f16(std::bit_cast<float>(0x7f800001u)), 0x7e00);
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0xff800001u)), 0xffc0);
}

TEST(FloatFormats, TheNarrowFunctionsAgreeWithTheGeneralOne) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double f16 = decode_float(ScalarKind::f16, bits), bf16 = decode_float(ScalarKind::bf16, bits);
    ASSERT_TRUE(std::isnan(f16) || static_cast<double>(f16_to_f32(half)) == f16);
    ASSERT_TRUE(std::isnan(bf16) || static_cast<double>(bf16_to_f32(half)) == bf16);
  }
  std::uint32_t bits = 1;
  for (int i = 0; i < 200000; ++i, bits = bits * 1664525u + 1013904223u) {
    const float value = std::bit_cast<float>(bits);
    if (std::isnan(value)) continue;
    ASSERT_EQ(f32_to_f16(value), encode_float(ScalarKind::f16, static_cast<double>(value)));
    ASSERT_EQ(f32_to_bf16(value), encode_float(ScalarKind::bf16, static_cast<double>(value)));
  }
}

TEST(FloatFormats, DecodingTablesAsInMlDtypes) {
  const std::pair<ScalarKind, std::uint32_t> expected[] = {
      {ScalarKind::f8E4M3FN, 0x721e17bdu},   {ScalarKind::f8E5M2, 0xbca7f2d8u}, {ScalarKind::f8E4M3FNUZ, 0xf179aaabu},
      {ScalarKind::f8E5M2FNUZ, 0x0a61017du}, {ScalarKind::f16, 0x529d65e6u},    {ScalarKind::bf16, 0x9f736728u}};
  for (const auto& [kind, crc] : expected) {
    std::vector<float> values;
    for (std::uint64_t bits = 0; bits < pattern_count(kind); ++bits) {
      const double value = decode_float(kind, bits);
      values.push_back(std::isnan(value) ? 12345.0f : static_cast<float>(value));
    }
    EXPECT_EQ(checksum(values), crc) << spelling(kind);
  }
}

/// 2^20 f32 patterns spread over the whole range by a multiplicative sequence.
TEST(FloatFormats, EncodingTablesAsInMlDtypes) {
  const std::pair<ScalarKind, std::uint32_t> expected[] = {{ScalarKind::f8E4M3FN, 0xc4d703c8u},
                                                           {ScalarKind::f8E5M2, 0xc0fd7e6bu},
                                                           {ScalarKind::f8E4M3FNUZ, 0x13e293a1u},
                                                           {ScalarKind::f8E5M2FNUZ, 0x1fa3e228u}};
  for (const auto& [kind, crc] : expected) {
    std::vector<std::uint8_t> values;
    for (std::uint64_t i = 0; i < (1u << 20); ++i) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(i * 2654435761u));
      const std::uint64_t bits = encode_float(kind, static_cast<double>(value));
      values.push_back(std::isnan(decode_float(kind, bits)) ? 0x7f : static_cast<std::uint8_t>(bits));
    }
    EXPECT_EQ(checksum(values), crc) << spelling(kind);
  }
  for (const auto& [kind, crc, nan] :
       {std::tuple{ScalarKind::f16, 0x3dc83a3cu, 0x7e00}, std::tuple{ScalarKind::bf16, 0x8a6652b1u, 0x7fc0}}) {
    std::vector<std::uint16_t> values;
    for (std::uint64_t i = 0; i < (1u << 20); ++i) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(i * 2654435761u));
      values.push_back(static_cast<std::uint16_t>(std::isnan(value) ? static_cast<std::uint64_t>(nan)
                                                                    : encode_float(kind, static_cast<double>(value))));
    }
    EXPECT_EQ(checksum(values), crc) << spelling(kind);
  }
}

/// All f16 values to each 8-bit format.
TEST(FloatFormats, EightBitFormatsOfAllHalves) {
  const std::uint32_t expected[] = {0x8540b569u, 0x25a88b7au, 0x213d02e9u, 0x641e5f3fu};
  for (int i = 0; i < 4; ++i) {
    std::vector<std::uint8_t> values;
    for (std::uint64_t half = 0; half < 65536; ++half) {
      const std::uint64_t bits = encode_float(kEight[i], decode_float(ScalarKind::f16, half));
      values.push_back(std::isnan(decode_float(kEight[i], bits)) ? 0x7f : static_cast<std::uint8_t>(bits));
    }
    EXPECT_EQ(checksum(values), expected[i]) << spelling(kEight[i]);
  }
}

}  // namespace
}  // namespace lockstep
