// The tokens of Python text. A token is a kind and a byte range: its text is read from the source when wanted.
// Invariant: ranges are ordered and lie in the file; Newline, Indent, Dedent and EndOfFile may be empty. An `Invalid`
// token stands where the lexer has already reported an error, so that the parser fails there without a second message.
// Source: docs.python.org/3.12/reference/lexical_analysis.html.
#pragma once

#include <cstdint>
#include <string_view>

#include "support/source_file.h"

namespace lockstep::python_syntax {

enum class TokenKind : std::uint8_t {
  EndOfFile,
  Newline,
  Indent,
  Dedent,
  Invalid,
  Name,
  Number,
  String,
  FStringStart,
  FStringMiddle,
  FStringEnd,
  // Operators and delimiters.
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  Comma,
  Colon,
  ColonEqual,
  Semicolon,
  Dot,
  Ellipsis,
  Arrow,
  At,
  AtEqual,
  Equal,
  EqualEqual,
  NotEqual,
  Exclamation,
  Less,
  LessEqual,
  LeftShift,
  LeftShiftEqual,
  Greater,
  GreaterEqual,
  RightShift,
  RightShiftEqual,
  Plus,
  PlusEqual,
  Minus,
  MinusEqual,
  Star,
  StarEqual,
  DoubleStar,
  DoubleStarEqual,
  Slash,
  SlashEqual,
  DoubleSlash,
  DoubleSlashEqual,
  Percent,
  PercentEqual,
  Ampersand,
  AmpersandEqual,
  Bar,
  BarEqual,
  Caret,
  CaretEqual,
  Tilde,
  // Keywords, sorted by spelling.
  KwFalse,
  KwNone,
  KwTrue,
  KwAnd,
  KwAs,
  KwAssert,
  KwAsync,
  KwAwait,
  KwBreak,
  KwClass,
  KwContinue,
  KwDef,
  KwDel,
  KwElif,
  KwElse,
  KwExcept,
  KwFinally,
  KwFor,
  KwFrom,
  KwGlobal,
  KwIf,
  KwImport,
  KwIn,
  KwIs,
  KwLambda,
  KwNonlocal,
  KwNot,
  KwOr,
  KwPass,
  KwRaise,
  KwReturn,
  KwTry,
  KwWhile,
  KwWith,
  KwYield,
};
inline constexpr std::size_t kTokenKinds = static_cast<std::size_t>(TokenKind::KwYield) + 1;

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  SourceRange range;
};

constexpr bool is_keyword(TokenKind kind) { return kind >= TokenKind::KwFalse; }
constexpr bool is_operator(TokenKind kind) { return kind >= TokenKind::LeftParen && kind <= TokenKind::Tilde; }
/// A token that is not layout: its end can end a node.
constexpr bool is_visible(TokenKind kind) { return kind >= TokenKind::Invalid; }

/// The text of an operator or keyword ("+=", "lambda"); a description of the others ("a name", "end of line").
std::string_view spelling(TokenKind kind);
/// The keyword with this text, or Name.
TokenKind keyword_or_name(std::string_view text);
/// The longest operator that `text` begins with, or Invalid.
TokenKind match_operator(std::string_view text);

}  // namespace lockstep::python_syntax
