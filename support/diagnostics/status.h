// Status: a problem of the environment (LS3xxx) or a usage error (LS2xxx): one line and a hint. Functions return it in
// Expected.
#pragma once

#include <string>

#include "support/diagnostics/diagnostic_code.h"

namespace lockstep {

struct Status {
  DiagnosticCode code;
  std::string message;  // one sentence
  std::string hint;     // what to do; may be empty

  /// "no such file [LS3001]"
  std::string text() const { return message + " [" + std::string(code.spelling()) + "]"; }
};

}  // namespace lockstep
