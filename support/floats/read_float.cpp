#include "support/floats/read_float.h"

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#if defined(__APPLE__)
#include <xlocale.h>
#else
#include <locale.h>
#endif

#include "support/ascii.h"

namespace lockstep {

namespace {

/// Numbers have points, whatever the program's locale.
locale_t c_locale() {
  static const locale_t made = newlocale(LC_ALL_MASK, "C", nullptr);
  return made;
}

const char* skip_digits(const char* at, const char* last) {
  while (at != last && is_digit(*at)) ++at;
  return at;
}

/// The word at the start, in any case.
bool starts_with(const char* first, const char* last, std::string_view word) {
  if (static_cast<std::size_t>(last - first) < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if ((first[i] | 0x20) != word[i]) return false;
  }
  return true;
}

const char* end_of_nan(const char* at, const char* last) {
  at += 3;
  if (at == last || *at != '(') return at;
  const char* inner = at + 1;
  while (inner != last && (is_digit(*inner) || *inner == '_' || ((*inner | 0x20) >= 'a' && (*inner | 0x20) <= 'z')))
    ++inner;
  return inner != last && *inner == ')' ? inner + 1 : at;
}

/// The end of the longest number that starts at `first`; `first` if there is none.
const char* end_of_number(const char* first, const char* last, bool may_have_exponent) {
  const char* at = first != last && *first == '-' ? first + 1 : first;
  if (starts_with(at, last, "infinity")) return at + 8;
  if (starts_with(at, last, "inf")) return at + 3;
  if (starts_with(at, last, "nan")) return end_of_nan(at, last);
  const char* point = skip_digits(at, last);
  const char* end = point;
  if (point != last && *point == '.') {
    end = skip_digits(point + 1, last);
    if (point == at && end == point + 1) return first;
  } else if (point == at) {
    return first;
  }
  if (!may_have_exponent || end == last || (*end | 0x20) != 'e') return end;
  const char* digits = end + 1;
  if (digits != last && (*digits == '+' || *digits == '-')) ++digits;
  const char* end_of_digits = skip_digits(digits, last);
  return end_of_digits == digits ? end : end_of_digits;
}

bool has_other_digit_than_zero(const std::string& text) {
  for (const char c : text) {
    if ((c | 0x20) == 'e') return false;
    if (c >= '1' && c <= '9') return true;
  }
  return false;
}

template <typename Float>
std::from_chars_result read(const char* first, const char* last, Float& value, std::chars_format format,
                            Float (*convert)(const char*, char**, locale_t)) {
  const char* end = end_of_number(first, last, format != std::chars_format::fixed);
  if (end == first) return {first, std::errc::invalid_argument};
  const std::string text(first, end);
  const Float read = convert(text.c_str(), nullptr, c_locale());
  const bool is_word = (text.back() | 0x20) >= 'f' || text.back() == ')';
  if (!is_word && (std::isinf(read) || (read == 0 && has_other_digit_than_zero(text))))
    return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc()};
}

}  // namespace

std::from_chars_result read_float_portably(const char* first, const char* last, double& value,
                                           std::chars_format format) {
  return read(first, last, value, format, strtod_l);
}

std::from_chars_result read_float_portably(const char* first, const char* last, float& value) {
  return read(first, last, value, std::chars_format::general, strtof_l);
}

#if defined(__cpp_lib_to_chars)
std::from_chars_result read_float(const char* first, const char* last, double& value, std::chars_format format) {
  return std::from_chars(first, last, value, format);
}
std::from_chars_result read_float(const char* first, const char* last, float& value) {
  return std::from_chars(first, last, value);
}
#else
std::from_chars_result read_float(const char* first, const char* last, double& value, std::chars_format format) {
  return read_float_portably(first, last, value, format);
}
std::from_chars_result read_float(const char* first, const char* last, float& value) {
  return read_float_portably(first, last, value);
}
#endif

}  // namespace lockstep
