// `lockstep dap`: the debugger for editors, over standard input and output or for one client after the other by TCP.
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "cli/commands/command.h"
#include "cli/interrupt.h"
#include "cli/listen.h"
#include "debugger/dap/transport/server.h"
#include "debugger/launch/editor_launch.h"

namespace lockstep::cli {
namespace {

struct DapOptions {
  std::string listen;    // [HOST:]PORT; empty: standard input and output
  bool is_once = false;  // one client only
};

namespace dap = debugger::dap;

ExitCode goodbye_code(dap::Goodbye goodbye) { return goodbye == dap::Goodbye::said ? ExitCode::clean : ExitCode::usage; }

/// Other output goes to standard error: the client would take it for a message.
ExitCode serve_standard_streams() {
  const int in = ::dup(STDIN_FILENO), out = ::dup(STDOUT_FILENO);
  if (in < 0 || out < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return report(Status{"LS3011", "standard input and output cannot be used", ""});
  dap::DescriptorStream stream(in, out);
  return goodbye_code(dap::serve(stream, {debugger::launch_for_editor, {}}));
}

ExitCode serve_clients(const dap::HostPort& at, bool is_once) {
  const auto listener = dap::Listener::open(at.host, at.port);
  if (!listener) return report(listener.error());
  std::fputs(("lockstep dap: listening on " + (*listener)->address() + "\n").c_str(), stdout);
  std::fflush(stdout);
  const InterruptGuard interrupt;
  const auto home = std::filesystem::current_path();
  while (const auto client = (*listener)->accept(interrupt.flag())) {
    const dap::Goodbye goodbye = dap::serve(*client, {debugger::launch_for_editor, {}});
    std::error_code error;
    std::filesystem::current_path(home, error);
    if (is_once) return goodbye_code(goodbye);
  }
  return *interrupt.flag() ? ExitCode::interrupted : ExitCode::environment;
}

ExitCode run_dap(const DapOptions& options) {
  if (options.listen.empty()) return serve_standard_streams();
  const auto at = parse_listen(options.listen, "4711");
  if (!at) return report(at.error());
  return serve_clients(*at, options.is_once);
}

void declare_dap(OptionList& options, DapOptions& dap) {
  options.text("--listen", dap.listen, "[HOST:]PORT",
               "wait for clients by TCP, on this machine unless a host is given; 0: any free port");
  options.flag("--once", dap.is_once, "end with the first client", {.needs = {"--listen"}});
}

constexpr const char* kDapFooter = R"(
Speaks over standard input and output unless --listen is given. How editors are set up: docs/editors.md.
Exit codes: 0, 2 if what comes is no message of the protocol, 3 if the port cannot be had.
Example:
  lockstep dap --listen 4711)";

}  // namespace

extern const CommandRow kDapCommand{
    .name = "dap",
    .summary = "debug from an editor, by the Debug Adapter Protocol",
    .make = make_command<DapOptions, declare_dap, run_dap>,
    .footer = kDapFooter,
};

}  // namespace lockstep::cli
