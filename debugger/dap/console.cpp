#include "debugger/dap/console.h"

#include <utility>

namespace lockstep::debugger::dap {

Expected<std::string, Problem> Console::type(const std::string& line) {
  text_.clear();
  const auto done = terminal_.type(line);
  std::string text = std::exchange(text_, {});
  if (!done) return Unexpected{done.error()};
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace lockstep::debugger::dap
