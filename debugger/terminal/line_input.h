// LineInput: where commands come from: a person at a terminal, with line editing, completion and a history file where
// libedit was there at build time; else standard input read plainly. Not here: scripts (terminal.cpp).
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
  /// A person reads what is written, so that commands need not be repeated.
  virtual bool is_interactive() const = 0;

  /// Candidates for the word that begins at byte `begin` of the line and ends at its end.
  using Complete = std::function<std::vector<std::string>(const std::string& line, std::size_t begin)>;
  /// Of standard input. At most one at a time.
  static std::unique_ptr<LineInput> make(Complete complete);
};

/// $XDG_STATE_HOME/lockstep/debug_history, or where that lies without; empty: there is no home.
std::string history_path();

}  // namespace lockstep::debugger
