// Reading floats from text, as std::from_chars does it: the nearest double (or float), no locale, no leading space or
// plus. It exists because libc++ has integers only in std::from_chars before version 20. Invariant: both functions give
// the same value, end and error for every text.
#pragma once

#include <charconv>

namespace lockstep {

/// std::from_chars of the standard library where it has floats, otherwise read_float_portably.
std::from_chars_result read_float(const char* first, const char* last, double& value,
                                  std::chars_format format = std::chars_format::general);
std::from_chars_result read_float(const char* first, const char* last, float& value);

/// By strtod of the C library. `format`: general or fixed. Out of range, as there: `value` stays as it was.
std::from_chars_result read_float_portably(const char* first, const char* last, double& value,
                                           std::chars_format format = std::chars_format::general);
std::from_chars_result read_float_portably(const char* first, const char* last, float& value);

}  // namespace lockstep
