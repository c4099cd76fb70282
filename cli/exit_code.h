// The exit codes of the command, and how a set of diagnostics becomes one. Fixed forever: scripts and CI read them.
#pragma once

#include "support/diagnostics/diagnostic.h"

namespace lockstep::cli {

enum class ExitCode : int {
  clean = 0,
  findings = 1,  // or a failed --expect
  usage = 2,     // usage or source error
  environment = 3,
  unsupported = 4,  // not supported yet
  stopped = 5,      // by --timeout or --max-memory
  defect = 70,      // of Lockstep itself
  interrupted = 130,
};

/// Prints the diagnostics on standard error. LS3xxx and unreadable or unwritable files alone give `environment`,
/// unsupported things alone give `unsupported`, other errors `usage`, no error `clean`.
ExitCode report(const DiagnosticSink& sink);
ExitCode report(const Status& status);
/// Whether escapes may be written to standard output or standard error: a terminal, and neither NO_COLOR nor TERM=dumb.
bool use_color(int descriptor);

}  // namespace lockstep::cli
