// Diagnostics of lowering: the place (the visited node) and the way there (the chain of calls, as notes). A statement
// reports at most one error, so that a mistake is reported once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics/diagnostic.h"

namespace lockstep::frontend {

class Reporter {
 public:
  Reporter(DiagnosticSink& sink, SourceFilePtr file, std::vector<DiagnosticNote> call_chain)
      : sink_(sink), file_(std::move(file)), call_chain_(std::move(call_chain)) {}

  SourceRange here() const { return here_; }
  void set_here(SourceRange range) { here_ = range; }
  SourceSpan span() const { return {file_, here_}; }
  const std::vector<DiagnosticNote>& call_chain() const { return call_chain_; }

  void error(DiagnosticCode code, std::string message, std::string hint = {}) {
    report(Severity::error, code, std::move(message), std::move(hint), {});
  }
  void error_with_note(DiagnosticCode code, std::string message, std::string hint, DiagnosticNote note) {
    report(Severity::error, code, std::move(message), std::move(hint), {std::move(note)});
  }
  void unsupported(DiagnosticCode code, std::string message, std::string hint = {}) {
    report(Severity::unsupported, code, std::move(message), std::move(hint), {});
  }
  /// A construct that compiles but is probably a mistake.
  void warn(DiagnosticCode code, std::string message, std::string hint = {}) {
    sink_.report({Severity::warning, code, std::move(message), span(), {}, std::move(hint)});
  }
  /// Errors of this function so far; a statement with an error stops.
  std::size_t count() const { return count_; }
  /// A callee failed and has reported it.
  void note_failure() { ++count_; }
  DiagnosticSink& sink() { return sink_; }

 private:
  static bool is_library(const SourceSpan& span) { return span.file != nullptr && span.file->path().starts_with('<'); }
  void report(Severity severity, DiagnosticCode code, std::string message, std::string hint,
              std::vector<DiagnosticNote> notes) {
    ++count_;
    Diagnostic diagnostic{severity, code, std::move(message), span(), std::move(notes), std::move(hint)};
    std::vector<DiagnosticNote> calls;
    for (const DiagnosticNote& call : call_chain_) {
      // A mistake inside the library is shown at the user's call.
      if (is_library(diagnostic.span))
        diagnostic.span = call.span;
      else if (!is_library(call.span))
        calls.push_back(call);
    }
    shorten(calls);
    diagnostic.notes.insert(diagnostic.notes.end(), calls.begin(), calls.end());
    sink_.report(std::move(diagnostic));
  }
  /// Recursion makes chains of a hundred calls: the innermost and the outermost ones are enough.
  static void shorten(std::vector<DiagnosticNote>& calls) {
    constexpr std::ptrdiff_t kKept = 3;
    const auto left_out = static_cast<std::ptrdiff_t>(calls.size()) - 2 * kKept;
    if (left_out <= 1) return;
    calls.erase(calls.begin() + kKept, calls.begin() + kKept + left_out);
    calls[kKept - 1].message += " (and " + std::to_string(left_out) + " more calls before it)";
  }
  DiagnosticSink& sink_;
  SourceFilePtr file_;
  std::vector<DiagnosticNote> call_chain_;
  SourceRange here_;
  std::size_t count_ = 0;
};

}  // namespace lockstep::frontend
