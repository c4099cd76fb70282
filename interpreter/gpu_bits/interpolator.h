// The interpolator of NVIDIA's multi-function unit: a value is c0 + c1 x + c2 x^2 with the row of the argument's upper
// bits and the 17 bits x below them, added in fixed point (Oberman and Siu, "A high-performance area-efficient
// multifunction interpolator", 2005). Invariant: what the unit cuts is cut by squared() and by who takes the sum, and
// nothing else is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lockstep::interpreter::gpu_bits {

/// The coefficients of one piece, in units of the last of 24 bits: c0 in eighths, c1 in ones, c2 in halves. The unit
/// holds fewer bits: for reciprocals 26 of c0, 16 of c1 and 10 of c2, the rest are zeros.
struct Row {
  std::int32_t c0;
  std::int32_t c1;
  std::int32_t c2;
};

inline constexpr int kPieceBits = 17;
inline constexpr std::uint32_t kPieceMask = (1u << kPieceBits) - 1;
/// Bits of a sum below the last of 24 bits.
inline constexpr int kSumBits = 17;

/// The 15 upper bits of the 34 of x * x, from a folded array of partial products whose columns below 2^19 are left out:
/// of the bits x_i, the products x_i x_j (i < j) stand in column i + j + 1 and x_i x_i in column 2 i.
constexpr std::int32_t squared(std::uint32_t x) {
  const std::uint32_t high = x >> 9;  // these bits meet in columns from 2^19 on, but for the square of the lowest
  std::uint32_t sum = (high * high - (high & 1)) >> 1;
  for (unsigned i = 2; i <= 8; ++i) sum += (0u - (x >> i & 1)) & (x >> (18 - i));
  return static_cast<std::int32_t>(sum);
}

/// The sum of a row in 2^-17 of the last of 24 bits, for x of 17 bits.
constexpr std::int64_t interpolate(const Row& row, std::uint32_t x) {
  return std::int64_t{row.c0} * (1 << (kSumBits - 3)) + std::int64_t{row.c1} * static_cast<std::int32_t>(x) +
         std::int64_t{row.c2} * squared(x) * 2;
}

}  // namespace lockstep::interpreter::gpu_bits
