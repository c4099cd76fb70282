// `lockstep serve`: the debugger as a page for a browser on this machine.
#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "cli/commands/command.h"
#include "cli/interrupt.h"
#include "cli/listen.h"
#include "cli/listings/first_launch.h"
#include "cli/listings/open_browser.h"
#include "debugger/dap/transport/stream.h"
#include "debugger/launch/debug_launch.h"
#include "debugger/launch/editor_launch.h"
#include "debugger/serve/server.h"
#include "debugger/trace/recorder.h"
#include "debugger/trace/trace_page.h"
#include "driver/options/given_words.h"
#include "driver/options/launch_words.h"
#include "support/json.h"
#include "support/source_file.h"

namespace lockstep::cli {

namespace dap = debugger::dap;
namespace serve = debugger::serve;
namespace trace = debugger::trace;

namespace {

struct ServeOptions {
  std::string listen = "0";        // [HOST:]PORT; 0: any free port
  bool opens = false, may_be_framed = false;
  std::vector<std::string> words;  // the launch, as `lockstep debug` takes it
};

/// {path, text} of the Python file that the target names, as it is now, even if it is wrong: the page edits it. Null:
/// there is none.
Json shown_source(const std::string& target) {
  const std::string path = target.substr(0, target.find("::"));
  if (!path.ends_with(".py")) return {};
  const auto text = SourceFile::read(path);
  if (!text) return {};
  return Json::record({{"path", path}, {"text", std::string((*text)->text())}});
}

constexpr const char* kHistory = "512MiB";
constexpr std::uint64_t kMostRecordedBytes = std::uint64_t{16} << 20;

/// The launch as one page, as `lockstep trace` records it. Error: the diagnostics.
Expected<std::string, std::string> record_page(const driver::LaunchSpec& spec, const std::atomic<bool>* stop) {
  DiagnosticSink sink;
  debugger::DebugLaunch launch(spec, sink);
  if (!launch.prepare(kHistory)) return Unexpected{render_text(sink)};
  std::string printed;
  debugger::Session::Setup setup = launch.setup();
  setup.output = setup.request.print = [&printed](const std::string& line) {
    if (printed.size() + line.size() <= trace::kMostPrinted) printed += line;
  };
  const auto session = debugger::Session::make(std::move(setup), sink);
  if (session == nullptr) return Unexpected{render_text(sink)};
  const auto recorded = trace::record(*session, {spec.target, kMostRecordedBytes, &printed, stop});
  if (!recorded) return Unexpected{recorded.error()};
  return trace::trace_page(recorded->container);
}

/// "serve needs --grid" for "--grid is required".
std::string lack_of(const std::string& problem) {
  constexpr std::string_view kRequired = " is required";
  if (!problem.ends_with(kRequired)) return problem;
  const std::string name = problem.substr(0, problem.size() - kRequired.size());
  return "serve needs " + (name.starts_with("--") ? name : "a " + name);
}

/// What the command line has, with the options of `serve`, for a whole command to paste.
driver::GivenWords given_to_serve(const ServeOptions& options) {
  driver::GivenWords given = driver::given_debug_words(options.words);
  if (options.listen != ServeOptions().listen) given.options.emplace_back("--listen", options.listen);
  if (options.opens) given.options.emplace_back("--open", "");
  if (options.may_be_framed) given.options.emplace_back("--embed", "");
  return given;
}

ExitCode run_serve(const ServeOptions& options) {
  const auto at = parse_listen(options.listen, "8080");
  if (!at) return report(at.error());
  const auto launch = driver::parse_debug_words(options.words);
  if (!launch) {
    const driver::GivenWords given = given_to_serve(options);
    const bool has_hint = launch.error().find("\nhint: ") != std::string::npos;
    const std::string first = given.grid.empty() && !has_hint ? first_launch("serve", given, use_color(STDERR_FILENO)) : "";
    const std::string hint = has_hint ? "" : "hint: see `lockstep serve --help`\n";
    std::fputs(("error: " + lack_of(launch.error()) + "\n" + (first.empty() ? hint : first)).c_str(), stderr);
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
  if (options.opens) open_browser((*server)->address());
  const auto recorded = [&] { return record_page(*launch, interrupt.flag()); };
  (*server)->run({session, recorded}, {debugger::launch_for_editor, {}}, *interrupt.flag(), {options.may_be_framed, {}});
  return ExitCode::interrupted;
}

void declare_serve(OptionList& options, ServeOptions& serve) {
  options.text("--listen", serve.listen, "[HOST:]PORT",
               "address: this machine unless a host is given; port 0: any free port", {.shows_default = true});
  options.flag("--open", serve.opens, "open the page in the browser");
  options.flag("--embed", serve.may_be_framed, "let local pages, such as a notebook, show it in a frame");
}

constexpr const char* kServeFooter = R"(
The launch's words are those of `lockstep debug`. The address that `serve` prints has a token: anyone who knows it can
run kernels as you. Ctrl-C ends the server. docs/page.md describes the page.
Exit codes: 2 if the launch's words are wrong, 3 if the port is not available, 130 when Ctrl-C ended it.
Example:
  lockstep serve examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128 --open)";

}  // namespace

extern const CommandRow kServeCommand{
    .name = "serve",
    .summary = "debug a launch in a browser on this machine",
    .make = make_command<ServeOptions, declare_serve, run_serve>,
    .footer = kServeFooter,
    .words = Words::rest,  // what is launched is read by parse_debug_words, the page's launches too
};

}  // namespace lockstep::cli
