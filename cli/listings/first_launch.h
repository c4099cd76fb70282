// What a command says that was given a kernel and not enough to launch it: the signature, what each parameter seems to
// be, and a whole command. The command was run before it is shown, with the same checks as it has when it is pasted.
#pragma once

#include <string>

#include "driver/options/given_words.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::cli {

/// `command`: "run", "debug", "serve"; its options are kept. Of a file with several kernels, of which none is named: a list of them. Empty
/// where nothing can be said: no .py file, one that cannot be read, no such kernel.
std::string first_launch(const std::string& command, const driver::GivenWords& given, bool has_color);
/// The command alone, or the list of kernels, on standard error: where the sink says that arguments are missing (LS2031, LS2021, LS1312), or which
/// kernel is meant (LS2201).
void show_whole_command(const std::string& command, const driver::LaunchSpec& spec, const DiagnosticSink& sink);

}  // namespace lockstep::cli
