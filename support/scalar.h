// The scalar kinds that memory and tiles hold, and their sizes. One list for frontend, IR, interpreter and host data.
// Integers are signless as in MLIR; signedness lives in ops. Pointers are 64-bit addresses in memory.
// Bit layouts: IEEE 754-2019 (f16, f32, f64), bfloat16, OCP 8-bit formats (f8E4M3FN, f8E5M2), their FNUZ forms
// (Graphcore/AMD).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep {

enum class ScalarKind : std::uint8_t {
  i1,
  i8,
  i16,
  i32,
  i64,
  f8E4M3FN,
  f8E5M2,
  f8E4M3FNUZ,
  f8E5M2FNUZ,
  f16,
  bf16,
  f32,
  f64,
  pointer,
};

/// Bytes one element takes in memory (i1 takes one byte).
constexpr int size_bytes(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::i1:
    case ScalarKind::i8:
    case ScalarKind::f8E4M3FN:
    case ScalarKind::f8E5M2:
    case ScalarKind::f8E4M3FNUZ:
    case ScalarKind::f8E5M2FNUZ: return 1;
    case ScalarKind::i16:
    case ScalarKind::f16:
    case ScalarKind::bf16: return 2;
    case ScalarKind::i32:
    case ScalarKind::f32: return 4;
    case ScalarKind::i64:
    case ScalarKind::f64:
    case ScalarKind::pointer: return 8;
  }
  return 0;
}
/// Width of the value in bits (1 for i1).
constexpr int bit_width(ScalarKind kind) { return kind == ScalarKind::i1 ? 1 : 8 * size_bytes(kind); }
constexpr bool is_float(ScalarKind kind) { return kind >= ScalarKind::f8E4M3FN && kind <= ScalarKind::f64; }
constexpr bool is_integer(ScalarKind kind) { return kind <= ScalarKind::i64; }
constexpr bool is_float8(ScalarKind kind) { return kind >= ScalarKind::f8E4M3FN && kind <= ScalarKind::f8E5M2FNUZ; }

/// MLIR spelling ("f32", "f8E4M3FN", "i1"); "ptr" for pointers.
std::string_view spelling(ScalarKind kind);
/// The inverse of spelling(), also accepting NumPy-like ("float32", "int64", "bool") and Triton's short names ("fp32",
/// "u8", "fp8e4nv").
std::optional<ScalarKind> parse_scalar_kind(std::string_view text);

}  // namespace lockstep
