// Python text -> tokens: indentation, line joining, comments, and where literals begin and end (their values are
// decoded by python_syntax/parse_literal.cpp). An f-string becomes FStringStart, FStringMiddle, `{` ... `}`,
// FStringEnd, as in Python 3.12. Invariant: any bytes give a token list that ends in Newline (if there is anything),
// the open Dedents and EndOfFile, in which Indent and Dedent balance; time and memory are linear in the text. Every
// Invalid token has a problem reported for it. Source: docs.python.org/3.12/reference/lexical_analysis.html; PEP 701
// (f-strings).
#pragma once

#include <string>
#include <vector>

#include "python_syntax/token.h"
#include "support/diagnostic.h"

namespace lockstep::python_syntax {

/// Diagnostics of one file, handed to the sink in the order of the text (lexer and parser find theirs in turn).
class ProblemList {
 public:
  static constexpr std::size_t kMaxProblems = 2 * DiagnosticSink::kMaxErrors;
  explicit ProblemList(SourceFilePtr file) : file_(std::move(file)) {}
  /// Beyond kMaxProblems errors, and as many warnings, reports are dropped. The result may be given notes with
  /// add_note() until the next report.
  ProblemList& report(DiagnosticCode code, std::string message, SourceRange range, std::string hint = {},
                      Severity severity = Severity::error);
  void add_note(std::string message, SourceRange range);
  bool has_errors() const { return errors_ > 0; }
  void hand_over(DiagnosticSink& sink);

 private:
  SourceFilePtr file_;
  std::vector<Diagnostic> problems_;
  std::size_t errors_ = 0, warnings_ = 0;
  bool dropped_last_ = false;
};

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
