// Helpers of the kernel tests: the tables this processor can run, tiles of any kind with values read and written
// through the integer reference of support/float_formats.h, and sample values that hit the corners of every kind.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "interpreter/kernels/dispatch.h"
#include "interpreter/kernels/kernels.h"
#include "support/float_formats.h"

namespace lockstep::interpreter::kernels::testing {

inline std::vector<const Table*> tables() {
  std::vector<const Table*> result;
  for (const char* name : {"v2", "v3", "v4", "base"})
    if (const Table* table = table_of(name)) result.push_back(table);
  return result;
}

inline ScalarKind scalar(Kind kind) { return static_cast<ScalarKind>(kind); }
inline int bytes_of(Kind kind) { return size_bytes(scalar(kind)); }
inline std::string name_of(Kind kind) { return std::string(spelling(scalar(kind))); }

inline constexpr Kind kIntegers[] = {Kind::i8, Kind::i16, Kind::i32, Kind::i64};
inline constexpr Kind kFloats8[] = {Kind::f8E4M3FN, Kind::f8E5M2, Kind::f8E4M3FNUZ, Kind::f8E5M2FNUZ};
inline constexpr Kind kSmallFloats[] = {Kind::f8E4M3FN,   Kind::f8E5M2, Kind::f8E4M3FNUZ,
                                        Kind::f8E5M2FNUZ, Kind::f16,    Kind::bf16};
inline constexpr Kind kFloats[] = {Kind::f8E4M3FN, Kind::f8E5M2, Kind::f8E4M3FNUZ, Kind::f8E5M2FNUZ,
                                   Kind::f16,      Kind::bf16,   Kind::f32,        Kind::f64};

/// A dense tile: elements of `kind` as bits.
struct Tile {
  Kind kind;
  std::vector<unsigned char> bytes;

  Tile(Kind element, std::size_t count) : kind(element), bytes(count * static_cast<std::size_t>(bytes_of(element))) {}
  Tile(Kind element, const std::vector<std::uint64_t>& values) : Tile(element, values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i) set(i, values[i]);
  }
  std::size_t size() const { return bytes.size() / static_cast<std::size_t>(bytes_of(kind)); }
  void* data() { return bytes.data(); }
  const void* data() const { return bytes.data(); }
  std::uint64_t bits(std::size_t i) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + i * static_cast<std::size_t>(bytes_of(kind)),
                static_cast<std::size_t>(bytes_of(kind)));
    return value;
  }
  void set(std::size_t i, std::uint64_t value) {
    std::memcpy(bytes.data() + i * static_cast<std::size_t>(bytes_of(kind)), &value,
                static_cast<std::size_t>(bytes_of(kind)));
  }
  double number(std::size_t i) const { return decode_float(scalar(kind), bits(i)); }
  void set_number(std::size_t i, double value) {
    set(i, encode_float(scalar(kind), value, Rounding::nearest_even, is_float8(scalar(kind))));
  }
};

inline std::int64_t sign_extended(std::uint64_t bits, int width) {
  if (width == 64) return static_cast<std::int64_t>(bits);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>(((bits & (2 * sign - 1)) ^ sign) - sign);
}
inline std::uint64_t low_bits(std::uint64_t value, int width) {
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

/// Every pattern of a kind of up to 8 bits; corners and random bits otherwise (about `count` of them).
inline std::vector<std::uint64_t> sample_bits(Kind kind, std::size_t count, unsigned seed) {
  const int width = 8 * bytes_of(kind);
  std::vector<std::uint64_t> result;
  if (width <= 8) {
    for (std::uint64_t i = 0; i < 256; ++i) result.push_back(i);
    return result;
  }
  for (std::int64_t small = -3; small <= 3; ++small) {
    result.push_back(low_bits(static_cast<std::uint64_t>(small), width));
    result.push_back(low_bits((std::uint64_t{1} << (width - 1)) + static_cast<std::uint64_t>(small), width));
  }
  if (is_float(scalar(kind))) {
    for (double value : {1.0,           -1.0,   0.5,    2.0,     1.5,    -2.5,  3.0,      65504.0,      65520.0,
                         448.0,         1e-8,   1e-40,  -1e-45,  3.4e38, 1e300, -1e-310,  2147483648.0, 4294967296.0,
                         -2147483648.0, 9.3e18, 1.9e19, 32767.5, 300.0,  255.9, HUGE_VAL, -HUGE_VAL})
      result.push_back(encode_float(scalar(kind), value));
    result.push_back(encode_float(scalar(kind), std::nan("")));
  }
  std::mt19937_64 random(seed);
  while (result.size() < count) {
    // Short numbers too, so that shifts, quotients and equal operands occur.
    const std::uint64_t bits = random();
    result.push_back(low_bits(is_float(scalar(kind)) || bits % 3 != 0 ? bits : bits >> (8 + random() % 56), width));
  }
  return result;
}

/// Equal bits, or both NaN.
inline bool is_same_number(Kind kind, std::uint64_t a, std::uint64_t b) {
  return a == b || (std::isnan(decode_float(scalar(kind), a)) && std::isnan(decode_float(scalar(kind), b)));
}

}  // namespace lockstep::interpreter::kernels::testing
