// ProblemList: collects the problems that the lexer and the parser find in a file, and reports them in the order of the
// text.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/diagnostics/diagnostic.h"

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

}  // namespace lockstep::python_syntax
