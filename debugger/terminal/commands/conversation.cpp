// Commands that change what is, and those about the session itself.
#include <algorithm>
#include <fstream>

#include "debugger/terminal/terminal.h"

namespace lockstep::debugger {

namespace {

/// The `=` that assigns: none of ==, <=, >=, !=, and outside of brackets.
std::size_t assignment_in(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != '=' || depth != 0) continue;
    const char before = i == 0 ? ' ' : text[i - 1], after = i + 1 < text.size() ? text[i + 1] : ' ';
    if (after == '=') {
      ++i;
      continue;
    }
    if (before != '<' && before != '>' && before != '!') return i;
  }
  return std::string_view::npos;
}

}  // namespace

Terminal::Done Terminal::do_set(Words words) {
  const std::size_t sign = assignment_in(words);
  if (sign == Words::npos || sign == 0 || trimmed(words.substr(sign + 1)).empty())
    return Unexpected{Problem{"set needs a place and a value", "set acc[0,0] = 1.5, set out[3] = 0"}};
  const auto now = session_.set(trimmed(words.substr(0, sign)), trimmed(words.substr(sign + 1)));
  if (!now) return Unexpected{now.error()};
  screen_.line(*now + "  (timeline " + std::to_string(session_.engine().timeline()) + ")");
  return std::monostate{};
}

Terminal::Done Terminal::do_timeline(Words words) {
  if (words.empty()) {
    info_timeline();
    return std::monostate{};
  }
  const auto id = parse_number(words);
  if (!id || *id > 0xffffffffU)
    return Unexpected{Problem{"'" + std::string(words) + "' is no timeline", "`timeline` lists them"}};
  auto done = session_.switch_timeline(static_cast<std::uint32_t>(*id));
  if (!done) return done;
  show_halt();
  return std::monostate{};
}

Terminal::Done Terminal::do_source(Words words) {
  if (words.empty()) return Unexpected{Problem{"source needs a file", "source steps.dbg"}};
  if (!std::ifstream(std::string(words))) return Unexpected{Problem{"'" + std::string(words) + "' cannot be read", ""}};
  if (run_script(std::string(words), script_depth_ + 1)) return std::monostate{};
  return Unexpected{Problem{"the script '" + std::string(words) + "' was not done to its end", ""}};
}

Terminal::Done Terminal::do_record(Words words) {
  if (words.empty()) {
    screen_.line(record_.empty() ? "nothing is recorded" : "commands go to " + record_);
    return std::monostate{};
  }
  if (words == "off") {
    record_.clear();
    return std::monostate{};
  }
  if (!std::ofstream(std::string(words), std::ios::app))
    return Unexpected{Problem{"'" + std::string(words) + "' cannot be written", ""}};
  record_ = std::string(words);
  return std::monostate{};
}

Terminal::Done Terminal::do_history(Words words) {
  constexpr std::size_t kShown = 20;
  const auto count = words.empty() ? std::optional<std::uint64_t>(kShown) : parse_number(words);
  if (!count) return Unexpected{Problem{"'" + std::string(words) + "' is no number", "history 20"}};
  const std::size_t from = done_.size() > *count ? done_.size() - static_cast<std::size_t>(*count) : 0;
  for (std::size_t i = from; i < done_.size(); ++i) screen_.line("  " + done_[i]);
  return std::monostate{};
}

// ---- help ----

namespace {

std::string_view title_of(Terminal::Group group) {
  using G = Terminal::Group;
  switch (group) {
    case G::going: return "Forwards";
    case G::back: return "Backwards";
    case G::stops: return "Stops";
    case G::programs: return "Programs";
    case G::looking: return "Looking";
    case G::changing: return "What if";
    case G::other: return "The session";
  }
  return "";
}

std::string in_column(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

}  // namespace

Terminal::Done Terminal::do_help(Words words) {
  constexpr std::size_t kName = 26;
  if (words == "expressions" || words == "functions") {
    for (const FunctionHelp& function : expression_functions())
      screen_.line("  " + in_column(function.signature, kName) + std::string(function.summary));
    return std::monostate{};
  }
  if (words.empty()) {
    std::optional<Group> group;
    for (const Command& command : commands()) {
      if (group != command.group) screen_.line(screen_.ink(Ink::strong, title_of(command.group)));
      group = command.group;
      const std::string names =
          std::string(command.name) + (command.letters.empty() ? "" : " (" + std::string(command.letters) + ")");
      screen_.line("  " + in_column(names, kName) + std::string(command.summary));
    }
    screen_.line(
        "A command may be cut short; an empty line repeats the last step. `help expressions` lists functions.");
    return std::monostate{};
  }
  const auto command = find_command(words);
  if (!command) return Unexpected{command.error()};
  screen_.line(screen_.ink(Ink::strong, (*command)->usage) + "  " + std::string((*command)->summary));
  if (!(*command)->letters.empty()) screen_.line("also: " + std::string((*command)->letters));
  return std::monostate{};
}

Terminal::Done Terminal::do_kill(Words) {
  has_quit_ = is_killed_ = true;
  return std::monostate{};
}

Terminal::Done Terminal::do_quit(Words) {
  has_quit_ = true;
  return std::monostate{};
}

}  // namespace lockstep::debugger
