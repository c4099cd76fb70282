#include "python_syntax/token.h"

#include <algorithm>
#include <array>

namespace lockstep::python_syntax {
namespace {

constexpr std::array<std::string_view, kTokenKinds> kSpellings = {"end of file",
                                                                  "end of line",
                                                                  "indent",
                                                                  "dedent",
                                                                  "invalid text",
                                                                  "a name",
                                                                  "a number",
                                                                  "a string",
                                                                  "an f-string",
                                                                  "f-string text",
                                                                  "end of f-string",
                                                                  "(",
                                                                  ")",
                                                                  "[",
                                                                  "]",
                                                                  "{",
                                                                  "}",
                                                                  ",",
                                                                  ":",
                                                                  ":=",
                                                                  ";",
                                                                  ".",
                                                                  "...",
                                                                  "->",
                                                                  "@",
                                                                  "@=",
                                                                  "=",
                                                                  "==",
                                                                  "!=",
                                                                  "!",
                                                                  "<",
                                                                  "<=",
                                                                  "<<",
                                                                  "<<=",
                                                                  ">",
                                                                  ">=",
                                                                  ">>",
                                                                  ">>=",
                                                                  "+",
                                                                  "+=",
                                                                  "-",
                                                                  "-=",
                                                                  "*",
                                                                  "*=",
                                                                  "**",
                                                                  "**=",
                                                                  "/",
                                                                  "/=",
                                                                  "//",
                                                                  "//=",
                                                                  "%",
                                                                  "%=",
                                                                  "&",
                                                                  "&=",
                                                                  "|",
                                                                  "|=",
                                                                  "^",
                                                                  "^=",
                                                                  "~",
                                                                  "False",
                                                                  "None",
                                                                  "True",
                                                                  "and",
                                                                  "as",
                                                                  "assert",
                                                                  "async",
                                                                  "await",
                                                                  "break",
                                                                  "class",
                                                                  "continue",
                                                                  "def",
                                                                  "del",
                                                                  "elif",
                                                                  "else",
                                                                  "except",
                                                                  "finally",
                                                                  "for",
                                                                  "from",
                                                                  "global",
                                                                  "if",
                                                                  "import",
                                                                  "in",
                                                                  "is",
                                                                  "lambda",
                                                                  "nonlocal",
                                                                  "not",
                                                                  "or",
                                                                  "pass",
                                                                  "raise",
                                                                  "return",
                                                                  "try",
                                                                  "while",
                                                                  "with",
                                                                  "yield"};
static_assert(kSpellings.back() == "yield" && kSpellings[static_cast<std::size_t>(TokenKind::Tilde)] == "~");

constexpr std::size_t kFirstOperator = static_cast<std::size_t>(TokenKind::LeftParen);
constexpr std::size_t kFirstKeyword = static_cast<std::size_t>(TokenKind::KwFalse);

/// For each first byte, the operators that start with it, longest first; Invalid ends a row.
struct OperatorTable {
  static constexpr std::size_t kRow = 5;
  std::array<std::array<TokenKind, kRow>, 128> rows{};
};

constexpr OperatorTable make_operator_table() {
  OperatorTable table;
  for (auto& row : table.rows) row.fill(TokenKind::Invalid);
  for (std::size_t length = 3; length > 0; --length) {
    for (std::size_t i = kFirstOperator; i < kFirstKeyword; ++i) {
      if (kSpellings[i].size() != length) continue;
      auto& row = table.rows[static_cast<unsigned char>(kSpellings[i][0])];
      std::size_t place = 0;
      while (row[place] != TokenKind::Invalid) ++place;
      row[place] = static_cast<TokenKind>(i);
    }
  }
  return table;
}
constexpr OperatorTable kOperators = make_operator_table();

}  // namespace

std::string_view spelling(TokenKind kind) { return kSpellings[static_cast<std::size_t>(kind)]; }

TokenKind keyword_or_name(std::string_view text) {
  if (text.size() < 2 || text.size() > 8) return TokenKind::Name;
  const auto* first = kSpellings.data() + kFirstKeyword;
  const auto* last = kSpellings.data() + kSpellings.size();
  const auto* found = std::lower_bound(first, last, text);
  return found != last && *found == text ? static_cast<TokenKind>(found - kSpellings.data()) : TokenKind::Name;
}

TokenKind match_operator(std::string_view text) {
  if (text.empty() || static_cast<unsigned char>(text[0]) >= kOperators.rows.size()) return TokenKind::Invalid;
  for (TokenKind kind : kOperators.rows[static_cast<unsigned char>(text[0])]) {
    if (kind == TokenKind::Invalid) break;
    if (text.starts_with(spelling(kind))) return kind;
  }
  return TokenKind::Invalid;
}

}  // namespace lockstep::python_syntax
