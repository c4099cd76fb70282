// Tokens of MLIR text. The lexer works on demand and can be moved to any offset, because shapes ("64x32xf16") and
// opaque dialect text must be read by the character. It never fails: an unknown byte is an `error` token. Source: MLIR
// LangRef, "Top level productions".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::ir {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    error,
    unterminated_string,
    bare_id,      // tt.load, f32, loc
    percent_id,   // %x, %3, %x#1 is two tokens
    caret_id,     // ^bb1
    at_id,        // @f, @"f g"
    hash_id,      // #loc1, #0
    bang_id,      // !tt.ptr
    integer,      // 64, 0xFF
    floating,     // 1.5e+00
    string,       // "..."
    arrow,        // ->
    punctuation,  // one character
  } kind = Kind::end;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view text;  // as written

  bool is(Kind k) const { return kind == k; }
  bool is(char c) const { return kind == Kind::punctuation && text.size() == 1 && text[0] == c; }
  bool is_word(std::string_view word) const { return kind == Kind::bare_id && text == word; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();
  std::uint32_t offset() const { return position_; }
  void move_to(std::uint32_t offset) { position_ = offset; }
  std::string_view text() const { return text_; }

 private:
  void skip_blanks();
  Token make(Token::Kind kind, std::uint32_t begin) const;
  Token lex_number(std::uint32_t begin);
  Token lex_string(std::uint32_t begin, Token::Kind kind);
  Token lex_identifier(std::uint32_t begin, Token::Kind kind, std::string_view punctuation);
  char peek(std::uint32_t ahead = 0) const;

  std::string_view text_;
  std::uint32_t position_ = 0;
};

/// The bytes of a quoted token ("a\22b" -> a"b). `quoted` includes the quotes.
std::string unescape(std::string_view quoted);

}  // namespace lockstep::ir
