// cvt in all its forms. Float to integer clamps to the integer's range; NaN becomes 0, or the sign bit when f64 or a
// 64-bit integer takes part. Two-source forms put their first source into the upper half.
#include <algorithm>
#include <array>

#include "interpreter/ptx/format.h"
#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

using Bits = std::uint64_t;

/// The parameters of a conversion, in the bits of Instruction::detail.
struct Conversion {
  Type from = Type::none, to = Type::none;
  Mode mode = Mode::nearest_even;
  bool integral = false;  // rounds to an integer
  bool flush = false, saturate = false, finite = false, relu = false;
  int to_width = 32;

  std::uint32_t detail() const {
    return static_cast<std::uint32_t>(from) | static_cast<std::uint32_t>(to) << 6 |
           static_cast<std::uint32_t>(mode) << 12 | (integral ? 1u << 16 : 0) | (flush ? 1u << 17 : 0) |
           (saturate ? 1u << 18 : 0) | (finite ? 1u << 19 : 0) | (relu ? 1u << 20 : 0) |
           static_cast<std::uint32_t>(to_width) << 21;
  }
  static Conversion of(std::uint32_t detail) {
    Conversion made;
    made.from = static_cast<Type>(detail & 63);
    made.to = static_cast<Type>(detail >> 6 & 63);
    made.mode = static_cast<Mode>(detail >> 12 & 15);
    made.integral = (detail >> 16 & 1) != 0;
    made.flush = (detail >> 17 & 1) != 0;
    made.saturate = (detail >> 18 & 1) != 0;
    made.finite = (detail >> 19 & 1) != 0;
    made.relu = (detail >> 20 & 1) != 0;
    made.to_width = static_cast<int>(detail >> 21);
    return made;
  }
};

bool is_integer_type(Type type) { return type >= Type::u8 && type <= Type::s64; }

std::int64_t read_signed(Bits bits, int width) {
  const int up = 64 - width;
  return static_cast<std::int64_t>(bits << up) >> up;
}

Bits lowest_magnitude(Type type) { return is_signed_type(type) ? Bits{1} << (width_of(type) - 1) : 0; }
Bits highest(Type type) { return mask_of(width_of(type) - (is_signed_type(type) ? 1 : 0)); }

/// An integral value as bits of an integer type, clamped; `to_width`: the register, sign-extended into.
Bits clamp_integral(const Unpacked& value, const Conversion& c) {
  if (value.kind == Unpacked::Kind::nan) {
    const bool is_wide = c.from == Type::f64 || width_of(c.to) == 64;
    return is_wide ? Bits{1} << (width_of(c.to) - 1) : 0;
  }
  const Bits limit = value.negative ? lowest_magnitude(c.to) : highest(c.to);
  const int bits_used = value.significand == 0 ? 0 : 64 - __builtin_clzll(value.significand) + value.exponent;
  const bool is_over = value.kind == Unpacked::Kind::infinite || bits_used > 64 ||
                       (value.significand != 0 && value.significand << value.exponent > limit);
  const Bits magnitude = is_over ? limit : value.significand == 0 ? 0 : value.significand << value.exponent;
  return (value.negative ? 0 - magnitude : magnitude) & mask_of(c.to_width);
}

Bits from_integer(Bits bits, const Conversion& c) {
  const int width = width_of(c.from);
  const bool is_signed = is_signed_type(c.from);
  const std::int64_t number = is_signed ? read_signed(bits, width) : static_cast<std::int64_t>(bits & mask_of(width));
  if (const auto format = format_of(c.to)) {
    Unpacked value = is_signed ? unpack_integer(number) : unpack_unsigned(static_cast<Bits>(number));
    if (c.saturate && (value.negative || value.significand > 1)) value = unpack_unsigned(value.negative ? 0 : 1);
    return pack(*format, value, c.mode, false);
  }
  if (c.saturate) {
    const Unpacked value = is_signed ? unpack_integer(number) : unpack_unsigned(static_cast<Bits>(number));
    return clamp_integral(value, c);
  }
  const int kept = width_of(c.to);
  const Bits result = is_signed_type(c.to) ? static_cast<Bits>(read_signed(static_cast<Bits>(number), kept))
                                           : static_cast<Bits>(number) & mask_of(kept);
  return result & mask_of(c.to_width);
}

void flush_single(const Format& format, Unpacked& value) {
  const bool is_subnormal = value.kind == Unpacked::Kind::finite && value.significand < Bits{1} << format.mantissa;
  if (is_subnormal) value.significand = 0;
}

/// One element; the result in the low bits.
Bits from_float(Bits bits, const Format& source, const Conversion& c) {
  Unpacked value = unpack(source, bits);
  if (c.flush && c.from == Type::f32) flush_single(source, value);
  if (c.integral) value = to_integral(value, c.mode);
  const auto target = format_of(c.to);
  if (!target) return clamp_integral(value, c);
  if (c.relu && value.negative && value.kind != Unpacked::Kind::nan) value = {};
  if (c.saturate) {
    const bool is_nan = value.kind == Unpacked::Kind::nan;
    if (is_nan || value.negative) value = {};
    const int top = value.significand == 0 ? -1000 : 63 - __builtin_clzll(value.significand) + value.exponent;
    if (value.kind == Unpacked::Kind::infinite || top >= 0) value = unpack_unsigned(1);
  }
  Bits result = pack(*target, value, c.mode, c.finite);
  if (c.to == Type::tf32) result <<= 13;
  if (c.flush && c.to == Type::f32 && (result & 0x7f800000) == 0) result &= 0x80000000;
  return result;
}

void convert_integer(State& s, const Instruction& i) {
  const Conversion c = Conversion::of(i.detail);
  const Bits* from = s.registers[i.from[0]];
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = from_integer(from[k], c);
}

void convert_float(State& s, const Instruction& i) {
  const Conversion c = Conversion::of(i.detail);
  const Format source = *format_of(c.from);
  const Bits* from = s.registers[i.from[0]];
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = from_float(from[k], source, c);
}

/// Both elements of a packed source.
void convert_both(State& s, const Instruction& i) {
  const Conversion c = Conversion::of(i.detail);
  const Format source = *format_of(c.from), target = *format_of(c.to);
  const Bits* from = s.registers[i.from[0]];
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) {
    const Bits low = from_float(from[k] & mask_of(source.width), source, c);
    const Bits high = from_float(from[k] >> source.width & mask_of(source.width), source, c);
    to[k] = low | high << target.width;
  }
}

/// Two f32 into one packed register: from[0] above from[1].
void convert_two(State& s, const Instruction& i) {
  const Conversion c = Conversion::of(i.detail);
  const Format source = *format_of(c.from), target = *format_of(c.to);
  const Bits *high = s.registers[i.from[0]], *low = s.registers[i.from[1]];
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k)
    to[k] = from_float(low[k], source, c) | from_float(high[k], source, c) << target.width;
}

// The most frequent conversions, without the detour.
constexpr auto kHalfToSingle = [](Bits a) -> Bits { return F32<>::put(half_to_float(a)); };
constexpr auto kBfloatToSingle = [](Bits a) -> Bits { return F32<>::put(bfloat_to_float(a)); };
constexpr auto kSingleToHalf = [](Bits a) -> Bits { return float_to_half(F32<>::get(a)); };
constexpr auto kSingleToBfloat = [](Bits a) -> Bits { return float_to_bfloat(F32<>::get(a)); };

Evaluate shortcut(const Conversion& c) {
  if (c.flush || c.saturate || c.finite || c.relu || c.mode != Mode::nearest_even || c.integral) return nullptr;
  if (c.to == Type::f32 && c.from == Type::f16) return bits1<kHalfToSingle>;
  if (c.to == Type::f32 && c.from == Type::bf16) return bits1<kBfloatToSingle>;
  if (c.from == Type::f32 && c.to == Type::f16) return bits1<kSingleToHalf>;
  if (c.from == Type::f32 && c.to == Type::bf16) return bits1<kSingleToBfloat>;
  return nullptr;
}

struct ModeName {
  Modifier name;
  Mode mode;
  bool integral;
};
constexpr std::array kModeNames{
    ModeName{Modifier::rn, Mode::nearest_even, false}, ModeName{Modifier::rna, Mode::nearest_away, false},
    ModeName{Modifier::rz, Mode::toward_zero, false},  ModeName{Modifier::rm, Mode::down, false},
    ModeName{Modifier::rp, Mode::up, false},           ModeName{Modifier::rni, Mode::nearest_even, true},
    ModeName{Modifier::rzi, Mode::toward_zero, true},  ModeName{Modifier::rmi, Mode::down, true},
    ModeName{Modifier::rpi, Mode::up, true},
};

/// Number of rounding modifiers named.
int read_mode(const Form& form, Conversion& c) {
  int named = 0;
  for (const ModeName& row : kModeNames) {
    if (!form.has(row.name)) continue;
    ++named;
    c.mode = row.mode;
    c.integral = row.integral;
  }
  return named;
}

Conversion conversion_of(const Form& form) {
  Conversion c;
  c.to = form.type(0);
  c.from = form.type(1);
  c.flush = form.has(Modifier::ftz);
  c.saturate = form.has(Modifier::sat);
  c.finite = form.has(Modifier::satfinite);
  c.relu = form.has(Modifier::relu);
  c.to_width = form.to_width;
  return c;
}

bool narrows(const Format& from, const Format& to) { return to.mantissa < from.mantissa || to.bias < from.bias; }

/// Whether PTX has this pair with these modifiers.
bool is_admitted(const Conversion& c, int modes) {
  const auto from = format_of(c.from), to = format_of(c.to);
  if (modes > 1) return false;
  if (c.flush && c.from != Type::f32 && c.to != Type::f32) return false;
  if (!from && !to) return modes == 0 && !c.finite && !c.relu;
  if (!from) return modes == 1 && !c.integral && !c.finite && !c.relu && c.mode != Mode::nearest_away;
  if (!to) return modes == 1 && c.integral && !c.finite && !c.relu;
  if ((c.finite || c.relu) && (c.to == Type::f32 || c.to == Type::f64)) return false;
  if (c.from == c.to) return modes == 1 ? c.integral : true;
  if (narrows(*from, *to)) return modes == 1 && !c.integral && (c.mode != Mode::nearest_away || c.to == Type::tf32);
  return modes == 0 || !c.integral;
}

}  // namespace

Choice select_cvt(const Form& form) {
  Conversion c = conversion_of(form);
  const int modes = read_mode(form, c);
  if (!is_admitted(c, modes)) return {};
  if (is_integer_type(c.from)) return {convert_integer, c.detail()};
  if (const Evaluate fast = shortcut(c)) return {fast};
  return {convert_float, c.detail()};
}

Choice select_cvt_two(const Form& form) {
  Conversion c = conversion_of(form);
  if (read_mode(form, c) != 1 || c.integral || c.mode == Mode::nearest_away) return {};
  const bool is_small = width_of(c.to) < 32;
  const bool is_exponent = c.to == Type::ue8m0x2;
  if (is_small && !c.finite) return {};
  if (is_exponent ? (c.mode != Mode::toward_zero && c.mode != Mode::up) || c.relu
                  : c.mode != Mode::nearest_even && (is_small || c.mode != Mode::toward_zero))
    return {};
  return {convert_two, c.detail()};
}

Choice select_cvt_unpack(const Form& form) {
  Conversion c = conversion_of(form);
  const int modes = read_mode(form, c);
  if (modes != 1 || c.integral) return {};
  const bool narrow = width_of(c.to) < 32;
  if (narrow && !c.finite) return {};
  if (c.to == Type::ue8m0x2 ? c.mode != Mode::toward_zero && c.mode != Mode::up : c.mode != Mode::nearest_even)
    return {};
  return {convert_both, c.detail()};
}

namespace {

/// Saturates two s32 to `to` and packs them above the third source.
template <int width, bool to_signed>
constexpr auto kPack = [](Bits a, Bits b, Bits c) -> Bits {
  const auto squeeze = [](Bits v) {
    const auto high = static_cast<std::int64_t>(mask_of(width - (to_signed ? 1 : 0)));
    const std::int64_t low = to_signed ? -high - 1 : 0;
    return static_cast<Bits>(std::clamp<std::int64_t>(static_cast<std::int32_t>(v), low, high)) & mask_of(width);
  };
  return ((c << 2 * width) | squeeze(a) << width | squeeze(b)) & 0xffffffff;
};

}  // namespace

Choice select_cvt_pack(const Form& form) {
  if (!form.has(Modifier::sat)) return {};
  switch (form.type(0)) {
    case Type::u16: return {bits3<kPack<16, false>>};
    case Type::s16: return {bits3<kPack<16, true>>};
    case Type::u8: return {bits3<kPack<8, false>>};
    case Type::s8: return {bits3<kPack<8, true>>};
    default: return {};
  }
}

}  // namespace lockstep::interpreter::ptx
