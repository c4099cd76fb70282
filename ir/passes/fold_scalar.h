// Folding of one scalar op on constant bits; no IR. Values are bits in the kind's own format, zero-extended.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "support/scalar.h"

namespace lockstep::ir::passes {

constexpr std::uint64_t width_mask(int width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
constexpr std::int64_t sign_extend(std::uint64_t bits, int width) {
  return width >= 64 ? static_cast<std::int64_t>(bits)
                     : static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}

/// arith.* with two operands of `kind`. nullopt: not folded (division by zero, wide shifts, unknown op).
std::optional<std::uint64_t> fold_binary(std::string_view spelling, ScalarKind kind, std::int64_t predicate,
                                         std::uint64_t a, std::uint64_t b);
/// arith casts and math.* with one operand.
std::optional<std::uint64_t> fold_unary(std::string_view spelling, ScalarKind from, ScalarKind to, std::uint64_t a);
/// True if `op x, constant` is always x, bit for bit (x + -0.0, x * 1, x + 0, x & ~0 ...).
bool is_neutral(std::string_view spelling, ScalarKind kind, std::uint64_t constant);

}  // namespace lockstep::ir::passes
