// Logic, shifts (which clamp at the width, unlike C's), fields, counts, and byte permutation.
#include <algorithm>
#include <optional>

#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

using Bits = std::uint64_t;

std::int64_t extend_sign(Bits bits, int width) {
  const int up = 64 - width;
  return static_cast<std::int64_t>(bits << up) >> up;
}

template <int width>
constexpr auto kNot = [](Bits a) -> Bits { return ~a & mask_of(width); };
template <int width>
constexpr auto kShiftLeft =
    [](Bits a, Bits b) -> Bits { return b >= static_cast<Bits>(width) ? 0 : (a << b) & mask_of(width); };
template <int width>
constexpr auto kShiftRight = [](Bits a, Bits b) -> Bits { return b >= static_cast<Bits>(width) ? 0 : a >> b; };
template <int width>
constexpr auto kShiftRightSigned = [](Bits a, Bits b) -> Bits {
  return static_cast<Bits>(extend_sign(a, width) >> std::min<Bits>(b, 63)) & mask_of(width);
};

/// The upper (left) or lower (right) 32 bits of {high, low} shifted; `detail`: wrap instead of clamp.
constexpr auto kFunnelLeft = [](Bits low, Bits high, Bits by, std::uint32_t wraps) -> Bits {
  const Bits n = wraps != 0 ? by & 31 : std::min<Bits>(by, 32);
  return ((high << 32 | low) << n >> 32) & 0xffffffff;
};
constexpr auto kFunnelRight = [](Bits low, Bits high, Bits by, std::uint32_t wraps) -> Bits {
  const Bits n = wraps != 0 ? by & 31 : std::min<Bits>(by, 32);
  return ((high << 32 | low) >> n) & 0xffffffff;
};

constexpr auto kLop3 = [](Bits a, Bits b, Bits c, std::uint32_t table) -> Bits {
  Bits result = 0;
  for (unsigned row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  return result & 0xffffffff;
};

/// Byte `index` of {b, a}; bit 3 of the index repeats the byte's sign instead.
Bits pick_byte(Bits both, Bits index) {
  const Bits byte = both >> 8 * (index & 7) & 0xff;
  if ((index & 8) == 0) return byte;
  return (byte & 0x80) != 0 ? 0xff : 0;
}
constexpr auto kPermute = [](Bits a, Bits b, Bits selector) -> Bits {
  const Bits both = b << 32 | a;
  Bits result = 0;
  for (int i = 0; i < 4; ++i) result |= pick_byte(both, selector >> 4 * i & 15) << 8 * i;
  return result;
};
/// The selectors of the named modes, four nibbles for each value of the two selecting bits.
constexpr std::array<std::array<std::uint16_t, 4>, 6> kModes{{
    {0x3210, 0x4321, 0x5432, 0x6543},  // f4e
    {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
    {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
    {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
    {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
    {0x1010, 0x3232, 0x1010, 0x3232},  // rc16
}};
constexpr auto kPermuteMode = [](Bits a, Bits b, Bits selector, std::uint32_t mode) -> Bits {
  return kPermute(a, b, kModes[mode][selector & 3]);
};

template <int width, bool is_signed>
constexpr auto kExtractField = [](Bits a, Bits position, Bits length) -> Bits {
  const Bits at = position & 0xff, count = length & 0xff;
  if (count == 0) return 0;
  const Bits last = std::min<Bits>(at + count - 1, width - 1);
  const bool is_negative = is_signed && (a >> last & 1) != 0;
  Bits result = at < static_cast<Bits>(width) ? a >> at : 0;
  const Bits held = at < static_cast<Bits>(width) ? std::min<Bits>(count, static_cast<Bits>(width) - at) : 0;
  result &= mask_of(static_cast<int>(held));
  if (is_negative) result |= ~mask_of(static_cast<int>(held));
  return result & mask_of(width);
};
template <int width>
constexpr auto kInsertField = [](Bits a, Bits b, Bits position, Bits length) -> Bits {
  const Bits at = position & 0xff, count = length & 0xff;
  if (at >= static_cast<Bits>(width) || count == 0) return b;
  const Bits field = mask_of(static_cast<int>(std::min<Bits>(count, 64))) << at & mask_of(width);
  return (b & ~field) | (a << at & field);
};

template <int width, bool is_signed, bool as_shift>
constexpr auto kFindHighest = [](Bits a) -> Bits {
  if (is_signed && (a >> (width - 1) & 1) != 0) a = ~a & mask_of(width);
  if (a == 0) return 0xffffffff;
  const auto top = static_cast<Bits>(63 - __builtin_clzll(a));
  return as_shift ? width - 1 - top : top;
};
template <int width>
constexpr auto kReverse = [](Bits a) -> Bits {
  Bits result = 0;
  for (int i = 0; i < width; ++i) result |= (a >> i & 1) << (width - 1 - i);
  return result;
};
template <int width>
constexpr auto kLeadingZeros =
    [](Bits a) -> Bits { return a == 0 ? width : static_cast<Bits>(__builtin_clzll(a) - (64 - width)); };
constexpr auto kCount = [](Bits a) -> Bits { return static_cast<Bits>(__builtin_popcountll(a)); };

template <bool is_signed>
constexpr auto kExtend = [](Bits a, Bits length, std::uint32_t wraps) -> Bits {
  const Bits n = wraps != 0 ? length & 31 : std::min<Bits>(length, 32);
  if (n == 0) return 0;
  if (!is_signed) return a & mask_of(static_cast<int>(n));
  return static_cast<Bits>(extend_sign(a, static_cast<int>(n))) & 0xffffffff;
};
constexpr auto kMask = [](Bits at, Bits length, std::uint32_t wraps) -> Bits {
  const Bits first = wraps != 0 ? at & 31 : std::min<Bits>(at, 32);
  const Bits n = wraps != 0 ? length & 31 : std::min<Bits>(length, 32);
  return mask_of(static_cast<int>(n)) << first & 0xffffffff;
};

std::optional<std::uint32_t> wrapping(const Form& form) {
  if (form.has(Modifier::wrap) == form.has(Modifier::clamp)) return std::nullopt;
  return form.has(Modifier::wrap) ? 1u : 0u;
}

}  // namespace

Choice select_and(const Form&) {
  return {bits2<[](Bits a, Bits b) -> Bits { return a & b; }>};
}
Choice select_or(const Form&) {
  return {bits2<[](Bits a, Bits b) -> Bits { return a | b; }>};
}
Choice select_xor(const Form&) {
  return {bits2<[](Bits a, Bits b) -> Bits { return a ^ b; }>};
}
Choice select_not(const Form& form) {
  switch (width_of(form.type())) {
    case 1: return {bits1<kNot<1>>};
    case 16: return {bits1<kNot<16>>};
    case 32: return {bits1<kNot<32>>};
    default: return {bits1<kNot<64>>};
  }
}
Choice select_cnot(const Form&) {
  return {bits1<[](Bits a) -> Bits { return a == 0 ? 1 : 0; }>};
}

Choice select_shl(const Form& form) {
  switch (width_of(form.type())) {
    case 16: return {bits2<kShiftLeft<16>>};
    case 32: return {bits2<kShiftLeft<32>>};
    default: return {bits2<kShiftLeft<64>>};
  }
}
Choice select_shr(const Form& form) {
  const bool is_signed = is_signed_type(form.type());
  switch (width_of(form.type())) {
    case 16: return {is_signed ? bits2<kShiftRightSigned<16>> : bits2<kShiftRight<16>>};
    case 32: return {is_signed ? bits2<kShiftRightSigned<32>> : bits2<kShiftRight<32>>};
    default: return {is_signed ? bits2<kShiftRightSigned<64>> : bits2<kShiftRight<64>>};
  }
}
Choice select_shf(const Form& form) {
  const auto wraps = wrapping(form);
  if (!wraps || form.has(Modifier::left) == form.has(Modifier::right)) return {};
  return {form.has(Modifier::left) ? detail3<kFunnelLeft> : detail3<kFunnelRight>, *wraps};
}

Choice select_lop3(const Form& form) {
  if (form.immediate > 0xff) return {};
  return {detail3<kLop3>, static_cast<std::uint32_t>(form.immediate)};
}
Choice select_prmt(const Form& form) {
  constexpr std::array kNames{Modifier::f4e, Modifier::b4e, Modifier::rc8,
                              Modifier::ecl, Modifier::ecr, Modifier::rc16};
  for (std::uint32_t mode = 0; mode < kNames.size(); ++mode) {
    if (form.has(kNames[mode])) return {detail3<kPermuteMode>, mode};
  }
  return {bits3<kPermute>};
}

Choice select_bfe(const Form& form) {
  switch (form.type()) {
    case Type::u32: return {bits3<kExtractField<32, false>>};
    case Type::s32: return {bits3<kExtractField<32, true>>};
    case Type::u64: return {bits3<kExtractField<64, false>>};
    default: return {bits3<kExtractField<64, true>>};
  }
}
Choice select_bfi(const Form& form) {
  return {width_of(form.type()) == 32 ? bits4<kInsertField<32>> : bits4<kInsertField<64>>};
}
Choice select_bfind(const Form& form) {
  const bool as_shift = form.has(Modifier::shiftamt);
  switch (form.type()) {
    case Type::u32: return {as_shift ? bits1<kFindHighest<32, false, true>> : bits1<kFindHighest<32, false, false>>};
    case Type::s32: return {as_shift ? bits1<kFindHighest<32, true, true>> : bits1<kFindHighest<32, true, false>>};
    case Type::u64: return {as_shift ? bits1<kFindHighest<64, false, true>> : bits1<kFindHighest<64, false, false>>};
    default: return {as_shift ? bits1<kFindHighest<64, true, true>> : bits1<kFindHighest<64, true, false>>};
  }
}
Choice select_brev(const Form& form) {
  return {width_of(form.type()) == 32 ? bits1<kReverse<32>> : bits1<kReverse<64>>};
}
Choice select_clz(const Form& form) {
  return {width_of(form.type()) == 32 ? bits1<kLeadingZeros<32>> : bits1<kLeadingZeros<64>>};
}
Choice select_popc(const Form&) { return {bits1<kCount>}; }

Choice select_szext(const Form& form) {
  const auto wraps = wrapping(form);
  if (!wraps) return {};
  return {form.type() == Type::s32 ? detail2<kExtend<true>> : detail2<kExtend<false>>, *wraps};
}
Choice select_bmsk(const Form& form) {
  const auto wraps = wrapping(form);
  if (!wraps) return {};
  return {detail2<kMask>, *wraps};
}

}  // namespace lockstep::interpreter::ptx
