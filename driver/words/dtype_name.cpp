#include "driver/words/dtype_name.h"

#include <array>

namespace lockstep::driver {
namespace {

constexpr std::array<std::string_view, 22> kSuggestions{
    "bool", "i1",  "i8",  "i16",  "i32",  "i64",  "u8",       "u16",    "u32",        "u64",        "f16",
    "bf16", "f32", "f64", "fp16", "fp32", "fp64", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "float32"};

bool spells_unsigned(std::string_view text) {
  return text.starts_with("uint") || (text.size() > 1 && text[0] == 'u' && text[1] >= '0' && text[1] <= '9');
}

}  // namespace

std::string short_name(ScalarKind kind, bool is_unsigned) {
  switch (kind) {
    case ScalarKind::i1: return is_unsigned ? "u1" : "i1";
    case ScalarKind::i8: return is_unsigned ? "u8" : "i8";
    case ScalarKind::i16: return is_unsigned ? "u16" : "i16";
    case ScalarKind::i32: return is_unsigned ? "u32" : "i32";
    case ScalarKind::i64: return is_unsigned ? "u64" : "i64";
    case ScalarKind::f8E4M3FN: return "fp8e4nv";
    case ScalarKind::f8E5M2: return "fp8e5";
    case ScalarKind::f8E4M3FNUZ: return "fp8e4b8";
    case ScalarKind::f8E5M2FNUZ: return "fp8e5b16";
    case ScalarKind::f16: return "fp16";
    case ScalarKind::bf16: return "bf16";
    case ScalarKind::f32: return "fp32";
    case ScalarKind::f64: return "fp64";
    case ScalarKind::pointer: return "u64";
  }
  return "";
}

std::optional<DtypeName> find_dtype(std::string_view text) {
  for (const std::string_view prefix : {"tl.", "torch.", "np.", "numpy.", "triton.language."}) {
    if (!text.starts_with(prefix)) continue;
    text.remove_prefix(prefix.size());
    break;
  }
  const std::optional<ScalarKind> kind = parse_scalar_kind(text);
  if (!kind || *kind == ScalarKind::pointer) return std::nullopt;
  const bool is_unsigned = *kind == ScalarKind::i1 || spells_unsigned(text);
  return DtypeName{*kind, is_unsigned, short_name(*kind, is_unsigned)};
}

std::optional<DtypeName> take_dtype(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.position();
  const std::string_view word = cursor.take_word(true);
  if (auto found = find_dtype(word)) return found;
  const std::string_view near = nearest(word, kSuggestions);
  cursor.fail(begin, "LS2005", word.empty() ? "a type is missing here" : "unknown type '" + std::string(word) + "'",
              near.empty() ? "types are i1 i8..i64 u8..u64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f8E4M3FNUZ f8E5M2FNUZ"
                           : "did you mean '" + std::string(near) + "'?");
  return std::nullopt;
}

}  // namespace lockstep::driver
