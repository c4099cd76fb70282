#include "interpreter/ptx/types.h"

#include <array>

namespace lockstep::interpreter::ptx {

namespace {

struct TypeRow {
  Type type;
  std::string_view text;
  int width;
};
constexpr std::array<TypeRow, 29> kTypes{{
    {Type::pred, "pred", 1},        {Type::b8, "b8", 8},
    {Type::b16, "b16", 16},         {Type::b32, "b32", 32},
    {Type::b64, "b64", 64},         {Type::u8, "u8", 8},
    {Type::u16, "u16", 16},         {Type::u32, "u32", 32},
    {Type::u64, "u64", 64},         {Type::s8, "s8", 8},
    {Type::s16, "s16", 16},         {Type::s32, "s32", 32},
    {Type::s64, "s64", 64},         {Type::f16, "f16", 16},
    {Type::bf16, "bf16", 16},       {Type::f32, "f32", 32},
    {Type::f64, "f64", 64},         {Type::tf32, "tf32", 32},
    {Type::f16x2, "f16x2", 32},     {Type::bf16x2, "bf16x2", 32},
    {Type::f32x2, "f32x2", 64},     {Type::u16x2, "u16x2", 32},
    {Type::s16x2, "s16x2", 32},     {Type::e4m3x2, "e4m3x2", 16},
    {Type::e5m2x2, "e5m2x2", 16},   {Type::e2m1x2, "e2m1x2", 8},
    {Type::e2m3x2, "e2m3x2", 16},   {Type::e3m2x2, "e3m2x2", 16},
    {Type::ue8m0x2, "ue8m0x2", 16},
}};

struct ModifierRow {
  std::string_view text;
  Modifiers meaning;
};
constexpr std::array kModifiers = {
    ModifierRow{"rn", bit(Modifier::rn)},
    ModifierRow{"rz", bit(Modifier::rz)},
    ModifierRow{"rm", bit(Modifier::rm)},
    ModifierRow{"rp", bit(Modifier::rp)},
    ModifierRow{"rna", bit(Modifier::rna)},
    ModifierRow{"rni", bit(Modifier::rni)},
    ModifierRow{"rzi", bit(Modifier::rzi)},
    ModifierRow{"rmi", bit(Modifier::rmi)},
    ModifierRow{"rpi", bit(Modifier::rpi)},
    ModifierRow{"ftz", bit(Modifier::ftz)},
    ModifierRow{"sat", bit(Modifier::sat)},
    ModifierRow{"satfinite", bit(Modifier::satfinite)},
    ModifierRow{"relu", bit(Modifier::relu)},
    ModifierRow{"approx", bit(Modifier::approx)},
    ModifierRow{"full", bit(Modifier::full)},
    ModifierRow{"lo", bits(Modifier::lo, Modifier::compare_lo)},
    ModifierRow{"hi", bits(Modifier::hi, Modifier::compare_hi)},
    ModifierRow{"ls", bit(Modifier::compare_ls)},
    ModifierRow{"hs", bit(Modifier::compare_hs)},
    ModifierRow{"wide", bit(Modifier::wide)},
    ModifierRow{"NaN", bit(Modifier::nan)},
    ModifierRow{"nan", bit(Modifier::isnan)},
    ModifierRow{"xorsign", bit(Modifier::xorsign)},
    ModifierRow{"abs", bit(Modifier::abs)},
    ModifierRow{"clamp", bit(Modifier::clamp)},
    ModifierRow{"wrap", bit(Modifier::wrap)},
    ModifierRow{"shiftamt", bit(Modifier::shiftamt)},
    ModifierRow{"l", bit(Modifier::left)},
    ModifierRow{"r", bit(Modifier::right)},
    ModifierRow{"cc", bit(Modifier::cc)},
    ModifierRow{"f4e", bit(Modifier::f4e)},
    ModifierRow{"b4e", bit(Modifier::b4e)},
    ModifierRow{"rc8", bit(Modifier::rc8)},
    ModifierRow{"ecl", bit(Modifier::ecl)},
    ModifierRow{"ecr", bit(Modifier::ecr)},
    ModifierRow{"rc16", bit(Modifier::rc16)},
    ModifierRow{"add", bit(Modifier::add)},
    ModifierRow{"eq", bit(Modifier::eq)},
    ModifierRow{"ne", bit(Modifier::ne)},
    ModifierRow{"lt", bit(Modifier::lt)},
    ModifierRow{"le", bit(Modifier::le)},
    ModifierRow{"gt", bit(Modifier::gt)},
    ModifierRow{"ge", bit(Modifier::ge)},
    ModifierRow{"equ", bit(Modifier::equ)},
    ModifierRow{"neu", bit(Modifier::neu)},
    ModifierRow{"ltu", bit(Modifier::ltu)},
    ModifierRow{"leu", bit(Modifier::leu)},
    ModifierRow{"gtu", bit(Modifier::gtu)},
    ModifierRow{"geu", bit(Modifier::geu)},
    ModifierRow{"num", bit(Modifier::num)},
    ModifierRow{"finite", bit(Modifier::finite)},
    ModifierRow{"infinite", bit(Modifier::infinite)},
    ModifierRow{"number", bit(Modifier::number)},
    ModifierRow{"notanumber", bit(Modifier::notanumber)},
    ModifierRow{"normal", bit(Modifier::normal)},
    ModifierRow{"subnormal", bit(Modifier::subnormal)},
    ModifierRow{"and", bit(Modifier::and_)},
    ModifierRow{"or", bit(Modifier::or_)},
    ModifierRow{"xor", bit(Modifier::xor_)},
};
static_assert(static_cast<int>(Modifier::count) <= 64 && static_cast<int>(Type::count) <= 64);

}  // namespace

int width_of(Type type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row.width;
  }
  return 0;
}

std::string_view spelling(Type type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row.text;
  }
  return "none";
}

std::optional<Type> parse_type(std::string_view text) {
  for (const TypeRow& row : kTypes) {
    if (row.text == text) return row.type;
  }
  return std::nullopt;
}

Modifiers parse_modifier(std::string_view text) {
  for (const ModifierRow& row : kModifiers) {
    if (row.text == text) return row.meaning;
  }
  return 0;
}

}  // namespace lockstep::interpreter::ptx
