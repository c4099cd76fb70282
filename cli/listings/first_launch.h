// What a command says that was given a kernel and not enough to launch it: the signature, what each parameter seems to
// be, and a whole command. The command was run before it is shown, with the same checks as it has when it is pasted.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driver/options/given_words.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::cli {

/// Options of a command that no launch has, with their values: `--html` of `trace`.
using OwnOptions = std::vector<std::pair<std::string, std::string>>;

/// `command`: "run", "debug", "serve"; its options are kept. Of a file with several kernels, of which none is named: a list of them. Empty
/// where nothing can be said: no .py file, one that cannot be read, no such kernel.
std::string first_launch(const std::string& command, const driver::GivenWords& given, bool has_color);
/// The command alone, or the list of kernels, on standard error: where the sink says that arguments are missing (LS2031, LS2021, LS1312), or which
/// kernel is meant (LS2201). `own` comes before the launch's own options.
void show_whole_command(const std::string& command, const driver::LaunchSpec& spec, const DiagnosticSink& sink, OwnOptions own = {});

}  // namespace lockstep::cli
