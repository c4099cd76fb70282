#include "support/diagnostics/report_status.h"

#include <utility>

namespace lockstep {

void report_status(DiagnosticSink& sink, const Status& status) {
  Diagnostic diagnostic;
  diagnostic.code = status.code;
  diagnostic.message = status.message;
  diagnostic.hint = status.hint;
  sink.report(std::move(diagnostic));
}

}  // namespace lockstep
