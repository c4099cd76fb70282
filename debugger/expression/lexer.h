// Lexer: the words of an expression. Python's numbers, names, strings and operators, and && || ! ? :. Invariant: every
// token lies within the text, in order; any bytes give tokens or an error. Not here: grammar.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "debugger/expression/value.h"

namespace lockstep::debugger {

struct Token {
  enum class Kind : std::uint8_t { end, integer, floating, text, name, symbol } kind = Kind::end;
  std::uint32_t begin = 0, end = 0;
  std::string_view text;     // of the source; of a string what is between its quotes, escapes as written
  std::int64_t integer = 0;  // 64 bits
  double number = 0;
};

/// The last token is `end`. `source` must outlive them.
Expected<std::vector<Token>, ExpressionError> lex_expression(std::string_view source);

}  // namespace lockstep::debugger
