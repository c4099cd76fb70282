// A Status as a diagnostic without a place, for steps that report everything to one sink.
#pragma once

#include "support/diagnostics/diagnostic.h"
#include "support/diagnostics/status.h"

namespace lockstep {

void report_status(DiagnosticSink& sink, const Status& status);

}  // namespace lockstep
