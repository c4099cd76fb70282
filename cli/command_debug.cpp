// `lockstep debug`: a launch made step by step in a terminal, forwards and backwards.
#include <unistd.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/debug_session.h"
#include "debugger/terminal/terminal.h"

namespace lockstep::cli {
namespace {

bool has_color(const std::string& choice) {
  return choice == "always" || (choice == "auto" && use_color(STDOUT_FILENO));
}

void put(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

ExitCode run_command(const DebugOptions& options) {
  DiagnosticSink sink;
  DebugLaunch launch(options.run, sink);
  if (!launch.prepare(options.history)) {
    const ExitCode code = report(sink);
    return launch.session().is_over_memory_limit() ? ExitCode::stopped : code;
  }
  debugger::Session::Setup setup = launch.setup();
  setup.output = setup.request.print = [](const std::string& line) { put(line); };
  const auto session = debugger::Session::make(std::move(setup), sink);
  const ExitCode code = report(sink);
  if (session == nullptr) return code;
  const debugger::Screen screen(put, has_color(options.color), debugger::terminal_width(STDOUT_FILENO));
  debugger::Terminal terminal(*session, screen, {options.scripts, options.commands, options.is_batch});
  const debugger::Terminal::End end = terminal.run();
  if (end.has_script_error) return ExitCode::usage;
  return end.has_errors ? ExitCode::findings : ExitCode::clean;
}

}  // namespace lockstep::cli
