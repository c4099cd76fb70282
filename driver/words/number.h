// Numbers in Python's notation: 98432, 1_000, 0x1f, -5, 1e-5, .5, inf, nan. Exact: an integer keeps all of its 64 bits,
// a decimal is rounded to double once (std::from_chars, no locale). Errors: LS2002 (malformed), LS2003 (out of range).
#pragma once

#include <optional>

#include "driver/arguments/arguments.h"
#include "driver/words/cursor.h"

namespace lockstep::driver {

/// True if a number (or a sign) is next.
bool number_is_next(const Cursor& cursor);
/// Takes a number: ScalarValue of kind integer or floating. nullopt: diagnosed.
std::optional<ScalarValue> take_number(Cursor& cursor);

/// The integer's value as double (exact up to 2^53, rounded to nearest above).
double to_double(const ScalarValue& number);

}  // namespace lockstep::driver
