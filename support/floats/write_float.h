// Writing floats as text, as std::to_chars does it: the shortest text that reads back as the same number, or so many
// digits of the exact value; no locale. It exists because libc++ has only integers in std::to_chars before version 14.
// Invariant: the same text with every library. The caller's buffer is large enough: 400 characters and the precision
// are.
#pragma once

#include <charconv>

namespace lockstep {

/// The end of what was written. Without a format: fixed or scientific, whichever is shorter (fixed where both are).
char* write_float(char* first, char* last, double value);
char* write_float(char* first, char* last, float value);
char* write_float(char* first, char* last, double value, std::chars_format format);
char* write_float(char* first, char* last, double value, std::chars_format format, int precision);

/// By snprintf and strtod of the C library.
char* write_float_portably(char* first, char* last, double value);
char* write_float_portably(char* first, char* last, float value);
char* write_float_portably(char* first, char* last, double value, std::chars_format format);
char* write_float_portably(char* first, char* last, double value, std::chars_format format, int precision);

}  // namespace lockstep
