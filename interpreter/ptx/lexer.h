// Tokens of an asm string: PTX words, and LLVM's operand references ($0, ${0}, $$). Invariant: every token knows its
// byte offset; the text is any bytes, unknown ones become tokens of kind `unknown`. Not here: instructions. Source: PTX
// ISA 8.7 "Syntax"; LLVM Language Reference "Inline Assembler Expressions".
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::interpreter::ptx {

struct Token {
  enum class Kind : std::uint8_t { word, operand, integer, floating, punctuation, unknown, end } kind = Kind::end;
  std::string text;         // of a word with its dots: "add.s32", "%r1", ".reg", ".v2"
  std::uint64_t value = 0;  // operand number, integer, or bits of the float
  bool is_single = false;   // 0f…: the bits are an f32's
  bool is_unsigned = false;
  std::size_t offset = 0;
};

/// All tokens, the last one of kind `end`.
std::vector<Token> tokenize(std::string_view text);

/// A place among the tokens of a text, for reading in order. After the last one it stays at the end.
class TokenCursor {
 protected:
  explicit TokenCursor(std::string_view text) : tokens_(tokenize(text)) {}
  ~TokenCursor() = default;

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& next() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool is(std::string_view punctuation) const {
    return peek().kind == Token::Kind::punctuation && peek().text == punctuation;
  }
  bool accept(std::string_view punctuation) {
    if (!is(punctuation)) return false;
    next();
    return true;
  }

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace lockstep::interpreter::ptx
