#include "ir/text/lexer.h"

#include "support/ascii.h"

namespace lockstep::ir {
namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  return (c >= 'a' ? c - 'a' : c - 'A') + 10;
}

constexpr std::string_view kSuffixPunctuation = "$._-";
constexpr std::string_view kBarePunctuation = "_$.";

}  // namespace

char Lexer::peek(std::uint32_t ahead) const {
  const std::size_t at = std::size_t{position_} + ahead;
  return at < text_.size() ? text_[at] : '\0';
}

void Lexer::skip_blanks() {
  while (position_ < text_.size()) {
    if (is_blank(text_[position_])) {
      ++position_;
    } else if (peek() == '/' && peek(1) == '/') {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else {
      return;
    }
  }
}

Token Lexer::make(Token::Kind kind, std::uint32_t begin) const {
  return {kind, begin, position_, text_.substr(begin, position_ - begin)};
}

Token Lexer::lex_identifier(std::uint32_t begin, Token::Kind kind, std::string_view punctuation) {
  while (is_letter(peek()) || is_digit(peek()) ||
         (peek() != '\0' && punctuation.find(peek()) != std::string_view::npos)) {
    ++position_;
  }
  return make(kind, begin);
}

Token Lexer::lex_string(std::uint32_t begin, Token::Kind kind) {
  ++position_;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') break;
    ++position_;
    if (c == '"') return make(kind, begin);
    if (c == '\\' && position_ < text_.size() && text_[position_] != '\n') ++position_;
  }
  return make(Token::Kind::unterminated_string, begin);
}

Token Lexer::lex_number(std::uint32_t begin) {
  if (peek() == '0' && peek(1) == 'x' && is_hex(peek(2))) {
    position_ += 2;
    while (is_hex(peek())) ++position_;
    return make(Token::Kind::integer, begin);
  }
  while (is_digit(peek())) ++position_;
  if (peek() != '.') return make(Token::Kind::integer, begin);
  ++position_;
  while (is_digit(peek())) ++position_;
  if (peek() == 'e' || peek() == 'E') {
    const std::uint32_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (is_digit(peek(1 + sign))) {
      position_ += 1 + sign;
      while (is_digit(peek())) ++position_;
    }
  }
  return make(Token::Kind::floating, begin);
}

Token Lexer::next() {
  skip_blanks();
  const std::uint32_t begin = position_;
  if (position_ >= text_.size()) return make(Token::Kind::end, begin);
  const char c = text_[position_];
  if (is_letter(c) || c == '_') return lex_identifier(begin, Token::Kind::bare_id, kBarePunctuation);
  if (is_digit(c)) return lex_number(begin);
  if (c == '"') return lex_string(begin, Token::Kind::string);
  ++position_;
  switch (c) {
    case '%': return lex_identifier(begin, Token::Kind::percent_id, kSuffixPunctuation);
    case '^': return lex_identifier(begin, Token::Kind::caret_id, kSuffixPunctuation);
    case '#': return lex_identifier(begin, Token::Kind::hash_id, kSuffixPunctuation);
    case '!': return lex_identifier(begin, Token::Kind::bang_id, kSuffixPunctuation);
    case '@':
      return peek() == '"' ? lex_string(begin, Token::Kind::at_id)
                           : lex_identifier(begin, Token::Kind::at_id, kSuffixPunctuation);
    case '-':
      if (peek() != '>') return make(Token::Kind::punctuation, begin);
      ++position_;
      return make(Token::Kind::arrow, begin);
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case '<':
    case '>':
    case ',':
    case ':':
    case '=':
    case '*':
    case '+':
    case '?':
    case '/':
    case '|': return make(Token::Kind::punctuation, begin);
    default: return make(Token::Kind::error, begin);
  }
}

std::string unescape(std::string_view quoted) {
  if (quoted.size() < 2) return "";
  const std::string_view body = quoted.substr(1, quoted.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 >= body.size()) {
      out += body[i];
      continue;
    }
    const char next = body[i + 1];
    if (i + 2 < body.size() && is_hex(next) && is_hex(body[i + 2])) {
      out += static_cast<char>(hex_value(next) * 16 + hex_value(body[i + 2]));
      i += 2;
    } else {
      out += next == 'n' ? '\n' : next == 't' ? '\t' : next;
      ++i;
    }
  }
  return out;
}

}  // namespace lockstep::ir
