// The supported types and modifiers of PTX instructions, by their spelling after a dot. Invariant: a suffix is a type
// or a modifier, never both. Not here: which instruction takes which of them (instructions.h). Source: PTX ISA 8.7,
// "State Spaces, Types, and Variables" and the modifiers in the instructions' own sections.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::interpreter::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  bf16,
  f32,
  f64,
  tf32,
  f16x2,
  bf16x2,
  f32x2,
  u16x2,
  s16x2,
  e4m3x2,
  e5m2x2,
  e2m1x2,
  e2m3x2,
  e3m2x2,
  ue8m0x2,
  count,
};

using TypeSet = std::uint64_t;
constexpr TypeSet set_of(Type type) { return TypeSet{1} << static_cast<unsigned>(type); }
template <typename... Types>
constexpr TypeSet set_of(Type first, Types... rest) {
  return set_of(first) | set_of(rest...);
}

/// Bits of a register that holds the type; 1 for predicates.
int width_of(Type type);
constexpr bool is_signed_type(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64 || type == Type::s16x2;
}
std::string_view spelling(Type type);
std::optional<Type> parse_type(std::string_view text);

/// Modifiers; the numbers are bits of a Modifiers set.
enum class Modifier : std::uint8_t {
  rn,
  rz,
  rm,
  rp,
  rna,
  rni,
  rzi,
  rmi,
  rpi,
  ftz,
  sat,
  satfinite,
  relu,
  approx,
  full,
  lo,
  hi,
  wide,
  nan,
  xorsign,
  abs,
  clamp,
  wrap,
  shiftamt,
  left,
  right,
  cc,
  f4e,
  b4e,
  rc8,
  ecl,
  ecr,
  rc16,
  add,
  // Comparisons, in this order.
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  isnan,
  compare_lo,
  compare_ls,
  compare_hi,
  compare_hs,
  // testp
  finite,
  infinite,
  number,
  notanumber,
  normal,
  subnormal,
  // How setp and set combine with a predicate.
  and_,
  or_,
  xor_,
  count,
};

using Modifiers = std::uint64_t;
constexpr Modifiers bit(Modifier modifier) { return Modifiers{1} << static_cast<unsigned>(modifier); }
template <typename... More>
constexpr Modifiers bits(Modifier first, More... rest) {
  return (bit(first) | ... | bit(rest));
}
constexpr bool has(Modifiers set, Modifier modifier) { return (set & bit(modifier)) != 0; }

/// Every modifier that the text can mean: `lo` is a half of a product or a comparison.
Modifiers parse_modifier(std::string_view text);

}  // namespace lockstep::interpreter::ptx
