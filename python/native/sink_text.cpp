#include "python/native/sink_text.h"

namespace lockstep::python {

std::string text_of(const DiagnosticSink& sink) {
  std::string text;
  for (const Diagnostic& diagnostic : sink.diagnostics()) text += (text.empty() ? "" : "\n") + diagnostic.message;
  return text;
}

}  // namespace lockstep::python
