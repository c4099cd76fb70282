// Diagnostics: problems in a source, a .ttir text or an argument (four-digit codes LS1xxx..LS2xxx), collected in a sink
// and rendered once (support/diagnostics/render_text.cpp). Findings about what a kernel did are findings/finding.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/source_file.h"

namespace lockstep {

enum class Severity { error, unsupported, warning, note };
std::string_view spelling(Severity severity);

/// A place in a source file. `file` may be null when only a name is known (then `label` says where).
struct SourceSpan {
  SourceFilePtr file;
  SourceRange range;
};

struct DiagnosticNote {
  std::string message;
  SourceSpan span;  // file null: no place
};

struct Diagnostic {
  Severity severity = Severity::error;
  DiagnosticCode code;
  std::string message;
  SourceSpan span;
  std::vector<DiagnosticNote> notes;
  std::string hint;  // "write tl.full(...)"; may be empty
};

/// Collects diagnostics; stops accepting errors after `kMaxErrors` (a closing note says so).
class DiagnosticSink {
 public:
  static constexpr std::size_t kMaxErrors = 20;
  void report(Diagnostic diagnostic);
  bool has_errors() const { return error_count_ > 0; }  // counts `error` and `unsupported`
  bool only_unsupported() const;                        // every error is `unsupported` (exit code 4)
  bool is_full() const { return error_count_ >= kMaxErrors; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
  std::size_t error_count_ = 0;
};

/// `file:line:col: error: message [LS1203]`, the source line, `^~~~`, notes, hint. `color`: ANSI escapes.
std::string render_text(const Diagnostic& diagnostic, bool color = false);
std::string render_text(const DiagnosticSink& sink, bool color = false);
std::string render_text(const Status& status, bool color = false);

}  // namespace lockstep
