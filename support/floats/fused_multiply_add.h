// a * b + c of singles, rounded once, from operations on doubles: for C libraries whose fma relies on rounding modes
// that the processor lacks (Emscripten's). NaN and infinities are those of the doubles.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace lockstep {

inline float fused_multiply_add(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);  // exact
  const double addend = static_cast<double>(c), sum = product + addend;
  if (!std::isfinite(sum)) return static_cast<float>(sum);
  const double part = sum - product, lost = (product - (sum - part)) + (addend - part);
  if (lost == 0) return static_cast<float>(sum);
  // Round to odd: the last bit records that bits were lost, so that the second rounding sees them.
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if ((lost < 0) != (sum < 0)) --bits;
  return static_cast<float>(std::bit_cast<double>(bits | 1U));
}

}  // namespace lockstep
