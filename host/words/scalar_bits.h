// A scalar argument's launch bits in a type: range-checked integers, floats rounded once. Private to the room.
#pragma once

#include <cstdint>
#include <optional>

#include "host/arguments.h"
#include "host/words/dtype_name.h"

namespace lockstep::host {

/// How an integer type reads its range: i32 as signed, u32 as unsigned, a TTIR i32 as either.
enum class IntegerRange : std::uint8_t { is_signed, is_unsigned, either };

/// `value`: boolean, integer or floating. nullopt: it does not fit, or a fraction would go to an integer.
std::optional<std::uint64_t> scalar_bits(const ScalarValue& value, ScalarKind kind, IntegerRange range);

}  // namespace lockstep::host
