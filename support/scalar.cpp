#include "support/scalar.h"

#include <array>
#include <utility>

namespace lockstep {
namespace {

using Entry = std::pair<std::string_view, ScalarKind>;

// The MLIR spelling of each kind, in the enumeration's order.
constexpr std::array<Entry, 14> kSpellings{{
    {"i1", ScalarKind::i1},
    {"i8", ScalarKind::i8},
    {"i16", ScalarKind::i16},
    {"i32", ScalarKind::i32},
    {"i64", ScalarKind::i64},
    {"f8E4M3FN", ScalarKind::f8E4M3FN},
    {"f8E5M2", ScalarKind::f8E5M2},
    {"f8E4M3FNUZ", ScalarKind::f8E4M3FNUZ},
    {"f8E5M2FNUZ", ScalarKind::f8E5M2FNUZ},
    {"f16", ScalarKind::f16},
    {"bf16", ScalarKind::bf16},
    {"f32", ScalarKind::f32},
    {"f64", ScalarKind::f64},
    {"ptr", ScalarKind::pointer},
}};

// NumPy's and torch's names, and Triton's short names. Integers are signless here, so u8 is i8.
constexpr Entry kOtherNames[] = {
    {"bool", ScalarKind::i1},
    {"int1", ScalarKind::i1},
    {"u1", ScalarKind::i1},
    {"int8", ScalarKind::i8},
    {"uint8", ScalarKind::i8},
    {"u8", ScalarKind::i8},
    {"int16", ScalarKind::i16},
    {"uint16", ScalarKind::i16},
    {"u16", ScalarKind::i16},
    {"int32", ScalarKind::i32},
    {"uint32", ScalarKind::i32},
    {"u32", ScalarKind::i32},
    {"int64", ScalarKind::i64},
    {"uint64", ScalarKind::i64},
    {"u64", ScalarKind::i64},
    {"fp8e4nv", ScalarKind::f8E4M3FN},
    {"float8e4nv", ScalarKind::f8E4M3FN},
    {"float8_e4m3fn", ScalarKind::f8E4M3FN},
    {"f8e4m3fn", ScalarKind::f8E4M3FN},
    {"fp8e5", ScalarKind::f8E5M2},
    {"float8e5", ScalarKind::f8E5M2},
    {"float8_e5m2", ScalarKind::f8E5M2},
    {"f8e5m2", ScalarKind::f8E5M2},
    {"fp8e4b8", ScalarKind::f8E4M3FNUZ},
    {"float8e4b8", ScalarKind::f8E4M3FNUZ},
    {"float8_e4m3fnuz", ScalarKind::f8E4M3FNUZ},
    {"f8e4m3fnuz", ScalarKind::f8E4M3FNUZ},
    {"fp8e5b16", ScalarKind::f8E5M2FNUZ},
    {"float8e5b16", ScalarKind::f8E5M2FNUZ},
    {"float8_e5m2fnuz", ScalarKind::f8E5M2FNUZ},
    {"f8e5m2fnuz", ScalarKind::f8E5M2FNUZ},
    {"fp16", ScalarKind::f16},
    {"float16", ScalarKind::f16},
    {"half", ScalarKind::f16},
    {"bfloat16", ScalarKind::bf16},
    {"fp32", ScalarKind::f32},
    {"float32", ScalarKind::f32},
    {"fp64", ScalarKind::f64},
    {"float64", ScalarKind::f64},
};

constexpr bool spellings_follow_the_enumeration() {
  for (std::size_t i = 0; i < kSpellings.size(); ++i) {
    if (static_cast<std::size_t>(kSpellings[i].second) != i) return false;
  }
  return true;
}
static_assert(spellings_follow_the_enumeration());

}  // namespace

std::string_view spelling(ScalarKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return index < kSpellings.size() ? kSpellings[index].first : std::string_view("?");
}

std::optional<ScalarKind> parse_scalar_kind(std::string_view text) {
  for (const auto& [name, kind] : kSpellings) {
    if (name == text) return kind;
  }
  for (const auto& [name, kind] : kOtherNames) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

}  // namespace lockstep
