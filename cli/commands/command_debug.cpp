// `lockstep debug`: a launch made step by step in a terminal, forwards and backwards.
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
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
  const auto at = dap::parse_host_port(where);
  if (!at) return report(Status{"LS2202", "'--listen " + where + "' is not [HOST:]PORT", "for example 4711"});
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

ExitCode run_command(const DebugOptions& options) {
  DiagnosticSink sink;
  debugger::DebugLaunch launch(options.run, sink);
  if (!launch.prepare(options.history)) {
    const ExitCode code = report(sink);
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

}  // namespace lockstep::cli
