// The lexer's literals: numbers, strings and f-strings. Only extents are found here.
#include <algorithm>
#include <utility>

#include "python_syntax/lexer.h"
#include "python_syntax/lexer_number.h"
#include "python_syntax/lexer_state.h"

namespace lockstep::python_syntax {

// ---- Numbers ----

void Lexer::lex_number() {
  const std::uint32_t begin = position_;
  const ScannedNumber number = scan_number(text_, begin);
  position_ = number.end;
  if (number.is_good) return emit(TokenKind::Number, begin, position_);
  std::uint32_t digits_end = position_;
  while (is_name_part(peek())) ++position_;
  std::string text(text_.substr(begin, std::min<std::uint32_t>(position_ - begin, 40)));
  bool is_long = position_ == digits_end + 1 && (text_[digits_end] | 0x20) == 'l';
  if (is_long) {
    problems_.report("LS1212", "the suffix of '" + text + "' is Python 2", {begin, position_}, "leave out the 'L'");
  } else if (text[0] == '0' && text.size() > 1 && is_decimal_digit(text[1])) {
    problems_.report("LS1204", "'" + text + "': an integer cannot have leading zeros", {begin, position_},
                     "write octal numbers as 0o" + text.substr(1));
  } else {
    problems_.report("LS1204", "'" + text + "' is not a number", {begin, position_});
  }
  emit(TokenKind::Invalid, begin, position_);
}

// ---- Strings ----

bool Lexer::lex_string_if_any() {
  std::size_t length = 0;
  bool has_raw = false, has_bytes = false, has_unicode = false, has_format = false;
  for (;; ++length) {
    char c = peek(length);
    if (c == '"' || c == '\'') break;
    switch (c | 0x20) {
      case 'r':
        if (std::exchange(has_raw, true)) return false;
        break;
      case 'b':
        if (std::exchange(has_bytes, true)) return false;
        break;
      case 'u':
        if (std::exchange(has_unicode, true)) return false;
        break;
      case 'f':
        if (std::exchange(has_format, true)) return false;
        break;
      default: return false;
    }
  }
  if ((has_bytes && has_format) || (has_unicode && (has_raw || has_bytes || has_format))) return false;
  std::uint32_t begin = position_;
  position_ += static_cast<std::uint32_t>(length);
  lex_string(begin);
  return true;
}

void Lexer::lex_string(std::uint32_t begin) {
  char quote = peek();
  bool is_triple = peek(1) == quote && peek(2) == quote;
  std::string_view prefix = text_.substr(begin, position_ - begin);
  position_ += is_triple ? 3 : 1;
  if (prefix.find_first_of("fF") != std::string_view::npos) {
    begin_fstring(begin, quote, is_triple, prefix.find_first_of("rR") != std::string_view::npos);
  } else {
    lex_plain_string(begin, quote, is_triple);
  }
}

bool Lexer::at_quote(char quote, bool is_triple) const {
  return peek() == quote && (!is_triple || (peek(1) == quote && peek(2) == quote));
}

void Lexer::skip_escape() {
  ++position_;
  if (!skip_newline() && position_ < text_.size()) ++position_;
}

void Lexer::lex_plain_string(std::uint32_t begin, char quote, bool is_triple) {
  while (position_ < text_.size()) {
    if (at_quote(quote, is_triple)) {
      position_ += is_triple ? 3 : 1;
      return emit(TokenKind::String, begin, position_);
    }
    if (!is_triple && is_line_end(peek())) break;
    if (text_[position_] == '\\') {
      skip_escape();
    } else {
      ++position_;
    }
  }
  if (!frames_.empty() && frames_.back().quote == quote && !is_triple) {
    // f"{x": the quote was meant to end the f-string.
    report_unterminated_fstring(frames_.size() - 1);
    return abandon_fstring();
  }
  problems_.report("LS1203", is_triple ? "unterminated triple-quoted string" : "unterminated string",
                   {begin, is_triple ? begin + 3 : position_},
                   is_triple ? "" : std::string("close it with ") + quote + ", or use triple quotes for several lines");
  emit(TokenKind::Invalid, begin, position_);
  if (!frames_.empty() && !frames_.back().is_triple) return abandon_fstring();
  if (!is_triple) forget_brackets_of_line();
}

/// An unterminated string has swallowed the brackets that would close those of its line.
void Lexer::forget_brackets_of_line() {
  line_is_unbalanced_ = true;
  std::size_t newline = text_.substr(0, position_).find_last_of("\r\n");
  std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  std::size_t floor = frames_.empty() ? 0 : frames_.back().bracket_base + 1;
  while (brackets_.size() > floor && brackets_.back().offset >= line_begin) brackets_.pop_back();
}

// ---- f-strings ----

void Lexer::begin_fstring(std::uint32_t begin, char quote, bool is_triple, bool is_raw) {
  emit(TokenKind::FStringStart, begin, position_);
  frames_.push_back({FrameKind::literal, quote, is_triple, is_raw, begin, brackets_.size()});
}

void Lexer::emit_fstring_text(std::uint32_t begin) {
  if (position_ > begin) emit(TokenKind::FStringMiddle, begin, position_);
}

void Lexer::lex_fstring_text() {
  const Frame frame = frames_.back();
  std::uint32_t text_begin = position_;
  while (position_ < text_.size()) {
    char c = text_[position_];
    if (at_quote(frame.quote, frame.is_triple)) {
      if (frame.kind == FrameKind::format_spec) break;
      emit_fstring_text(text_begin);
      std::uint32_t begin = position_;
      position_ += frame.is_triple ? 3 : 1;
      frames_.pop_back();
      return emit(TokenKind::FStringEnd, begin, position_);
    }
    if (c == '{' || c == '}') {
      if (lex_fstring_brace(text_begin)) return;
    } else if (c == '\\') {
      skip_fstring_escape(frame.is_raw);
    } else if (!frame.is_triple && is_line_end(peek())) {
      break;
    } else {
      ++position_;
    }
  }
  if (position_ >= text_.size()) return;  // finish() reports it
  report_unterminated_fstring(frames_.size() - 1);
  skip_to_end_of_line();
  abandon_fstring();
}

bool Lexer::lex_fstring_brace(std::uint32_t& text_begin) {
  const Frame frame = frames_.back();
  char c = text_[position_];
  if (frame.kind == FrameKind::literal && peek(1) == c) {
    position_ += 2;
    return false;
  }
  emit_fstring_text(text_begin);
  std::uint32_t begin = position_;
  if (c == '{') {
    ++position_;
    emit(TokenKind::LeftBrace, begin, position_);
    frames_.push_back({FrameKind::expression, frame.quote, frame.is_triple, frame.is_raw, begin, brackets_.size()});
    brackets_.push_back({'{', begin});
    return true;
  }
  if (frame.kind == FrameKind::format_spec) {
    frames_.pop_back();
    return true;
  }
  text_begin = ++position_;
  problems_.report("LS1209", "single '}' in an f-string", {begin, position_}, "write '}}' for the character itself");
  emit(TokenKind::Invalid, begin, position_);
  return false;
}

void Lexer::skip_fstring_escape(bool is_raw) {
  char next = peek(1);
  if (next == '{' || next == '}') {
    ++position_;  // the brace keeps its meaning
  } else if (!is_raw && next == 'N' && peek(2) == '{') {
    position_ += 3;
    while (position_ < text_.size() && (is_name_part(peek()) || peek() == ' ' || peek() == '-')) ++position_;
    if (peek() == '}') ++position_;
  } else {
    skip_escape();
  }
}

void Lexer::push_format_spec() {
  Frame frame = frames_.back();
  frame.kind = FrameKind::format_spec;
  frames_.push_back(frame);
}

void Lexer::report_unterminated_fstring(std::size_t frame_index) {
  const Frame& frame = frames_[frame_index];
  if (frame.kind == FrameKind::literal) {
    problems_.report("LS1203", "unterminated f-string", {frame.begin, frame.is_triple ? frame.begin + 1 : position_},
                     std::string("close it with ") + std::string(frame.is_triple ? 3 : 1, frame.quote));
  } else {
    problems_.report("LS1209", "'{' in an f-string was never closed", {frame.begin, frame.begin + 1},
                     "close the expression with '}', or write '{{' for the character itself");
  }
}

void Lexer::abandon_fstring() {
  brackets_.resize(frames_.front().bracket_base);
  frames_.clear();
  emit(TokenKind::Invalid, position_, position_);
  forget_brackets_of_line();
}

}  // namespace lockstep::python_syntax
