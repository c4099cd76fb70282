// A scalar argument's launch bits in a type: range-checked integers, floats rounded once. Private to the room.
#pragma once

#include <cstdint>
#include <optional>

#include "driver/arguments/arguments.h"
#include "driver/words/dtype_name.h"

namespace lockstep::driver {

/// The range of an integer type: i32 as signed, u32 as unsigned, a TTIR i32 as either.
enum class IntegerRange : std::uint8_t { is_signed, is_unsigned, either };

/// `value`: boolean, integer or floating. nullopt: it does not fit, or a fraction would go to an integer.
std::optional<std::uint64_t> scalar_bits(const ScalarValue& value, ScalarKind kind, IntegerRange range);

}  // namespace lockstep::driver
