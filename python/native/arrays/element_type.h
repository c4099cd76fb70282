// Element types in the spelling of the array protocols. nullopt: Lockstep's memory has no such element (complex,
// strings, sub-byte types).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "support/scalar.h"

namespace lockstep::python {

/// DLPack's type code and width.
std::optional<ScalarKind> from_dlpack_type(std::uint8_t code, std::uint8_t bits, std::uint16_t lanes);
/// A kind letter of the array interface ('i', 'u', 'f', 'b') and bytes; 'V' types are named (from_type_name).
std::optional<ScalarKind> from_array_type(char kind, std::int64_t bytes);
/// "float32", "torch.bfloat16", "float8_e4m3fn", "uint8", "fp16", "bool".
std::optional<ScalarKind> from_type_name(std::string_view name);
/// "float32", "uint8", "bfloat16", "float8_e4m3fn": the name in NumPy and torch; "" for kinds that no array holds.
std::string_view type_name(ScalarKind kind, bool is_unsigned);

}  // namespace lockstep::python
