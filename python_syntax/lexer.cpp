#include "python_syntax/lexer.h"

#include <algorithm>
#include <utility>

#include "python_syntax/lexer_state.h"

namespace lockstep::python_syntax {

std::vector<Token> tokenize(const SourceFile& file, ProblemList& problems) {
  return Lexer(file.text(), problems).run();
}

std::vector<Token> Lexer::run() {
  tokens_.reserve(text_.size() / 3 + 8);
  if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
  while (position_ < text_.size()) {
    if (!frames_.empty() && frames_.back().kind != FrameKind::expression) {
      lex_fstring_text();
    } else if (at_line_start_ && brackets_.empty()) {
      lex_indentation();
    } else {
      lex_token();
    }
  }
  finish();
  return std::move(tokens_);
}

void Lexer::emit(TokenKind kind, std::uint32_t begin, std::uint32_t end) {
  if (is_visible(kind)) line_has_tokens_ = true;
  tokens_.push_back({kind, {begin, end}});
}

void Lexer::finish() {
  if (!frames_.empty()) {
    report_unterminated_fstring(frames_.size() - 1);
    abandon_fstring();
  }
  if (!brackets_.empty()) abandon_brackets();
  end_logical_line(position_);
  for (; indents_.size() > 1; indents_.pop_back()) emit(TokenKind::Dedent, position_, position_);
  emit(TokenKind::EndOfFile, position_, position_);
}

void Lexer::end_logical_line(std::uint32_t begin) {
  if (line_has_tokens_) emit(TokenKind::Newline, begin, position_);
  line_has_tokens_ = false;
  line_is_unbalanced_ = false;
  at_line_start_ = true;
}

bool Lexer::skip_newline() {
  char c = peek();
  if (c == '\r') {
    position_ += peek(1) == '\n' ? 2u : 1u;
    return true;
  }
  if (c == '\n' && position_ < text_.size()) {
    ++position_;
    return true;
  }
  return false;
}

void Lexer::skip_to_end_of_line() {
  std::size_t end = text_.find_first_of("\r\n", position_);
  position_ = static_cast<std::uint32_t>(end == std::string_view::npos ? text_.size() : end);
}

// ---- Indentation ----

Lexer::Indent Lexer::measure_indentation() {
  constexpr std::uint32_t kTab =
      8;  // fixed by the language; `alternate` counts a tab as one, to find inconsistent mixes
  Indent indent, continued;
  for (bool is_continued = false; position_ < text_.size();) {
    char c = text_[position_];
    if (c == ' ') {
      ++indent.column, ++indent.alternate;
    } else if (c == '\t') {
      indent.column = (indent.column / kTab + 1) * kTab;
      ++indent.alternate;
    } else if (c == '\f') {
      indent = {};
    } else if (c == '\\' && (peek(1) == '\n' || peek(1) == '\r')) {
      if (!is_continued) continued = indent;
      is_continued = true;
      ++position_;
      skip_newline();
      continue;
    } else {
      return is_continued && continued.column > 0 ? continued : indent;
    }
    ++position_;
  }
  return indent;
}

void Lexer::lex_indentation() {
  std::uint32_t line_begin = position_;
  Indent indent = measure_indentation();
  if (peek() == '#') skip_to_end_of_line();
  if (position_ >= text_.size() || skip_newline()) return;  // a blank line does not count
  at_line_start_ = false;
  const Indent& current = indents_.back();
  if (indent.column > current.column) {
    if (indent.alternate <= current.alternate) report_mixed_tabs(line_begin);
    indents_.push_back(indent);
    emit(TokenKind::Indent, line_begin, position_);
  } else if (indent.column < current.column) {
    lex_dedents(indent, line_begin);
  } else if (indent.alternate != current.alternate) {
    report_mixed_tabs(line_begin);
  }
  line_has_tokens_ = false;
}

void Lexer::lex_dedents(Indent indent, std::uint32_t line_begin) {
  while (indents_.back().column > indent.column) {
    indents_.pop_back();
    emit(TokenKind::Dedent, position_, position_);
  }
  if (indents_.back().column != indent.column) {
    problems_.report("LS1202", "unindent does not match any outer indentation level", {line_begin, position_},
                     "indent this line exactly as far as the block that it belongs to");
  } else if (indents_.back().alternate != indent.alternate) {
    report_mixed_tabs(line_begin);
  }
}

void Lexer::report_mixed_tabs(std::uint32_t line_begin) {
  problems_.report("LS1202", "inconsistent use of tabs and spaces in indentation", {line_begin, position_},
                   "indent with spaces only");
}

// ---- Tokens ----

void Lexer::lex_token() {
  char c = text_[position_];
  if (c == ' ' || c == '\t' || c == '\f') {
    ++position_;
  } else if (c == '\n' || c == '\r') {
    lex_newline();
  } else if (c == '#') {
    skip_to_end_of_line();
  } else if (c == '\\') {
    lex_continuation();
  } else if (is_name_start(c)) {
    if (!lex_string_if_any()) lex_name();
    is_line_first_ = false;
  } else {
    is_line_first_ = false;
    if (is_decimal_digit(c) || (c == '.' && is_decimal_digit(peek(1)))) return lex_number();
    if (c == '"' || c == '\'') return lex_string(position_);
    lex_operator();
  }
}

void Lexer::lex_newline() {
  std::uint32_t begin = position_;
  skip_newline();
  is_line_first_ = true;
  if (brackets_.empty()) end_logical_line(begin);
}

void Lexer::lex_continuation() {
  std::uint32_t begin = position_++;
  bool is_joined = skip_newline();
  if (is_joined && position_ < text_.size()) return;
  if (position_ >= text_.size()) {
    problems_.report("LS1201", "unexpected end of file after a line continuation", {begin, begin + 1});
    return emit(TokenKind::Invalid, begin, position_);
  }
  skip_to_end_of_line();
  problems_.report("LS1205", "unexpected text after the line continuation character '\\'", {begin, position_},
                   "'\\' joins lines only as the last character of a line");
  emit(TokenKind::Invalid, begin, position_);
}

namespace {

/// Keywords that begin a statement and cannot occur inside brackets.
bool is_statement_keyword(TokenKind kind) {
  switch (kind) {
    case TokenKind::KwAssert:
    case TokenKind::KwBreak:
    case TokenKind::KwClass:
    case TokenKind::KwContinue:
    case TokenKind::KwDef:
    case TokenKind::KwDel:
    case TokenKind::KwElif:
    case TokenKind::KwExcept:
    case TokenKind::KwFinally:
    case TokenKind::KwGlobal:
    case TokenKind::KwImport:
    case TokenKind::KwNonlocal:
    case TokenKind::KwPass:
    case TokenKind::KwRaise:
    case TokenKind::KwReturn:
    case TokenKind::KwTry:
    case TokenKind::KwWhile:
    case TokenKind::KwWith: return true;
    default: return false;
  }
}

}  // namespace

void Lexer::lex_name() {
  std::uint32_t begin = position_;
  while (position_ < text_.size() && is_name_part(text_[position_])) {
    if (static_cast<unsigned char>(text_[position_]) < 0x80) {
      ++position_;
    } else if (std::uint32_t length = name_character_length(text_, position_); length > 0) {
      position_ += length;
    } else if (position_ == begin) {
      return lex_bad_character();
    } else {
      break;
    }
  }
  TokenKind kind = keyword_or_name(text_.substr(begin, position_ - begin));
  if (is_line_first_ && !brackets_.empty() && is_statement_keyword(kind)) {
    position_ = begin;
    return recover_at_statement();
  }
  emit(kind, begin, position_);
}

void Lexer::recover_at_statement() {
  std::uint32_t begin = position_;
  frames_.clear();
  abandon_brackets();
  end_logical_line(begin);
  std::size_t newline = text_.substr(0, begin).find_last_of("\r\n");
  position_ = newline == std::string_view::npos ? 0 : static_cast<std::uint32_t>(newline + 1);
  is_line_first_ = false;
}

void Lexer::lex_bad_character() {
  std::uint32_t begin = position_;
  BadCharacter bad = describe_bad_character(text_, position_);
  position_ += bad.length;
  problems_.report("LS1205", bad.message, {begin, position_}, bad.hint);
  // A run of such characters is one mistake.
  while (position_ < text_.size() && static_cast<unsigned char>(text_[position_]) >= 0x80 &&
         name_character_length(text_, position_) == 0) {
    ++position_;
  }
  emit(TokenKind::Invalid, begin, position_);
}

void Lexer::lex_operator() {
  std::uint32_t begin = position_;
  TokenKind kind = match_operator(text_.substr(position_, 3));
  if (kind == TokenKind::Invalid) return lex_bad_character();
  bool in_replacement = !frames_.empty() && brackets_.size() == frames_.back().bracket_base + 1;
  if (in_replacement && kind == TokenKind::ColonEqual) kind = TokenKind::Colon;  // f"{x:=5}" has the spec "=5"
  position_ += static_cast<std::uint32_t>(spelling(kind).size());
  switch (kind) {
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace: brackets_.push_back({text_[begin], begin}); break;
    case TokenKind::RightParen:
    case TokenKind::RightBracket:
    case TokenKind::RightBrace: return lex_closing(kind, begin);
    case TokenKind::Colon:
      emit(kind, begin, position_);
      if (in_replacement) push_format_spec();
      return;
    default: break;
  }
  emit(kind, begin, position_);
}

// ---- Brackets ----

namespace {

char opening_of(TokenKind closing) {
  return closing == TokenKind::RightParen ? '(' : closing == TokenKind::RightBracket ? '[' : '{';
}

}  // namespace

void Lexer::lex_closing(TokenKind kind, std::uint32_t begin) {
  bool in_replacement = !frames_.empty() && brackets_.size() == frames_.back().bracket_base + 1;
  if (!brackets_.empty() && brackets_.back().bracket == opening_of(kind)) {
    brackets_.pop_back();
    emit(kind, begin, position_);
    if (in_replacement) frames_.pop_back();
    return;
  }
  report_unbalanced(kind, begin);
  if (!brackets_.empty()) pop_to_matching(opening_of(kind));
  emit(TokenKind::Invalid, begin, position_);
}

void Lexer::report_unbalanced(TokenKind closing, std::uint32_t begin) {
  if (std::exchange(line_is_unbalanced_, true)) return;  // one mistake makes many of these
  std::string text(spelling(closing));
  if (brackets_.empty()) {
    problems_.report("LS1206", "unmatched '" + text + "'", {begin, position_});
    return;
  }
  Bracket open = brackets_.back();
  problems_.report("LS1206", "closing '" + text + "' does not match '" + open.bracket + "'", {begin, position_})
      .add_note(std::string("'") + open.bracket + "' was opened here", {open.offset, open.offset + 1});
}

void Lexer::pop_to_matching(char opening) {
  constexpr std::size_t kReach = 8;  // keeps the search constant: "((((...]]]]..." stays linear
  std::size_t floor = frames_.empty() ? 0 : frames_.back().bracket_base + 1;
  for (std::size_t i = brackets_.size(), step = 0; i > floor && step < kReach; --i, ++step) {
    if (brackets_[i - 1].bracket != opening) continue;
    brackets_.resize(i - 1);
    return;
  }
  if (brackets_.size() > floor) brackets_.pop_back();  // the wrong kind of bracket was typed
}

void Lexer::abandon_brackets() {
  Bracket open = brackets_.back();
  if (!line_is_unbalanced_) {
    problems_.report("LS1206", std::string("'") + open.bracket + "' was never closed", {open.offset, open.offset + 1});
  }
  brackets_.clear();
  emit(TokenKind::Invalid, position_, position_);
}

}  // namespace lockstep::python_syntax
