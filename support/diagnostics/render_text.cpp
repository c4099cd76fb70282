// Diagnostics as text for people. The first line of each is `file:line:col: severity: message [code]`, which editors
// can parse.
#include <algorithm>

#include "support/diagnostics/diagnostic.h"
#include "support/diagnostics/snippet.h"

namespace lockstep {

std::string_view spelling(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::unsupported: return "unsupported";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return "error";
}

namespace {

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::warning: return Style::warning;
    case Severity::note: return Style::note;
    default: return Style::error;
  }
}

std::string render_place(const SourceSpan& span, bool color) {
  if (!span.file) return "";
  const LineColumn at = span.file->position(span.range.begin);
  return styled(Style::bold,
                printable(span.file->path()) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ":",
                color) +
         " ";
}

std::string render_span(const SourceSpan& span, bool color) {
  if (!span.file) return "";
  const LineColumn at = span.file->position(span.range.begin);
  const std::uint32_t length = span.range.end > span.range.begin ? span.range.end - span.range.begin : 1;
  return render_snippet(span.file->line_text(at.line), at.line, at.column, length, color);
}

std::string render_head(Severity severity, const std::string& message, std::string_view code, bool color) {
  std::string text =
      styled(style_of(severity), std::string(spelling(severity)) + ":", color) + " " + printable(message);
  if (!code.empty()) text += " [" + std::string(code) + "]";
  return text + "\n";
}

std::string render_hint(const std::string& hint, bool color) {
  return hint.empty() ? "" : styled(Style::hint, "hint:", color) + " " + printable(hint) + "\n";
}

}  // namespace

std::string render_text(const Diagnostic& diagnostic, bool color) {
  std::string text = render_place(diagnostic.span, color);
  text += render_head(diagnostic.severity, diagnostic.message, diagnostic.code.spelling(), color);
  text += render_span(diagnostic.span, color);
  for (const DiagnosticNote& note : diagnostic.notes) {
    text += render_place(note.span, color) + render_head(Severity::note, note.message, "", color);
    text += render_span(note.span, color);
  }
  return text + render_hint(diagnostic.hint, color);
}

std::string render_text(const DiagnosticSink& sink, bool color) {
  std::string text;
  for (const Diagnostic& diagnostic : sink.diagnostics()) text += render_text(diagnostic, color);
  return text;
}

std::string render_text(const Status& status, bool color) {
  return render_head(Severity::error, status.message, status.code.spelling(), color) + render_hint(status.hint, color);
}

}  // namespace lockstep
