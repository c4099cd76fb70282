#include "python_syntax/token_cursor.h"

namespace lockstep::python_syntax {

TokenCursor::TokenCursor(SourceFilePtr file, std::vector<Token> tokens, ProblemList& problems)
    : file_(std::move(file)), text_(file_->text()), tokens_(std::move(tokens)), problems_(problems) {}

// ---- Cursor ----

std::string_view TokenCursor::text_of(SourceRange range) const {
  return text_.substr(range.begin, range.end - range.begin);
}

void TokenCursor::advance() {
  if (is_visible(current().kind)) last_end_ = current().range.end;
  if (position_ + 1 < tokens_.size()) ++position_;
}

bool TokenCursor::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool TokenCursor::at_end_of_statement() const {
  return at(TokenKind::Newline) || at(TokenKind::Semicolon) || at(TokenKind::EndOfFile);
}

bool TokenCursor::begins_expression(TokenKind kind) {
  switch (kind) {
    case TokenKind::Name:
    case TokenKind::Number:
    case TokenKind::String:
    case TokenKind::FStringStart:
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace:
    case TokenKind::Ellipsis:
    case TokenKind::Plus:
    case TokenKind::Minus:
    case TokenKind::Tilde:
    case TokenKind::Star:
    case TokenKind::KwNot:
    case TokenKind::KwLambda:
    case TokenKind::KwAwait:
    case TokenKind::KwNone:
    case TokenKind::KwTrue:
    case TokenKind::KwFalse:
    case TokenKind::Invalid: return true;
    default: return false;
  }
}

std::size_t TokenCursor::line_end() {
  if (line_end_ < position_) line_end_ = position_;
  while (tokens_[line_end_].kind != TokenKind::Newline && tokens_[line_end_].kind != TokenKind::EndOfFile) ++line_end_;
  return line_end_;
}

// ---- Errors ----

/// The lexer has already reported a problem in the rest of this line: the parser's message would only confuse.
bool TokenCursor::line_is_reported() const {
  for (std::size_t i = position_; i < tokens_.size() && tokens_[i].kind != TokenKind::Newline; ++i) {
    if (tokens_[i].kind == TokenKind::Invalid) return true;
  }
  return false;
}

bool TokenCursor::fail(DiagnosticCode code, std::string message, SourceRange range, std::string hint) {
  has_reported_ = !is_aborted_ && !line_is_reported();
  if (has_reported_) problems_.report(code, std::move(message), range, std::move(hint));
  return false;
}

void TokenCursor::note(std::string message, SourceRange range) {
  if (has_reported_) problems_.add_note(std::move(message), range);
}

bool TokenCursor::fail_expected(std::string_view expected) {
  if (is_aborted_ || at(TokenKind::Invalid)) return false;
  const Token& token = current();
  return fail("LS1201", "expected " + std::string(expected) + ", found " + describe(token), token.range, hint_here());
}

std::string TokenCursor::describe(const Token& token) const {
  if (is_operator(token.kind) || is_keyword(token.kind)) return "'" + std::string(spelling(token.kind)) + "'";
  constexpr std::size_t kShown = 32;
  bool is_short = token.range.end - token.range.begin <= kShown;
  if (is_short && (token.kind == TokenKind::Name || token.kind == TokenKind::Number)) {
    return "'" + std::string(text_of(token)) + "'";
  }
  return std::string(spelling(token.kind));
}

std::string TokenCursor::hint_here() const {
  TokenKind here = current().kind, before = previous().kind;
  bool touches = previous().range.end == current().range.begin;
  if (here == TokenKind::Exclamation) return "negation is 'not x'";
  if (here == TokenKind::Ampersand && before == here && touches) return "Python's logical operators are 'and' and 'or'";
  if (here == TokenKind::Bar && before == here && touches) return "Python's logical operators are 'and' and 'or'";
  if (here == TokenKind::Greater && before == TokenKind::Less && touches) return "'<>' is Python 2; write !=";
  if (here == TokenKind::KwIf && before == TokenKind::KwElse) return "write 'elif'";
  if (here == TokenKind::Equal) return "'=' assigns; compare with '=='";
  bool ends = here == TokenKind::Newline || here == TokenKind::RightParen;
  bool doubled = position_ >= 2 && tokens_[position_ - 2].kind == before;
  if (ends && doubled && (before == TokenKind::Plus || before == TokenKind::Minus)) {
    return before == TokenKind::Plus ? "Python has no '++'; write x += 1" : "Python has no '--'; write x -= 1";
  }
  if (is_keyword(here)) return "'" + std::string(spelling(here)) + "' is a keyword of Python";
  return {};
}

bool TokenCursor::expect(TokenKind kind) {
  return accept(kind) || fail_expected("'" + std::string(spelling(kind)) + "'");
}

bool TokenCursor::expect_closing(TokenKind kind, SourceRange opening) {
  if (accept(kind)) return true;
  if (is_aborted_ || at(TokenKind::Invalid)) return false;
  std::string hint = hint_here();
  if (hint.empty() && begins_expression(current().kind)) hint = "is a comma missing before this?";
  fail("LS1201", "expected ',' or '" + std::string(spelling(kind)) + "', found " + describe(current()), current().range,
       hint);
  note("in the brackets opened here", opening);
  return false;
}

bool TokenCursor::expect_name(std::string& name, std::string_view what) {
  if (!at(TokenKind::Name)) return fail_expected(what);
  name = text_of(current());
  advance();
  return true;
}

bool TokenCursor::abort_too_deep() {
  if (!is_aborted_) {
    problems_.report("LS1290", "nested too deeply here", current().range,
                     "split the expression or the block into smaller parts");
    position_ = tokens_.size() - 1;
    is_aborted_ = true;
  }
  return true;
}

}  // namespace lockstep::python_syntax
