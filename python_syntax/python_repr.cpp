// Python's repr of floats and strings, for the tree printer.
#include <array>
#include <charconv>
#include <cmath>

#include "python_syntax/ast_printer.h"
#include "support/floats/write_float.h"

namespace lockstep::python_syntax {

std::string python_float_repr(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (std::isnan(value)) return "nan";
  std::array<char, 40> buffer{};
  char* const end = write_float(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  std::string text(buffer.data(), end);  // d[.ddd]e[+-]dd
  std::size_t mark = text.find('e');
  std::string sign = text[0] == '-' ? "-" : "";
  std::string digits = text.substr(sign.size(), mark - sign.size());
  if (digits.size() > 1) digits.erase(1, 1);
  int exponent = std::stoi(text.substr(mark + 1));
  int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) return text;
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  if (exponent + 1 >= count)
    return sign + digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0') + ".0";
  return sign + digits.insert(static_cast<std::size_t>(exponent + 1), ".");
}

namespace {

/// A backslash, `mark` and `digits` hexadecimal digits.
void append_escape(char mark, int digits, unsigned value, std::string& out) {
  out += '\\';
  out += mark;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[value >> shift & 0xF];
}

/// Appends the escape of the character at `i` (surrogates take three bytes as other characters do); returns its length.
std::size_t append_wide_escape(const std::string& text, std::size_t i, std::string& out) {
  auto first = static_cast<unsigned char>(text[i]);
  std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  unsigned value = first & (0xFFu >> (length + 1));
  for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
    value = value << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3F);
  }
  if (value < 0x100) {
    append_escape('x', 2, value, out);
  } else if (value < 0x10000) {
    append_escape('u', 4, value, out);
  } else {
    append_escape('U', 8, value, out);
  }
  return length;
}

}  // namespace

std::string python_string_repr(const std::string& text, bool is_bytes) {
  bool has_single = text.find('\'') != std::string::npos, has_double = text.find('"') != std::string::npos;
  char quote = has_single && !has_double ? '"' : '\'';
  std::string out = is_bytes ? "b" : "";
  out += quote;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F || (is_bytes && byte >= 0x80)) {
      append_escape('x', 2, byte, out);
    } else if (byte >= 0x80) {
      i += append_wide_escape(text, i, out) - 1;
    } else {
      out += c;
    }
  }
  return out + quote;
}

}  // namespace lockstep::python_syntax
