// The NaN of a scalar operation (docs/semantics.md, S-36), for code that is not compiled per instruction set:
// processors choose differently among the operands' NaNs, and their defaults differ in sign. The vector kernels have
// the same rule in kernels/isa/isa_float_ops.h. Nothing here reads results that are numbers.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace lockstep::interpreter {

template <std::floating_point T>
T quiet_nan(T nan) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(nan) | 0x00400000u);
  } else {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | 0x0008000000000000u);
  }
}

/// The result of an operation on `operands` if it is a NaN: the first NaN among them, made quiet, else the negative
/// default. Operands that are not floats are skipped; a wider one is rounded.
template <std::floating_point T, class... Operands>
T first_nan(Operands... operands) {
  T nan = -std::numeric_limits<T>::quiet_NaN();
  bool is_found = false;
  const auto look_at = [&](auto operand) {
    if constexpr (std::floating_point<decltype(operand)>) {
      if (is_found || !std::isnan(operand)) return;
      nan = quiet_nan(static_cast<T>(operand));
      is_found = true;
    }
  };
  (look_at(operands), ...);
  return nan;
}

/// `result`, computed by an operation from `operands`.
template <std::floating_point T, class... Operands>
T settled(T result, Operands... operands) {
  return std::isnan(result) ? first_nan<T>(operands...) : result;
}

/// `result` of a fused operation: the GPU's only NaN, 0x7fffffff or 0x7fffffffffffffff.
template <std::floating_point T>
T one_nan(T result) {
  if (!std::isnan(result)) return result;
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<float>(0x7fffffffu);
  } else {
    return std::bit_cast<double>(0x7fffffffffffffffu);
  }
}

}  // namespace lockstep::interpreter
