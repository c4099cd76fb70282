// `lockstep debug`: steps through a launch in a terminal, forwards and backwards.
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/commands/command.h"
#include "cli/commands/command_debug.h"
#include "cli/interrupt.h"
#include "cli/listen.h"
#include "cli/listings/first_launch.h"
#include "debugger/dap/transport/attachment.h"
#include "debugger/launch/debug_launch.h"
#include "debugger/terminal/terminal.h"

namespace lockstep::cli {
namespace {

bool has_color(const std::string& choice) {
  return choice == "always" || (choice == "auto" && use_color(STDOUT_FILENO));
}

void put_at_once(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

ExitCode debug_code(const debugger::Engine& engine) {
  const auto& findings = engine.findings();
  const bool has_errors =
      std::any_of(findings.begin(), findings.end(), [](const auto& entry) { return entry.second.tier == Tier::error; });
  return has_errors ? ExitCode::findings : ExitCode::clean;
}

ExitCode wait_for_editor(const std::string& where, debugger::DebugLaunch& launch, DiagnosticSink& sink) {
  namespace dap = debugger::dap;
  const auto at = parse_listen(where, "4711");
  if (!at) return report(at.error());
  dap::Attachment attachment(put_at_once);
  debugger::Session::Setup setup = launch.setup();
  setup.request.print = attachment.print();
  setup.output = attachment.log();
  const auto session = debugger::Session::make(std::move(setup), sink);
  const ExitCode code = report(sink);
  if (session == nullptr) return code;
  const auto listener = dap::Listener::open(at->host, at->port);
  if (!listener) return report(listener.error());
  const InterruptGuard interrupt;
  std::fputs(("lockstep: waiting for an editor on " + (*listener)->address() + "\n").c_str(), stderr);
  const auto end = attachment.serve(**listener, *session, interrupt.flag());
  return end == dap::Attachment::End::ran_on ? debug_code(session->engine()) : ExitCode::interrupted;
}

}  // namespace

ExitCode run_debug(const DebugOptions& options) {
  DiagnosticSink sink;
  debugger::DebugLaunch launch(options.run, sink);
  if (!launch.prepare(options.history)) {
    const ExitCode code = report(sink);
    show_whole_command("debug", options.run, sink);
    return launch.session().is_over_memory_limit() ? ExitCode::stopped : code;
  }
  if (!options.listen.empty()) return wait_for_editor(options.listen, launch, sink);
  debugger::Session::Setup setup = launch.setup();
  setup.output = setup.request.print = [](const std::string& line) { put_at_once(line); };
  const auto session = debugger::Session::make(std::move(setup), sink);
  const ExitCode code = report(sink);
  if (session == nullptr) return code;
  const debugger::Screen screen(put_at_once, has_color(options.color), debugger::terminal_width(STDOUT_FILENO));
  debugger::Terminal terminal(*session, screen, {options.scripts, options.commands, options.is_batch});
  const debugger::Terminal::End end = terminal.run();
  if (end.has_script_error) return ExitCode::usage;
  return end.has_errors ? ExitCode::findings : ExitCode::clean;
}

namespace {

constexpr const char* kDebugFooter = R"(
Arguments are those of `lockstep run`. In the session `help` lists the commands (docs/debugging.md).
Exit codes: 0, 1 if a finding of tier error was made, 2 if a command of a script could not be done (--batch).
Example:
  lockstep debug examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128)";

void declare_debug(OptionList& options, DebugOptions& debug) {
  options.debugged(debug.run);
  options.texts("-x,--script", debug.scripts, "FILE", "run the commands of a file, first");
  options.texts("--command", debug.commands, "TEXT", "run a command, after the scripts");
  options.flag("--batch", debug.is_batch, "exit after them; exit code 2 at the first command that fails");
  options.text("--history", debug.history, "SIZE", "memory for going backwards", {.shows_default = true});
  options.text("--color", debug.color, "auto|always|never", "whether the text is coloured",
               {.choices = {"auto", "always", "never"}, .shows_default = true});
  options.text("--listen", debug.listen, "[HOST:]PORT", "wait for an editor to attach there; 0: any free port",
               {.excludes = {"--script", "--command", "--batch"}});
}

}  // namespace

extern const CommandRow kDebugCommand{
    .name = "debug",
    .summary = "step through a launch, forwards and backwards",
    .make = make_command<DebugOptions, declare_debug, run_debug>,
    .footer = kDebugFooter,
};

}  // namespace lockstep::cli
