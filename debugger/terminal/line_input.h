// LineInput: where commands come from: a person at a terminal, with line editing, completion and a history file if the
// build has libedit; else plain standard input. Not here: scripts (terminal.cpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::debugger {

class LineInput {
 public:
  virtual ~LineInput() = default;
  /// nullopt: the end of the input.
  virtual std::optional<std::string> read(const std::string& prompt) = 0;
  /// A person reads the output, so that commands need not be repeated.
  virtual bool is_interactive() const = 0;

  /// Candidates for the word that begins at byte `begin` of the line and ends at its end.
  using Complete = std::function<std::vector<std::string>(const std::string& line, std::size_t begin)>;
  /// For standard input. At most one at a time.
  static std::unique_ptr<LineInput> make(Complete complete);
};

/// $XDG_STATE_HOME/lockstep/debug_history, or its default place; empty: there is no home.
std::string history_path();

}  // namespace lockstep::debugger
