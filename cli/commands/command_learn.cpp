// `lockstep learn`: the lessons and the bugs to find as a page for a browser on this machine. A file keeps the solved
// ones, because each server has another port, and a browser stores data by port.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

#include "cli/commands/command.h"
#include "cli/interrupt.h"
#include "cli/listen.h"
#include "cli/listings/open_browser.h"
#include "debugger/dap/transport/stream.h"
#include "debugger/launch/editor_launch.h"
#include "debugger/serve/page_files.h"
#include "debugger/serve/server.h"
#include "support/json.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

struct LearnOptions {
  std::string listen = "0";
  bool opens = false, forgets = false;
};

/// $XDG_STATE_HOME/lockstep/solved; empty without such a folder.
fs::path progress_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return fs::path(state) / "lockstep" / "solved";
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? fs::path() : fs::path(home) / ".local/state/lockstep/solved";
}

/// Ids of solved lessons and bugs, a line each in a file.
class Solved {
 public:
  Solved() : path_(progress_file()) {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      if (!line.empty()) ids_.insert(line);
    }
  }

  bool note(std::string_view id) {
    const std::lock_guard lock(mutex_);
    if (!is_there(id)) return false;
    if (!ids_.insert(std::string(id)).second || path_.empty()) return true;
    std::error_code ignored;
    fs::create_directories(path_.parent_path(), ignored);
    std::ofstream(path_, std::ios::app) << id << '\n';  // a disk that is full forgets it
    return true;
  }

  Json list() {
    const std::lock_guard lock(mutex_);
    return Json(Json::Array(ids_.begin(), ids_.end()));
  }

  void forget() {
    std::error_code ignored;
    fs::remove(path_, ignored);
    ids_.clear();
  }

 private:
  static bool is_there(std::string_view id) {
    const std::string quoted = "\"id\": \"" + std::string(id) + "\"";
    const auto files = debugger::serve::learn_files();
    return !id.empty() && id.find('"') == std::string_view::npos &&
           std::any_of(files.begin(), files.end(), [&](const debugger::serve::PageFile& one) {
             return one.text.find(quoted) != std::string_view::npos;
           });
  }

  fs::path path_;
  std::mutex mutex_;
  std::set<std::string> ids_;
};

ExitCode run_learn(const LearnOptions& options) {
  const auto at = parse_listen(options.listen, "8080");
  if (!at) return report(at.error());
  const auto server = debugger::serve::Server::open(at->host, at->port);
  if (!server) return report(server.error());
  Solved solved;
  if (options.forgets) solved.forget();
  const auto session = [&] {
    return Json::record({{"title", "Lessons"}, {"feed", "learn"}, {"solved", solved.list()}}).dump();
  };
  debugger::serve::Favours favours;
  favours.note_solved = [&](std::string_view id) { return solved.note(id); };
  const InterruptGuard interrupt;
  std::fputs(("lockstep learn: open " + (*server)->address() + "\n").c_str(), stdout);
  std::fflush(stdout);
  if (options.opens) open_browser((*server)->address());
  const auto recorded = [] { return Unexpected{std::string("a lesson cannot be saved: `lockstep trace` records a launch")}; };
  (*server)->run({session, recorded}, {debugger::launch_for_editor, {}}, *interrupt.flag(), favours);
  return ExitCode::interrupted;
}

void declare_learn(OptionList& options, LearnOptions& learn) {
  options.text("--listen", learn.listen, "[HOST:]PORT",
               "address: this machine unless a host is given; port 0: any free port", {.shows_default = true});
  options.flag("--open", learn.opens, "open the page in the browser");
  options.flag("--forget", learn.forgets, "start over: forget which lessons are solved");
}

constexpr const char* kLearnFooter = R"(
Each lesson asks a question, shows what people often answer, and lets you repair a kernel; each bug is a kernel to mend.
Solved lessons are kept in ~/.local/state/lockstep. The address has a token in it: whoever knows it can run kernels as
you. Ctrl-C ends it.
Example:
  lockstep learn --open)";

}  // namespace

extern const CommandRow kLearnCommand{
    .name = "learn",
    .summary = "learn Triton in a browser: lessons, and bugs to find",
    .make = make_command<LearnOptions, declare_learn, run_learn>,
    .footer = kLearnFooter,
};

}  // namespace lockstep::cli
