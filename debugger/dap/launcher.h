// Launcher: how a launch request of the client becomes a session; given by whoever knows command lines (cli/). Offer:
// what a server has for its clients. Not here: any of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "debugger/session/session.h"
#include "support/result.h"

namespace lockstep::debugger::dap {

struct LaunchWish {
  std::vector<std::string> words;  // as they stand after `lockstep run`
  std::string folder;              // that paths are relative to; empty: the server's
  std::string history;             // "512MiB"; empty: as usual
  /// Lines of tt.print, and of log points; each with its newline.
  std::function<void(const std::string&)> print, log;
};

/// A session and what must live as long as it.
class Launched {
 public:
  virtual ~Launched() = default;
  virtual Session& session() = 0;
  /// The person wants the launch to end where it stands, without its effect.
  virtual void terminate() {}
};

/// The error is the diagnostics' text.
using Launcher = std::function<Expected<std::unique_ptr<Launched>, std::string>(const LaunchWish& wish)>;

/// What a server does for `launch` or `attach`; empty: refused. Of an attach's wish only print and log are set.
struct Offer {
  Launcher launch, attach;
};

}  // namespace lockstep::debugger::dap
