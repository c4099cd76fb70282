// Errors of the readers of files.
#pragma once

#include <string>
#include <utility>

#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::driver {

inline Unexpected<Status> fail(DiagnosticCode code, std::string message, std::string hint = "") {
  return Unexpected{Status{code, std::move(message), std::move(hint)}};
}

}  // namespace lockstep::driver
