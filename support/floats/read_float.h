// Reading floats from text, as std::from_chars does it: the nearest double (or float), no locale, no leading space or
// plus. It exists because libc++'s std::from_chars has only integers before version 20. Invariant: both functions give
// the same value, end and error for every text.
#pragma once

#include <charconv>

namespace lockstep {

/// std::from_chars if the standard library has it for floats, otherwise read_float_portably.
std::from_chars_result read_float(const char* first, const char* last, double& value,
                                  std::chars_format format = std::chars_format::general);
std::from_chars_result read_float(const char* first, const char* last, float& value);

/// Uses strtod of the C library. `format`: general or fixed. Out of range, `value` is unchanged, as there.
std::from_chars_result read_float_portably(const char* first, const char* last, double& value,
                                           std::chars_format format = std::chars_format::general);
std::from_chars_result read_float_portably(const char* first, const char* last, float& value);

}  // namespace lockstep
