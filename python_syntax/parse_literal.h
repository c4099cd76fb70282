// The values of number and string tokens.
// Invariant: decoding is exact (floats: nearest double; integers beyond 64 bits keep their decimal digits) and total:
// every error is reported. Source: docs.python.org/3.12/reference/lexical_analysis.html (escape sequences, numeric
// literals).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "python_syntax/ast.h"
#include "python_syntax/lexer.h"

namespace lockstep::python_syntax {

/// Digits an integer literal may have, as CPython's default limit for decimal text.
inline constexpr std::size_t kMaxIntegerDigits = 4300;

/// Fills `constant` from a Number token's text. False: too long (reported).
bool decode_number(std::string_view text, SourceRange range, ast::Constant& constant, ProblemList& problems);

struct StringForm {
  bool is_raw = false, is_bytes = false, is_format = false, is_unicode_prefixed = false;
  std::size_t prefix_length = 0;
  std::size_t quote_length = 1;
};
/// The form of a String or FStringStart token.
StringForm string_form(std::string_view token_text);

/// Appends the decoded `body` (what is between the quotes, which begins at `offset` in the file) to `out`.
/// `collapse_braces`: "{{" and "}}" stand for one brace. False: a bad escape or character (reported).
bool decode_string_body(std::string_view body, std::uint32_t offset, StringForm form, bool collapse_braces,
                        std::string& out, ProblemList& problems);

/// Appends text with CR and CRLF as LF, as Python reads source.
void append_with_newlines(std::string_view text, std::string& out);

}  // namespace lockstep::python_syntax
