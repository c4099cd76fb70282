// The lexer at work: one pass over the text with three stacks (indentation, open brackets, open f-strings). Private to
// python_syntax/lexer*.cpp; others include python_syntax/lexer.h.
// Invariant: each step either consumes text or pops a stack, so that it ends; `brackets_` of an f-string expression
// begins with the `{` that its frame pushed at index `bracket_base`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "python_syntax/problem_list.h"
#include "python_syntax/token.h"

namespace lockstep::python_syntax {

/// Bytes of the UTF-8 character at `position` if it may be part of a name, else 0. An approximation of Unicode's XID
/// properties: refuses malformed text, blanks, punctuation and symbol blocks.
std::uint32_t name_character_length(std::string_view text, std::size_t position);

struct BadCharacter {
  std::uint32_t length = 1;
  std::string message, hint;
};
BadCharacter describe_bad_character(std::string_view text, std::size_t position);

inline bool is_line_end(char c) { return c == '\n' || c == '\r'; }

class Lexer {
 public:
  Lexer(std::string_view text, ProblemList& problems) : text_(text), problems_(problems) {}
  std::vector<Token> run();

 private:
  struct Indent {
    std::uint32_t column = 0, alternate = 0;  // a tab goes to the next multiple of 8; a tab counts 1
  };
  struct Bracket {
    char bracket;
    std::uint32_t offset;
  };
  enum class FrameKind : std::uint8_t { literal, expression, format_spec };
  struct Frame {
    FrameKind kind;
    char quote;
    bool is_triple, is_raw;
    std::uint32_t begin;       // literal: of the f-string; expression: of its `{`
    std::size_t bracket_base;  // brackets open outside
  };

  char peek(std::size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }
  void emit(TokenKind kind, std::uint32_t begin, std::uint32_t end);
  void finish();
  void end_logical_line(std::uint32_t begin);
  bool skip_newline();
  void skip_to_end_of_line();

  Indent measure_indentation();
  void lex_indentation();
  void lex_dedents(Indent indent, std::uint32_t line_begin);
  void report_mixed_tabs(std::uint32_t line_begin);

  void lex_token();
  void lex_newline();
  void lex_continuation();
  void lex_name();
  void recover_at_statement();
  void lex_bad_character();
  void lex_operator();
  void lex_closing(TokenKind kind, std::uint32_t begin);
  void report_unbalanced(TokenKind closing, std::uint32_t begin);
  void pop_to_matching(char opening);
  void abandon_brackets();

  void lex_number();

  bool lex_string_if_any();
  void lex_string(std::uint32_t begin);
  void lex_plain_string(std::uint32_t begin, char quote, bool is_triple);
  void forget_brackets_of_line();
  bool at_quote(char quote, bool is_triple) const;
  void skip_escape();

  void begin_fstring(std::uint32_t begin, char quote, bool is_triple, bool is_raw);
  void lex_fstring_text();
  bool lex_fstring_special(std::uint32_t& text_begin);
  bool lex_fstring_brace(std::uint32_t& text_begin);
  void emit_fstring_text(std::uint32_t begin);
  void skip_fstring_escape(bool is_raw);
  void push_format_spec();
  void end_fstring_badly();
  void report_unterminated_fstring(std::size_t frame);
  void abandon_fstring();

  std::string_view text_;
  ProblemList& problems_;
  std::vector<Token> tokens_;
  std::uint32_t position_ = 0;
  std::vector<Indent> indents_{{}};
  std::vector<Bracket> brackets_;
  std::vector<Frame> frames_;
  bool at_line_start_ = true;   // of a logical line
  bool is_line_first_ = false;  // no token yet on this physical line
  bool line_has_tokens_ = false;
  bool line_is_unbalanced_ = false;  // a bracket of this logical line has been reported
};

}  // namespace lockstep::python_syntax
