// Function: a row of the table of libdevice's functions. Plain data. Not here: the rows (catalogue.h), making one from
// a C++ function (rows.h).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "interpreter/kernels/ops.h"
#include "support/scalar.h"

namespace lockstep::interpreter::libdevice {

inline constexpr std::size_t kMaxOperands = 4;

/// out[i] = f(a[i * step[0]], b[i * step[1]], ...) for i < n; `out` may be an operand of at least its element size.
using QuaternaryFn = void (*)(void* out, const std::array<const void*, kMaxOperands>& in, std::int64_t n,
                              const std::array<int, kMaxOperands>& step);

struct Function {
  std::string_view symbol;  // "__nv_sinf"
  ScalarKind result = ScalarKind::f32;
  std::array<ScalarKind, kMaxOperands> operand{};
  std::uint8_t operand_count = 0;
  /// The loop for `operand_count` operands; the others are null. extern.cpp replaces it by a vector kernel of kernels/
  /// if there is one, and then the bounds are the kernel's.
  kernels::ConvertFn unary = nullptr;
  kernels::BinaryFn binary = nullptr;
  kernels::TernaryFn ternary = nullptr;
  QuaternaryFn quaternary = nullptr;
  /// Bounds in ulp of the result. `ulp`: Lockstep's distance to the exact result (0: correctly rounded, or no
  /// rounding), or `absolute` if that is more. `cuda_ulp`: NVIDIA's documented distance to the correctly rounded
  /// result, negative where NVIDIA documents none or one of another kind (then `note` says what). `worst`: Lockstep's
  /// largest distance that tests/ops measured, beyond `absolute`.
  double ulp = 0;
  double absolute = 0;
  double cuda_ulp = 0;
  double worst = 0;
  std::string_view note;
};

}  // namespace lockstep::interpreter::libdevice
