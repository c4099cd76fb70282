#include "python_syntax/lexer_number.h"

#include <algorithm>

#include "python_syntax/lexer.h"

namespace lockstep::python_syntax {

namespace {

int digit_value(char c) {
  if (is_decimal_digit(c)) return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/// Keywords that may follow a number without a blank ("1if x else y").
bool may_touch_number(TokenKind kind) {
  switch (kind) {
    case TokenKind::KwAnd:
    case TokenKind::KwElse:
    case TokenKind::KwFor:
    case TokenKind::KwIf:
    case TokenKind::KwIn:
    case TokenKind::KwIs:
    case TokenKind::KwNot:
    case TokenKind::KwOr: return true;
    default: return false;
  }
}

int radix_of_prefix(char c, char next) {
  if (c != '0') return 0;
  switch (next | 0x20) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 0;
  }
}

/// Goes over the digits of a text.
class NumberScanner {
 public:
  NumberScanner(std::string_view text, std::uint32_t begin) : text_(text), position_(begin) {}

  ScannedNumber scan() {
    const std::uint32_t begin = position_;
    bool is_integer = true, is_good = true;
    if (int radix = radix_of_prefix(peek(), peek(1)); radix > 0) {
      position_ += 2;
      if (peek() == '_') ++position_;
      is_good = skip_digits(radix);
    } else {
      is_good = skip_decimal_number(is_integer);
      std::string_view text = text_.substr(begin, position_ - begin);
      if (is_integer && text[0] == '0' && text.find_first_not_of("0_") != std::string_view::npos) is_good = false;
    }
    if (is_good && is_name_part(peek())) {
      std::size_t end = position_;
      while (end < text_.size() && is_name_part(text_[end])) ++end;
      is_good = may_touch_number(keyword_or_name(text_.substr(position_, end - position_)));
    }
    return {position_, is_good};
  }

 private:
  char peek(std::size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }

  bool skip_digits(int radix) {
    if (digit_value(peek()) >= radix) return false;
    while (true) {
      while (digit_value(peek()) < radix) ++position_;
      if (peek() != '_') return true;
      if (digit_value(peek(1)) >= radix) return false;
      ++position_;
    }
  }

  bool skip_decimal_number(bool& is_integer) {
    if (peek() != '.' && !skip_digits(10)) return false;
    if (peek() == '.') {
      is_integer = false;
      ++position_;
      if (is_decimal_digit(peek()) && !skip_digits(10)) return false;
    }
    if ((peek() | 0x20) == 'e') {
      std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (is_decimal_digit(peek(1 + sign))) {
        is_integer = false;
        position_ += static_cast<std::uint32_t>(1 + sign);
        if (!skip_digits(10)) return false;
      }
    }
    if ((peek() | 0x20) == 'j') {
      is_integer = false;
      ++position_;
    }
    return true;
  }

  std::string_view text_;
  std::uint32_t position_;
};

}  // namespace

ScannedNumber scan_number(std::string_view text, std::uint32_t begin) { return NumberScanner(text, begin).scan(); }

}  // namespace lockstep::python_syntax
