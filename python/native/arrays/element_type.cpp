#include "python/native/arrays/element_type.h"

#include <array>

#include "python/native/arrays/dlpack.h"

namespace lockstep::python {
namespace {

struct NamedType {
  std::string_view name;
  ScalarKind kind;
};

constexpr std::array<NamedType, 29> kNamedTypes{{
    {"bool", ScalarKind::i1},
    {"int1", ScalarKind::i1},
    {"int8", ScalarKind::i8},
    {"uint8", ScalarKind::i8},
    {"int16", ScalarKind::i16},
    {"uint16", ScalarKind::i16},
    {"int32", ScalarKind::i32},
    {"uint32", ScalarKind::i32},
    {"int64", ScalarKind::i64},
    {"uint64", ScalarKind::i64},
    {"float16", ScalarKind::f16},
    {"fp16", ScalarKind::f16},
    {"bfloat16", ScalarKind::bf16},
    {"bf16", ScalarKind::bf16},
    {"float32", ScalarKind::f32},
    {"fp32", ScalarKind::f32},
    {"float64", ScalarKind::f64},
    {"fp64", ScalarKind::f64},
    {"float8_e4m3fn", ScalarKind::f8E4M3FN},
    {"float8e4nv", ScalarKind::f8E4M3FN},
    {"fp8e4nv", ScalarKind::f8E4M3FN},
    {"float8_e5m2", ScalarKind::f8E5M2},
    {"float8e5", ScalarKind::f8E5M2},
    {"fp8e5", ScalarKind::f8E5M2},
    {"float8_e4m3fnuz", ScalarKind::f8E4M3FNUZ},
    {"fp8e4b8", ScalarKind::f8E4M3FNUZ},
    {"float8_e5m2fnuz", ScalarKind::f8E5M2FNUZ},
    {"fp8e5b16", ScalarKind::f8E5M2FNUZ},
    {"float8_e8m0fnu", ScalarKind::i8},  // Triton passes scales of this format as bytes
}};

std::optional<ScalarKind> integer_kind(std::int64_t bytes) {
  switch (bytes) {
    case 1: return ScalarKind::i8;
    case 2: return ScalarKind::i16;
    case 4: return ScalarKind::i32;
    case 8: return ScalarKind::i64;
    default: return std::nullopt;
  }
}

std::optional<ScalarKind> float_of(std::int64_t bytes) {
  switch (bytes) {
    case 2: return ScalarKind::f16;
    case 4: return ScalarKind::f32;
    case 8: return ScalarKind::f64;
    default: return std::nullopt;
  }
}

// DLDataTypeCode of DLPack 1.1.
constexpr std::uint8_t kInt = 0, kUInt = dlpack::kUInt, kFloat = 2, kBfloat = 4, kBool = 6, kE4M3FN = 10,
                       kE4M3FNUZ = 11, kE5M2 = 12, kE5M2FNUZ = 13, kE8M0FNU = 14;

}  // namespace

std::optional<ScalarKind> from_dlpack_type(std::uint8_t code, std::uint8_t bits, std::uint16_t lanes) {
  if (lanes != 1 || bits % 8 != 0) return std::nullopt;
  switch (code) {
    case kInt:
    case kUInt: return integer_kind(bits / 8);
    case kFloat: return float_of(bits / 8);
    case kBfloat: return bits == 16 ? std::optional(ScalarKind::bf16) : std::nullopt;
    case kBool: return bits == 8 ? std::optional(ScalarKind::i1) : std::nullopt;
    default: break;
  }
  if (bits != 8) return std::nullopt;
  switch (code) {
    case kE4M3FN: return ScalarKind::f8E4M3FN;
    case kE4M3FNUZ: return ScalarKind::f8E4M3FNUZ;
    case kE5M2: return ScalarKind::f8E5M2;
    case kE5M2FNUZ: return ScalarKind::f8E5M2FNUZ;
    case kE8M0FNU: return ScalarKind::i8;
    default: return std::nullopt;
  }
}

std::optional<ScalarKind> from_array_type(char kind, std::int64_t bytes) {
  switch (kind) {
    case 'i':
    case 'u': return integer_kind(bytes);
    case 'f': return float_of(bytes);
    case 'b': return bytes == 1 ? std::optional(ScalarKind::i1) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<ScalarKind> from_type_name(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (const NamedType& named : kNamedTypes) {
    if (named.name == name) return named.kind;
  }
  return std::nullopt;
}

std::string_view type_name(ScalarKind kind, bool is_unsigned) {
  for (const NamedType& named : kNamedTypes) {
    if (named.kind == kind && named.name.starts_with('u') == is_unsigned) return named.name;
  }
  return {};
}

}  // namespace lockstep::python
