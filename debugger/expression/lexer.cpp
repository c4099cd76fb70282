#include "debugger/expression/lexer.h"

#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "support/ascii.h"
#include "support/floats/read_float.h"

namespace lockstep::debugger {
namespace {

// Longer ones first.
constexpr std::array<std::string_view, 39> kSymbols = {
    "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "&", "|", "^", "~",
    "<",   ">",  "!",  "(",  ")",  "[",  "]",  ",",  ":",  "?",  ".",  "=", "{", "}", ";", "@", "#", "$", "\\"};

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  Expected<std::vector<Token>, ExpressionError> lex() {
    while (true) {
      while (is_space(peek())) ++at_;
      begin_ = at_;
      if (at_ >= source_.size()) break;
      if (!take_token()) return Unexpected{*error_};
    }
    push(Token::Kind::end);
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  Token& push(Token::Kind kind) {
    Token token;
    token.kind = kind;
    token.begin = static_cast<std::uint32_t>(begin_);
    token.end = static_cast<std::uint32_t>(at_);
    token.text = source_.substr(begin_, at_ - begin_);
    return tokens_.emplace_back(token);
  }
  bool fail(std::string message) {
    error_ = ExpressionError{std::move(message), static_cast<std::uint32_t>(begin_),
                             static_cast<std::uint32_t>(at_ > begin_ ? at_ : begin_ + 1)};
    return false;
  }

  bool take_token() {
    const char c = peek();
    if (starts_name(c)) {
      while (continues_name(peek())) ++at_;
      push(Token::Kind::name);
      return true;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return take_number();
    if (c == '"' || c == '\'') return take_string(c);
    for (const std::string_view symbol : kSymbols) {
      if (source_.substr(at_, symbol.size()) != symbol) continue;
      at_ += symbol.size();
      push(Token::Kind::symbol);
      return true;
    }
    return fail("unexpected character");
  }

  bool take_string(char quote) {
    ++at_;
    while (at_ < source_.size() && peek() != quote) at_ += peek() == '\\' && at_ + 1 < source_.size() ? 2U : 1U;
    if (at_ >= source_.size()) {
      at_ = source_.size();
      return fail("the string has no end");
    }
    ++at_;
    Token& token = push(Token::Kind::text);
    token.text = token.text.substr(1, token.text.size() - 2);
    return true;
  }

  bool take_number() {
    const char radix = static_cast<char>(peek(1) | 0x20);
    if (peek() == '0' && (radix == 'x' || radix == 'b' || radix == 'o')) {
      at_ += 2;
      while (continues_name(peek())) ++at_;
      return push_integer(radix == 'x' ? 16 : radix == 'b' ? 2 : 8, 2);
    }
    bool is_integer = true;
    while (is_digit(peek()) || peek() == '_') ++at_;
    if (peek() == '.' && peek(1) != '.') {
      is_integer = false;
      ++at_;
      while (is_digit(peek()) || peek() == '_') ++at_;
    }
    if ((peek() | 0x20) == 'e' && (is_digit(peek(1)) || ((peek(1) == '-' || peek(1) == '+') && is_digit(peek(2))))) {
      is_integer = false;
      at_ += 2;
      while (is_digit(peek())) ++at_;
    }
    if (continues_name(peek())) {
      while (continues_name(peek())) ++at_;
      return fail("this is not a number");
    }
    return is_integer ? push_integer(10, 0) : push_float();
  }

  std::string digits(std::size_t skipped) const {
    std::string text;
    for (const char c : source_.substr(begin_ + skipped, at_ - begin_ - skipped)) {
      if (c != '_') text += c;
    }
    return text;
  }
  bool push_integer(int base, std::size_t prefix) {
    const std::string text = digits(prefix);
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (read.ec == std::errc::result_out_of_range) return fail("this integer does not fit into 64 bits");
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return fail("this is not a number");
    push(Token::Kind::integer).integer = value;
    return true;
  }
  bool push_float() {
    std::string text = digits(0);
    if (text.front() == '.') text.insert(0, "0");
    double value = 0;
    const auto read = read_float(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc::result_out_of_range) return fail("this float is out of range");
    if (read.ec != std::errc{}) return fail("this is not a number");
    push(Token::Kind::floating).number = value;
    return true;
  }

  std::string_view source_;
  std::size_t at_ = 0, begin_ = 0;
  std::vector<Token> tokens_;
  std::optional<ExpressionError> error_;
};

}  // namespace

Expected<std::vector<Token>, ExpressionError> lex_expression(std::string_view source) { return Lexer(source).lex(); }

}  // namespace lockstep::debugger
