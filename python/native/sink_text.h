// Diagnostics as the text of a Python exception.
#pragma once

#include <string>

#include "support/diagnostics/diagnostic.h"

namespace lockstep::python {

/// The messages of all diagnostics, one per line.
std::string text_of(const DiagnosticSink& sink);

}  // namespace lockstep::python
