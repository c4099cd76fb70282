#include "driver/words/number.h"
#include "support/ascii.h"
#include "support/floats/read_float.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace lockstep::driver {
namespace {

bool is_word_char(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

int base_of(std::string_view digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  switch (digits[1]) {
    case 'x':
    case 'X': return 16;
    case 'o':
    case 'O': return 8;
    case 'b':
    case 'B': return 2;
    default: return 10;
  }
}

// Letters, digits, underscores and dots, and a sign after an exponent's e.
std::string_view take_token(Cursor& cursor) {
  const std::size_t begin = cursor.position();
  const bool is_hex = base_of(cursor.rest()) == 16;
  while (true) {
    const char c = cursor.peek();
    const bool after_exponent =
        !is_hex && cursor.position() > begin && (cursor.text()[cursor.position() - 1] | 0x20) == 'e';
    if (!is_word_char(c) && c != '.' && !((c == '+' || c == '-') && after_exponent)) break;
    cursor.move_to(cursor.position() + 1);
  }
  return cursor.slice(begin);
}

// Removes underscores between digits; false for one anywhere else.
bool remove_underscores(std::string_view token, std::string& digits) {
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '_') {
      digits += token[i];
      continue;
    }
    if (i == 0 || i + 1 == token.size() || !is_word_char(token[i - 1]) || token[i + 1] == '_') return false;
  }
  return true;
}

enum class Read : std::uint8_t { done, malformed, out_of_range };

Read read_integer(std::string_view digits, bool negative, ScalarValue& value) {
  const int base = base_of(digits);
  if (base != 10) digits.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument) return Read::malformed;
  constexpr std::uint64_t kMinimum = std::uint64_t{1} << 63;
  if (error == std::errc::result_out_of_range || (negative && magnitude > kMinimum)) return Read::out_of_range;
  value.kind = ScalarValue::Kind::integer;
  value.integer = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
  value.is_unsigned_64 = !negative && magnitude >= kMinimum;
  return Read::done;
}

Read read_floating(std::string_view digits, bool negative, ScalarValue& value) {
  double magnitude = 0;
  const char* first = digits.data();
  const char* last = first + digits.size();
  const auto [end, error] = read_float(first, last, magnitude);
  if (end != last || error == std::errc::invalid_argument) return Read::malformed;
  if (error == std::errc::result_out_of_range) return Read::out_of_range;
  value.kind = ScalarValue::Kind::floating;
  value.floating = negative ? -magnitude : magnitude;
  return Read::done;
}

bool is_decimal_integer(std::string_view digits) {
  return digits.find_first_not_of("0123456789") == std::string_view::npos;
}

Read read_number(std::string_view token, bool negative, ScalarValue& value) {
  if (token == "inf" || token == "nan") return read_floating(token, negative, value);
  std::string digits;
  if (token.empty() || !(is_digit(token[0]) || token[0] == '.') || !remove_underscores(token, digits))
    return Read::malformed;
  if (base_of(digits) != 10 || is_decimal_integer(digits)) return read_integer(digits, negative, value);
  return read_floating(digits, negative, value);
}

}  // namespace

bool number_is_next(const Cursor& cursor) {
  const std::string_view rest = cursor.rest();
  if (rest.empty()) return false;
  if (rest[0] == '+' || rest[0] == '-' || is_digit(rest[0])) return true;
  if (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1])) return true;
  for (const std::string_view word : {"inf", "nan"}) {
    if (rest.starts_with(word) && (rest.size() == 3 || !is_word_char(rest[3]))) return true;
  }
  return false;
}

std::optional<ScalarValue> take_number(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.position();
  const bool negative = cursor.peek() == '-';
  if (negative || cursor.peek() == '+') cursor.move_to(begin + 1);
  const std::string_view token = take_token(cursor);
  ScalarValue value;
  switch (read_number(token, negative, value)) {
    case Read::done: return value;
    case Read::malformed:
      cursor.fail(begin, "LS2002", "'" + std::string(cursor.slice(begin)) + "' is not a number",
                  "write 98432, -5, 0x1f, 1e-5, inf or nan");
      return std::nullopt;
    case Read::out_of_range:
      cursor.fail(begin, "LS2003", "the number " + std::string(cursor.slice(begin)) + " is out of range",
                  "integers go from -2^63 to 2^64 - 1, floats from 5e-324 to 1.8e308 (or inf)");
      return std::nullopt;
  }
  return std::nullopt;
}

double to_double(const ScalarValue& number) {
  if (number.kind == ScalarValue::Kind::floating) return number.floating;
  if (number.is_unsigned_64) return static_cast<double>(static_cast<std::uint64_t>(number.integer));
  return static_cast<double>(number.integer);
}

}  // namespace lockstep::driver
