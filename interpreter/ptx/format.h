// Exact conversion between number formats: a value is unpacked into sign, significand and exponent, then packed with
// one rounding. Covers every float format that cvt names and 64-bit integers. Invariant: pack rounds once, in the mode
// asked for. Source: PTX ISA 8.7 "cvt" and "Alternate Floating-Point Data Formats"; OCP Microscaling Formats v1.0.
#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/ptx/types.h"

namespace lockstep::interpreter::ptx {

enum class Mode : std::uint8_t { nearest_even, nearest_away, toward_zero, down, up };

/// (-1)^negative * significand * 2^exponent; significand 0 is zero.
struct Unpacked {
  enum class Kind : std::uint8_t { finite, infinite, nan } kind = Kind::finite;
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};

struct Format {
  int width;
  int mantissa;
  int bias;
  std::uint64_t largest;  // magnitude bits of the largest finite value
  bool has_infinity;
  std::uint64_t nan;  // canonical NaN; for formats without one, what NaN becomes
  bool is_unsigned = false;
};

/// The format of a type, or of the elements of a packed type; nullopt for integers.
std::optional<Format> format_of(Type type);
/// How many elements a packed type holds (1 or 2).
int elements_of(Type type);

Unpacked unpack(const Format& format, std::uint64_t bits);
Unpacked unpack_integer(std::int64_t value);
Unpacked unpack_unsigned(std::uint64_t value);
/// `saturate`: overflow and infinity become the largest finite value.
std::uint64_t pack(const Format& format, const Unpacked& value, Mode mode, bool saturate);
/// The nearest integer in the mode's sense, as an unpacked value.
Unpacked to_integral(const Unpacked& value, Mode mode);

}  // namespace lockstep::interpreter::ptx
