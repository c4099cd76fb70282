#include "debugger/terminal/line_input.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "debugger/terminal/pause_on_interrupt.h"

#ifdef LOCKSTEP_HAVE_LIBEDIT
#include <cstring>

#include <editline/readline.h>
#endif

namespace lockstep::debugger {

namespace {

class PlainInput : public LineInput {
 public:
  explicit PlainInput(bool is_terminal) : is_terminal_(is_terminal) {}
  std::optional<std::string> read(const std::string& prompt) override {
    if (is_terminal_) std::cout << prompt << std::flush;
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
  }
  bool is_interactive() const override { return is_terminal_; }

 private:
  bool is_terminal_;
};

#ifdef LOCKSTEP_HAVE_LIBEDIT

constexpr int kHistoryLines = 1000;

LineInput::Complete& completer() {
  static LineInput::Complete complete;
  return complete;
}

std::vector<std::string>& candidates() {
  static std::vector<std::string> found;
  return found;
}

/// libedit asks for one candidate after another, each a C string that it frees.
char* next_candidate(const char*, int state) {
  static std::size_t next = 0;
  if (state == 0) next = 0;
  return next < candidates().size() ? strdup(candidates()[next++].c_str()) : nullptr;
}

char** complete_line(const char*, int start, int end) {
  rl_attempted_completion_over = 1;
  const std::string line(rl_line_buffer, static_cast<std::size_t>(end));
  candidates() = completer()(line, static_cast<std::size_t>(start));
  rl_completion_append_character = candidates().size() == 1 ? ' ' : '\0';
  return candidates().empty() ? nullptr : rl_completion_matches("", next_candidate);
}

class EditedInput : public LineInput {
 public:
  explicit EditedInput(Complete complete) : path_(history_path()) {
    completer() = std::move(complete);
    rl_readline_name = const_cast<char*>("lockstep");
    rl_initialize();
    rl_attempted_completion_function = complete_line;
    using_history();
    stifle_history(kHistoryLines);
    if (!path_.empty()) read_history(path_.c_str());
  }
  ~EditedInput() override {
    std::error_code ignored;  // without a history file the session was as good
    if (path_.empty()) return;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
    write_history(path_.c_str());
  }
  std::optional<std::string> read(const std::string& prompt) override {
    char* text = nullptr;
    for (unsigned before = interrupts_seen() - 1; text == nullptr && before != interrupts_seen();) {
      before = interrupts_seen();
      text = readline(prompt.c_str());
      // Ctrl-C makes libedit drop the line: this is not an end, but a new prompt.
      if (text == nullptr && before != interrupts_seen()) std::cout << std::endl;
    }
    if (text == nullptr) return std::nullopt;
    std::string line(text);
    std::free(text);
    if (!line.empty()) add_history(line.c_str());
    return line;
  }
  bool is_interactive() const override { return true; }

 private:
  std::string path_;
};

#endif

}  // namespace

std::string history_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return std::string(state) + "/lockstep/debug_history";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return "";
  return std::string(home) + "/.local/state/lockstep/debug_history";
}

std::unique_ptr<LineInput> LineInput::make(Complete complete) {
  const bool is_terminal = isatty(STDIN_FILENO) != 0;
#ifdef LOCKSTEP_HAVE_LIBEDIT
  if (is_terminal && isatty(STDOUT_FILENO) != 0) return std::make_unique<EditedInput>(std::move(complete));
#endif
  (void)complete;
  return std::make_unique<PlainInput>(is_terminal);
}

}  // namespace lockstep::debugger
