#include "support/diagnostics/diagnostic.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

// Warnings and notes have a limit of their own, so that no input can fill the memory with them.
constexpr std::size_t kMaxOthers = 200;

bool is_error(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::error || diagnostic.severity == Severity::unsupported;
}

}  // namespace

void DiagnosticSink::report(Diagnostic diagnostic) {
  const bool counts = is_error(diagnostic);
  if (counts ? is_full() : diagnostics_.size() - error_count_ >= kMaxOthers) return;
  diagnostics_.push_back(std::move(diagnostic));
  if (!counts) return;
  ++error_count_;
  if (is_full()) {
    Diagnostic closing;
    closing.severity = Severity::note;
    closing.message = "stopped after " + std::to_string(kMaxErrors) + " errors";
    diagnostics_.push_back(std::move(closing));
  }
}

bool DiagnosticSink::only_unsupported() const {
  return has_errors() && std::none_of(diagnostics_.begin(), diagnostics_.end(),
                                      [](const Diagnostic& one) { return one.severity == Severity::error; });
}

}  // namespace lockstep
