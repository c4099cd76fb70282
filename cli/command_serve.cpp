// `lockstep serve`: the debugger as a page for a browser on this machine.
#include <cstdio>

#include "cli/commands.h"
#include "cli/editor_launch.h"
#include "cli/interrupt.h"
#include "debugger/dap/json.h"
#include "debugger/dap/stream.h"
#include "debugger/serve/server.h"

namespace lockstep::cli {

namespace dap = debugger::dap;
namespace serve = debugger::serve;

ExitCode run_command(const ServeOptions& options) {
  const auto at = dap::parse_host_port(options.listen);
  if (!at) return report(Status{"LS2202", "'--listen " + options.listen + "' is not [HOST:]PORT", "for example 8080"});
  const auto launch = parse_debug_words(options.words);
  if (!launch) {
    std::fputs(("error: " + launch.error() + "\nhint: `lockstep serve --help` tells more\n").c_str(), stderr);
    return ExitCode::usage;
  }
  const auto server = serve::Server::open(at->host, at->port);
  if (!server) return report(server.error());
  dap::Json::Array words(options.words.begin(), options.words.end());
  const dap::Json session = dap::Json::record(
      {{"title", launch->target}, {"launch", dap::Json::record({{"args", dap::Json(std::move(words))}})}});
  const InterruptGuard interrupt;  // before anybody knows that there is something to interrupt
  std::fputs(("lockstep serve: open " + (*server)->address() + "\n").c_str(), stdout);
  std::fflush(stdout);
  (*server)->run(session.dump(), {launch_for_editor, {}}, *interrupt.flag());
  return ExitCode::interrupted;
}

}  // namespace lockstep::cli
