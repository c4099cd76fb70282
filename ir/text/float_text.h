// Float literals in MLIR's form: six decimals in scientific form if that is exact, else the shortest of LLVM's natural
// precision, else (infinities, NaN, and numbers that decimals lose) the bits in hexadecimal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/scalar.h"

namespace lockstep::ir {

/// "1.000000e+00", "6.28318548", "0xFF800000". `bits` in the format of `kind`.
std::string print_float(ScalarKind kind, std::uint64_t bits);

/// Bits of a decimal literal ("1.5", "-2.0e-3") rounded to `kind`; nullopt if it is not a number or too large for f64.
std::optional<std::uint64_t> parse_float(ScalarKind kind, std::string_view text);

}  // namespace lockstep::ir
