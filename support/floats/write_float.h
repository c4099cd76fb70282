// Writing floats as text, as std::to_chars does it: the shortest text that reads back as the same number, or the given
// number of digits of the exact value; no locale. It exists because libc++'s std::to_chars has only integers before
// version 14. Invariant: the same text with every library. The caller's buffer holds 400 characters plus the precision.
#pragma once

#include <charconv>

namespace lockstep {

/// The end of the written text. Without a format: fixed or scientific, whichever is shorter (fixed if both are equal).
char* write_float(char* first, char* last, double value);
char* write_float(char* first, char* last, float value);
char* write_float(char* first, char* last, double value, std::chars_format format);
char* write_float(char* first, char* last, double value, std::chars_format format, int precision);

/// Uses snprintf and strtod of the C library.
char* write_float_portably(char* first, char* last, double value);
char* write_float_portably(char* first, char* last, float value);
char* write_float_portably(char* first, char* last, double value, std::chars_format format);
char* write_float_portably(char* first, char* last, double value, std::chars_format format, int precision);

}  // namespace lockstep
