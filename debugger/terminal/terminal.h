// Terminal: a debugging session by commands, typed or from scripts: gdb's and pdb's names and letters. It reads lines,
// finds the command of each, completes words, and keeps the typed lines. Invariant: the same script on the same launch
// writes the same text. Not here: the commands (terminal/commands/), stops and values (session/, expression/).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "debugger/session/session.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/line_input.h"
#include "debugger/terminal/screen.h"

namespace lockstep::debugger {

class Terminal {
 public:
  struct Options {
    std::vector<std::string> scripts;   // files, run first
    std::vector<std::string> commands;  // run then
    bool is_batch = false;              // ends after them, and at the first error
    AtEnd at_end = AtEnd::stays;
    /// Where typed commands come from; empty: standard input.
    std::function<std::unique_ptr<LineInput>(LineInput::Complete)> input = nullptr;
  };
  /// How it ended.
  struct End {
    bool has_script_error = false;  // a command of a script could not be done (--batch)
    bool has_errors = false;        // findings of tier error were made
    bool is_killed = false;         // by `kill`
  };

  Terminal(Session& session, const Screen& screen, Options options);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// One command, checked and run. Text goes to the screen.
  Done type(const std::string& line);
  /// Words that can complete at `begin` of the line, rising.
  std::vector<std::string> complete(const std::string& line, std::size_t begin) const;
  /// Until `quit`, `kill`, the end of the input, or of the scripts with is_batch; or as at_end says.
  End run();

 private:
  Done perform(const std::string& line);
  void talk();
  bool run_script(const std::string& path);
  bool run_line(const std::string& line, const std::string& place);
  void show_problem(const Problem& problem, const std::string& place);

  Session& session_;
  const Screen& screen_;
  const Options options_;
  CommandState state_;
  const std::function<bool(const std::string& path)> script_runner_;
  CommandContext context_;
  std::size_t script_depth_ = 0;
  const Command* last_ = nullptr;  // that was found
  std::string repeated_;           // what an empty line does
};

}  // namespace lockstep::debugger
