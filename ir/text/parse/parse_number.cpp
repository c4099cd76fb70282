#include "ir/text/parse/parse_number.h"

namespace lockstep::ir {

bool read_integer_literal(std::string_view text, std::uint64_t& value) {
  value = 0;
  if (text.starts_with("0x")) {
    if (text.size() > 18) return false;
    for (const char c : text.substr(2)) {
      const int digit = c <= '9' ? c - '0' : (c >= 'a' ? c - 'a' : c - 'A') + 10;
      value = value * 16 + static_cast<std::uint64_t>(digit);
    }
    return true;
  }
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (~std::uint64_t{0} - digit) / 10) return false;
    value = value * 10 + digit;
  }
  return true;
}

bool integer_fits(Type type, bool is_negative, std::uint64_t magnitude) {
  const std::uint32_t width = type.is_integer() ? type.integer_width() : 64;
  if (width > 64) return !is_negative || magnitude <= (std::uint64_t{1} << 63);
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  if (is_negative) return magnitude <= top;
  return width == 64 || magnitude < top * 2;
}

}  // namespace lockstep::ir
