#include "ir/text/parse/token_cursor.h"

#include <algorithm>

namespace lockstep::ir {
namespace {

char closing_of(char open) {
  switch (open) {
    case '<': return '>';
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    default: return '\0';
  }
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  return "'" + std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "...'" : "'");
}

TokenCursor::TokenCursor(SourceFilePtr file, DiagnosticSink& sink)
    : file_(std::move(file)), sink_(sink), lexer_(file_->text()) {}

TokenCursor::Nesting::Nesting(TokenCursor& cursor) : cursor_(cursor) {
  ++cursor_.depth_;
  ++cursor_.weight_;
  cursor_.deepest_ = std::max(cursor_.deepest_, cursor_.depth_);
  ok_ = cursor_.depth_ <= kMaxNesting;
  if (!ok_) {
    cursor_.error({cursor_.token_.begin, cursor_.token_.end}, "LS1009",
                  "nested more than " + std::to_string(kMaxNesting) + " levels deep");
  }
}

void TokenCursor::advance() {
  last_end_ = token_.end;
  token_ = lexer_.next();
}

Token TokenCursor::take() {
  const Token token = token_;
  advance();
  return token;
}

void TokenCursor::move_to(std::uint32_t offset) {
  lexer_.move_to(offset);
  token_ = lexer_.next();
}

bool TokenCursor::consume(char c) {
  if (!token_.is(c)) return false;
  advance();
  return true;
}

bool TokenCursor::consume_word(std::string_view word) {
  if (!token_.is_word(word)) return false;
  advance();
  return true;
}

bool TokenCursor::consume_arrow() {
  if (!token_.is(Token::Kind::arrow)) return false;
  advance();
  return true;
}

bool TokenCursor::expect(char c) { return consume(c) || error_here(std::string("'") + c + "'"); }
bool TokenCursor::expect_word(std::string_view word) {
  return consume_word(word) || error_here("'" + std::string(word) + "'");
}
bool TokenCursor::expect_arrow() { return consume_arrow() || error_here("'->'"); }

bool TokenCursor::error(SourceRange range, DiagnosticCode code, std::string message, std::string hint) {
  failed_ = true;
  sink_.report({Severity::error, code, std::move(message), {file_, range}, {}, std::move(hint)});
  return false;
}

bool TokenCursor::error_here(std::string_view expected) {
  const SourceRange range{token_.begin, token_.end};
  if (token_.is(Token::Kind::unterminated_string))
    return error(range, "LS1015", "this string does not end on its line");
  if (token_.is(Token::Kind::error)) return error(range, "LS1015", "a character that has no meaning here");
  const std::string found = token_.is(Token::Kind::end) ? "the end of the file" : in_quotes(token_.text);
  return error(range, "LS1001", "expected " + std::string(expected) + ", found " + found);
}

bool TokenCursor::error_with_note(SourceRange range, DiagnosticCode code, std::string message, std::string note,
                                  SourceRange noted) {
  failed_ = true;
  sink_.report({Severity::error, code, std::move(message), {file_, range}, {{std::move(note), {file_, noted}}}, ""});
  return false;
}

bool TokenCursor::unsupported(SourceRange range, DiagnosticCode code, std::string message, std::string hint) {
  failed_ = true;
  sink_.report({Severity::unsupported, code, std::move(message), {file_, range}, {}, std::move(hint)});
  return false;
}

bool TokenCursor::parse_uint32(std::uint32_t& value) {
  if (!token_.is(Token::Kind::integer)) return error_here("a number");
  const Token number = take();
  std::uint64_t result = 0;
  for (const char c : number.text) {
    if (c < '0' || c > '9') return error({number.begin, number.end}, "LS1001", "expected a decimal number");
    result = result * 10 + static_cast<std::uint64_t>(c - '0');
    if (result > 0xFFFFFFFFu) return error({number.begin, number.end}, "LS1008", "this number is too large");
  }
  value = static_cast<std::uint32_t>(result);
  return true;
}

bool TokenCursor::skip_balanced() {
  const std::uint32_t end = balanced_end();
  if (end == 0) return false;
  move_to(end);
  last_end_ = end;
  return true;
}

std::uint32_t TokenCursor::balanced_end() {
  const std::string_view text = lexer_.text();
  const std::uint32_t begin = token_.begin;
  std::string open;
  std::uint32_t at = begin;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at) {
        if (text[at] == '\\') ++at;
      }
      continue;
    }
    if (c == '-' && at + 1 < text.size() && text[at + 1] == '>') {
      ++at;
    } else if (closing_of(c) != '\0') {
      open.push_back(closing_of(c));
    } else if (!open.empty() && c == open.back()) {
      open.pop_back();
      if (open.empty()) break;
    } else if (c == '>' || c == ')' || c == ']' || c == '}') {
      error({begin, at + 1}, "LS1001", "brackets do not match");
      return 0;
    }
  }
  if (at < text.size()) return at + 1;
  error({begin, begin + 1}, "LS1001", "this bracket is never closed");
  return 0;
}

}  // namespace lockstep::ir
