// Launcher: how a launch request of the client becomes a session; given by the code that knows command lines (cli/).
// Offer: a server's offer to its clients. Not here: implementations.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debugger/session/session.h"
#include "support/result.h"

namespace lockstep::debugger::dap {

struct LaunchWish {
  std::vector<std::string> words;  // as they stand after `lockstep run`
  std::string folder;              // that paths are relative to; empty: the server's
  std::string history;             // "512MiB"; empty: as usual
  /// Texts that replace files while the launch lives: a client may edit what it runs. No file is written.
  struct SourceText {
    std::string path, text;
  };
  std::vector<SourceText> sources;
  /// Lines of tt.print, and of log points; each with its newline.
  std::function<void(const std::string&)> print, log;
};

/// A session and the objects that it needs.
class Launched {
 public:
  virtual ~Launched() = default;
  virtual Session& session() = 0;
  /// The person wants the launch to end at its current point, without its effect.
  virtual void terminate() {}

  /// The launch repeated with another kernel's text (with this launch's parameters and arguments), and its results
  /// compared with this launch's current ones.
  struct Compared {
    std::string name;  // of the tensor
    bool is_equal = false;
    std::string text;  // where and by how much they differ
  };
  struct Output {
    std::string name;
    std::optional<double> tolerance;  // relative and absolute; 0: bit for bit; nullopt: its type's
  };
  /// `outputs`: empty: every tensor. The error is the diagnostics' text.
  virtual Expected<std::vector<Compared>, std::string> compare_with(const LaunchWish::SourceText& solution,
                                                                    const std::vector<Output>& outputs) {
    static_cast<void>(solution);
    static_cast<void>(outputs);
    return Unexpected{std::string("this launch was not made from texts")};
  }
};

/// The error is the diagnostics' text.
using Launcher = std::function<Expected<std::unique_ptr<Launched>, std::string>(const LaunchWish& wish)>;

/// What a server does for `launch` or `attach`; empty: refused. For an attach, the wish has only print and log.
struct Offer {
  Launcher launch, attach;
};

}  // namespace lockstep::debugger::dap
