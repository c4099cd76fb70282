// Console: the terminal's commands where an editor lets people type: `info tiles`, `why out[3]`, `rc`. Not here: which
// texts are commands and which expressions (requests_console.cpp), the commands (terminal/).
#pragma once

#include <string>
#include <vector>

#include "debugger/terminal/terminal.h"

namespace lockstep::debugger::dap {

class Console {
 public:
  static constexpr std::size_t kWidth = 120;

  Console(Session& session, bool has_color)
      : screen_([this](std::string_view text) { text_ += text; }, has_color, kWidth), terminal_(session, screen_, {}) {}
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// The command's output, without the last newline.
  Expected<std::string, Problem> type(const std::string& line);
  /// Words that can complete at `begin` of the line.
  std::vector<std::string> complete(const std::string& line, std::size_t begin) const {
    return terminal_.complete(line, begin);
  }

 private:
  std::string text_;
  Screen screen_;
  Terminal terminal_;
};

}  // namespace lockstep::debugger::dap
