// Tokens of an asm string: PTX words, and LLVM's operand references ($0, ${0}, $$). Invariant: every token knows its
// byte offset; the text is any bytes, unknown ones become tokens of kind `unknown`. It does not know instructions.
// Source: PTX ISA 8.7 "Syntax"; LLVM Language Reference "Inline Assembler Expressions".
#pragma once

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

}  // namespace lockstep::interpreter::ptx
