#include "debugger/terminal/terminal.h"

#include <algorithm>
#include <fstream>

#include "debugger/terminal/inspect.h"
#include "debugger/terminal/pause_on_interrupt.h"

namespace lockstep::debugger {

namespace {

constexpr const char* kPrompt = "(lockstep) ";
constexpr std::size_t kMostScripts = 16;  // that read one another

bool is_word_part(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'; }

}  // namespace

Terminal::Terminal(Session& session, const Screen& screen, Options options)
    : session_(session),
      screen_(screen),
      options_(std::move(options)),
      script_runner_([this](const std::string& path) { return run_script(path); }),
      context_{session, screen, state_, script_runner_} {
  state_.at_end = options_.at_end;
  state_.is_batch = options_.is_batch;
}

Done Terminal::perform(const std::string& line) {
  std::string_view rest = trimmed(line);
  std::size_t end = 0;
  while (end < rest.size() && is_word_part(rest[end])) ++end;
  if (end == 0) return Unexpected{Problem{"'" + std::string(rest) + "' is not a command", "`help` lists them"}};
  const auto command = find_command(rest.substr(0, end));
  if (!command) return Unexpected{command.error()};
  repeated_ = (*command)->repeats ? std::string(rest) : "";
  if (*command != last_) state_.next_listed.reset();
  last_ = *command;
  return last_->run(context_, trimmed(rest.substr(end)));
}

void Terminal::show_problem(const Problem& problem, const std::string& place) {
  screen_.line(screen_.ink(Ink::red, place.empty() ? "error:" : place + ": error:") + " " + problem.message);
  if (!problem.hint.empty()) screen_.line(screen_.ink(Ink::faint, "hint: ") + problem.hint);
}

Done Terminal::type(const std::string& line) {
  const std::string_view text = trimmed(line);
  if (text.empty() || text.front() == '#') return {};
  const auto done = perform(std::string(text));
  if (!done) return done;
  state_.done.emplace_back(text);
  if (!state_.record.empty() && !text.starts_with("record"))
    std::ofstream(state_.record, std::ios::app) << text << "\n";
  return done;
}

/// False: the command failed. `place`: of a script's line.
bool Terminal::run_line(const std::string& line, const std::string& place) {
  const std::string_view text = trimmed(line);
  if (text.empty() || text.front() == '#') return true;
  if (!place.empty()) screen_.line(screen_.ink(Ink::faint, kPrompt) + std::string(text));
  const auto done = type(line);
  if (!done) show_problem(done.error(), place);
  return done.has_value();
}

bool Terminal::run_script(const std::string& path) {
  const std::size_t depth = script_depth_ + 1;
  std::ifstream stream(path);
  if (!stream || depth > kMostScripts) {
    show_problem({depth > kMostScripts ? "scripts source one another in a cycle" : "'" + path + "' cannot be read", ""},
                 "");
    return false;
  }
  const std::size_t before = std::exchange(script_depth_, depth);
  bool is_fine = true;
  std::string line;
  for (std::uint64_t number = 1; is_fine && !state_.has_quit && std::getline(stream, line); ++number)
    is_fine = run_line(line, path + ":" + std::to_string(number)) || !options_.is_batch;
  script_depth_ = before;
  return is_fine;
}

Terminal::End Terminal::run() {
  const PauseOnInterrupt guard(session_);
  show_halt(context_);
  bool is_fine = true;
  for (const std::string& path : options_.scripts) {
    if (is_fine && !state_.has_quit) is_fine = run_script(path) || !options_.is_batch;
  }
  for (const std::string& command : options_.commands) {
    if (is_fine && !state_.has_quit) is_fine = run_line(command, "--command") || !options_.is_batch;
  }
  if (!options_.is_batch) talk();
  const auto& findings = session_.engine().findings();
  const bool has_errors =
      std::any_of(findings.begin(), findings.end(), [](const auto& entry) { return entry.second.tier == Tier::error; });
  return {!is_fine, has_errors, state_.is_killed};
}

void Terminal::talk() {
  const LineInput::Complete completer = [this](const std::string& line, std::size_t begin) {
    return complete(line, begin);
  };
  const auto input = options_.input ? options_.input(completer) : LineInput::make(completer);
  if (input->is_interactive()) screen_.line(screen_.ink(Ink::faint, "`help` lists the commands, `q` ends"));
  while (!state_.has_quit && !(options_.at_end == AtEnd::leaves && session_.engine().point() == nullptr)) {
    auto line = input->read(kPrompt);
    if (!line) break;
    if (trimmed(*line).empty() && input->is_interactive()) line = repeated_;
    run_line(*line, "");
  }
}

// ---- completion ----

namespace {

void keep_prefixed(std::vector<std::string>& names, std::string_view prefix) {
  std::erase_if(names, [&](const std::string& name) { return !name.starts_with(prefix); });
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace

std::vector<std::string> Terminal::complete(const std::string& line, std::size_t begin) const {
  const std::string word = line.substr(std::min(begin, line.size()));
  std::vector<std::string> names;
  std::string_view rest = std::string_view(line).substr(0, begin);
  const std::string_view name = take_word(rest);
  if (name.empty()) {
    for (const Command& command : all_commands()) names.emplace_back(command.name);
  } else if (const auto command = find_command(name); !command) {
    return {};
  } else if ((*command)->candidates != nullptr) {
    names = (*command)->candidates(session_);
  } else {
    names = session_.scope().names();
    for (const FunctionHelp& function : expression_functions()) names.emplace_back(function.name);
  }
  keep_prefixed(names, word);
  return names;
}

}  // namespace lockstep::debugger
