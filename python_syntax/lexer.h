// Python text -> tokens: indentation, line joining, comments, and where literals begin and end (their values are
// decoded by python_syntax/parse_literal.cpp). An f-string becomes FStringStart, FStringMiddle, `{` ... `}`,
// FStringEnd, as in Python 3.12. Invariant: any bytes give a token list that ends in Newline (if there is anything),
// the open Dedents and EndOfFile, in which Indent and Dedent balance; time and memory are linear in the text. Every
// Invalid token has a problem reported for it. Source: docs.python.org/3.12/reference/lexical_analysis.html; PEP 701
// (f-strings).
#pragma once

#include <vector>

#include "python_syntax/problem_list.h"
#include "python_syntax/token.h"

namespace lockstep::python_syntax {

/// All tokens of the file.
std::vector<Token> tokenize(const SourceFile& file, ProblemList& problems);

/// Bytes that may begin or continue a name; every byte of a non-ASCII character counts (see the lexer for which are
/// refused).
constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_name_part(char c) { return is_name_start(c) || is_decimal_digit(c); }

}  // namespace lockstep::python_syntax
