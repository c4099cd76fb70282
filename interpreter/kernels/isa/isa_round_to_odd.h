// Rounding to odd: an inexact result is the neighbour whose last bit is 1. A second rounding to a format of at least
// two bits less then gives the result of a single rounding. For isa_*.cpp only. Source: Boldo and Melquiond, "Emulation
// of a FMA and correctly rounded sums", 2008.
#pragma once

#include <cstdint>

#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

/// a + b in f64, rounded to odd. Infinities and NaN pass through.
inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  const std::int64_t bits = bits_as<std::int64_t>(sum);
  const std::int64_t step = (error > 0) == (sum > 0) ? 1 : -1;
  const bool is_inexact = (error > 0) | (error < 0);
  const bool adjust = is_inexact & ((bits & 1) == 0);
  return bits_as<double>(adjust ? bits + step : bits);
}

/// The same in f32, where nothing overflows; without a branch, for vectors.
inline float sum_to_odd(float a, float b) {
  const float sum = a + b;
  const float b_part = sum - a;
  const float error = (a - (sum - b_part)) + (b - b_part);
  const std::int32_t bits = bits_as<std::int32_t>(sum);
  const std::int32_t step = ((bits_as<std::int32_t>(error) ^ bits) >> 31) | 1;  // 1: away from zero
  const std::int32_t is_inexact = (error > 0 ? 1 : 0) | (error < 0 ? 1 : 0);
  return bits_as<float>(bits + (step & -(is_inexact & ~bits)));
}

/// f64 -> f32 rounded to odd: a finite value too large becomes the largest finite one.
inline float narrow_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double back = static_cast<double>(nearest);
  const std::int32_t bits = bits_as<std::int32_t>(nearest);
  const bool is_past = __builtin_fabs(back) > __builtin_fabs(value);
  const bool is_inexact = (back < value) | (back > value);
  const std::int32_t truncated = is_past ? bits - 1 : bits;
  return bits_as<float>(is_inexact ? truncated | 1 : truncated);
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
