#include "support/floats/write_float.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <version>

namespace lockstep {
namespace {

char* put(const std::string& text, char* first, char* last) {
  const auto count = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(text.size()), last - first);
  return std::copy_n(text.begin(), count, first);
}

std::string printed(std::chars_format format, int precision, double value) {
  std::string text(static_cast<std::size_t>(precision) + 400, '\0');
  const int count =
      format == std::chars_format::scientific ? std::snprintf(text.data(), text.size(), "%.*e", precision, value)
      : format == std::chars_format::fixed    ? std::snprintf(text.data(), text.size(), "%.*f", precision, value)
                                              : std::snprintf(text.data(), text.size(), "%.*g", precision, value);
  text.resize(static_cast<std::size_t>(count));
  return text;
}

/// "inf", "-nan"; empty: a number.
std::string special(double value) {
  if (std::isfinite(value)) return "";
  return std::string(std::signbit(value) ? "-" : "") + (std::isnan(value) ? "nan" : "inf");
}

double read_back(const std::string& text, double) { return std::strtod(text.c_str(), nullptr); }
float read_back(const std::string& text, float) { return std::strtof(text.c_str(), nullptr); }

template <typename Float>
std::string shortest_scientific(Float value) {
  constexpr int kMost = std::numeric_limits<Float>::max_digits10 - 1;
  for (int precision = 0; precision < kMost; ++precision) {
    std::string text = printed(std::chars_format::scientific, precision, static_cast<double>(value));
    if (read_back(text, value) == value) return text;
  }
  return printed(std::chars_format::scientific, kMost, static_cast<double>(value));
}

/// A whole number has all its digits; others have the shortest text.
template <typename Float>
std::string shortest_fixed(Float value) {
  const std::string scientific = shortest_scientific(value);
  const std::size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  const auto digits = static_cast<int>(std::count_if(scientific.begin(), scientific.begin() + static_cast<int>(e),
                                                     [](char c) { return c >= '0' && c <= '9'; }));
  return printed(std::chars_format::fixed, std::max(0, digits - 1 - exponent), static_cast<double>(value));
}

template <typename Float>
char* write_shortest(char* first, char* last, Float value) {
  const std::string other = special(static_cast<double>(value));
  if (!other.empty()) return put(other, first, last);
  const std::string scientific = shortest_scientific(value), fixed = shortest_fixed(value);
  return put(fixed.size() <= scientific.size() ? fixed : scientific, first, last);
}

}  // namespace

char* write_float_portably(char* first, char* last, double value) { return write_shortest(first, last, value); }
char* write_float_portably(char* first, char* last, float value) { return write_shortest(first, last, value); }

char* write_float_portably(char* first, char* last, double value, std::chars_format format) {
  const std::string other = special(value);
  if (!other.empty()) return put(other, first, last);
  if (format == std::chars_format::scientific) return put(shortest_scientific(value), first, last);
  if (format == std::chars_format::fixed) return put(shortest_fixed(value), first, last);
  return write_float_portably(first, last, value);
}

char* write_float_portably(char* first, char* last, double value, std::chars_format format, int precision) {
  const std::string other = special(value);
  if (!other.empty()) return put(other, first, last);
  return put(printed(format, precision, value), first, last);
}

#if defined(__cpp_lib_to_chars)
char* write_float(char* first, char* last, double value) { return std::to_chars(first, last, value).ptr; }
char* write_float(char* first, char* last, float value) { return std::to_chars(first, last, value).ptr; }
char* write_float(char* first, char* last, double value, std::chars_format format) {
  return std::to_chars(first, last, value, format).ptr;
}
char* write_float(char* first, char* last, double value, std::chars_format format, int precision) {
  return std::to_chars(first, last, value, format, precision).ptr;
}
#else
char* write_float(char* first, char* last, double value) { return write_float_portably(first, last, value); }
char* write_float(char* first, char* last, float value) { return write_float_portably(first, last, value); }
char* write_float(char* first, char* last, double value, std::chars_format format) {
  return write_float_portably(first, last, value, format);
}
char* write_float(char* first, char* last, double value, std::chars_format format, int precision) {
  return write_float_portably(first, last, value, format, precision);
}
#endif

}  // namespace lockstep
