// `lockstep serve`: the debugger as a page for a browser on this machine.
#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/editor_launch.h"
#include "cli/interrupt.h"
#include "debugger/dap/transport/stream.h"
#include "debugger/serve/server.h"
#include "support/json.h"
#include "support/source_file.h"

namespace lockstep::cli {

namespace dap = debugger::dap;
namespace serve = debugger::serve;

namespace {

/// {path, text} of the Python file that the target names, as it is now, whatever is wrong with it: the page edits it.
/// Null: there is none.
Json shown_source(const std::string& target) {
  const std::string path = target.substr(0, target.find("::"));
  if (!path.ends_with(".py")) return {};
  const auto text = SourceFile::read(path);
  if (!text) return {};
  return Json::record({{"path", path}, {"text", std::string((*text)->text())}});
}

}  // namespace

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
  const auto session = [&] {
    Json::Array words(options.words.begin(), options.words.end());
    Json json = Json::record(
        {{"title", launch->target}, {"launch", Json::record({{"args", Json(std::move(words))}})}});
    if (Json source = shown_source(launch->target); !source.is_null()) json.set("source", std::move(source));
    return json.dump();
  };
  const InterruptGuard interrupt;  // before anybody knows that there is something to interrupt
  std::fputs(("lockstep serve: open " + (*server)->address() + "\n").c_str(), stdout);
  std::fflush(stdout);
  (*server)->run(session, {launch_for_editor, {}}, *interrupt.flag());
  return ExitCode::interrupted;
}

}  // namespace lockstep::cli
