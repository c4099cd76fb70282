#include "debugger/terminal/terminal.h"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "debugger/session/overview.h"
#include "debugger/terminal/pause_on_interrupt.h"

namespace lockstep::debugger {

namespace {

constexpr const char* kPrompt = "(lockstep) ";
constexpr std::size_t kMostScripts = 16;  // that read one another

bool is_word_part(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'; }

}  // namespace

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// ---- commands ----

namespace {

bool has_letters(const Terminal::Command& command, std::string_view name) {
  std::string_view letters = command.letters;
  while (!letters.empty()) {
    if (take_word(letters) == name) return true;
  }
  return false;
}

}  // namespace

Expected<const Terminal::Command*, Problem> Terminal::find_command(std::string_view name) {
  std::vector<const Command*> found;
  for (const Command& command : commands()) {
    if (command.name == name || has_letters(command, name)) return &command;
    if (command.name.starts_with(name)) found.push_back(&command);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    const std::string near = nearest_name(name, names);
    return Unexpected{Problem{"there is no command '" + std::string(name) + "'",
                              near.empty() ? "`help` lists them" : "did you mean '" + near + "'?"}};
  }
  std::string all;
  for (const Command* one : found) all += (all.empty() ? "" : ", ") + std::string(one->name);
  return Unexpected{Problem{"'" + std::string(name) + "' is the beginning of several commands", all}};
}

Terminal::Done Terminal::perform(const std::string& line) {
  std::string_view rest = trimmed(line);
  std::size_t end = 0;
  while (end < rest.size() && is_word_part(rest[end])) ++end;
  if (end == 0) return Unexpected{Problem{"'" + std::string(rest) + "' is no command", "`help` lists them"}};
  const auto command = find_command(rest.substr(0, end));
  if (!command) return Unexpected{command.error()};
  last_ = (*command)->repeats ? std::string(rest) : "";
  if ((*command)->name != "list") list_from_.reset();
  if ((*command)->name != "ttir") ttir_from_.reset();
  return (this->*(*command)->run)(trimmed(rest.substr(end)));
}

void Terminal::show_problem(const Problem& problem, const std::string& place) {
  screen_.line(screen_.ink(Ink::red, place.empty() ? "error:" : place + ": error:") + " " + problem.message);
  if (!problem.hint.empty()) screen_.line(screen_.ink(Ink::faint, "hint: ") + problem.hint);
}

Terminal::Done Terminal::type(const std::string& line) {
  const std::string_view text = trimmed(line);
  if (text.empty() || text.front() == '#') return std::monostate{};
  const auto done = perform(std::string(text));
  if (!done) return done;
  done_.emplace_back(text);
  if (!record_.empty() && !text.starts_with("record")) {
    std::ofstream(record_, std::ios::app) << text << "\n";
  }
  return done;
}

/// False: it could not be done. `place`: of a script's line.
bool Terminal::run_line(const std::string& line, const std::string& place) {
  const std::string_view text = trimmed(line);
  if (text.empty() || text.front() == '#') return true;
  if (!place.empty()) screen_.line(screen_.ink(Ink::faint, kPrompt) + std::string(text));
  const auto done = type(line);
  if (!done) show_problem(done.error(), place);
  return done.has_value();
}

bool Terminal::run_script(const std::string& path, std::size_t depth) {
  std::ifstream stream(path);
  if (!stream || depth > kMostScripts) {
    show_problem({depth > kMostScripts ? "scripts read one another without end" : "'" + path + "' cannot be read", ""},
                 "");
    return false;
  }
  const std::size_t before = std::exchange(script_depth_, depth);
  bool is_fine = true;
  std::string line;
  for (std::uint64_t number = 1; is_fine && !has_quit_ && std::getline(stream, line); ++number)
    is_fine = run_line(line, path + ":" + std::to_string(number)) || !options_.is_batch;
  script_depth_ = before;
  return is_fine;
}

Terminal::End Terminal::run() {
  const PauseOnInterrupt guard(session_);
  show_halt();
  bool is_fine = true;
  for (const std::string& path : options_.scripts) {
    if (is_fine && !has_quit_) is_fine = run_script(path, 1) || !options_.is_batch;
  }
  for (const std::string& command : options_.commands) {
    if (is_fine && !has_quit_) is_fine = run_line(command, "--command") || !options_.is_batch;
  }
  if (!options_.is_batch) talk();
  const auto& findings = session_.engine().findings();
  const bool has_errors =
      std::any_of(findings.begin(), findings.end(), [](const auto& entry) { return entry.second.tier == Tier::error; });
  return {!is_fine, has_errors, is_killed_};
}

void Terminal::talk() {
  const LineInput::Complete completer = [this](const std::string& line, std::size_t begin) {
    return complete(line, begin);
  };
  const auto input = options_.input ? options_.input(completer) : LineInput::make(completer);
  while (!has_quit_ && !(options_.at_end == AtEnd::leaves && session_.engine().point() == nullptr)) {
    auto line = input->read(kPrompt);
    if (!line) break;
    if (trimmed(*line).empty() && input->is_interactive()) line = last_;
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

std::vector<std::string> places_to_stop(const Session& session) {
  const DebugKernel& kernel = session.engine().kernel();
  std::vector<std::string> names = functions_of(kernel);
  for (std::string& name : session.calls().functions()) names.push_back(std::move(name));
  for (const std::string& loop : loops_of(kernel)) names.push_back("loop:" + loop);
  for (const std::string* file : files_of(kernel)) names.push_back(file_name(*file) + ":");
  for (const Point& point : kernel.points()) names.push_back("op:" + std::string(point.op->spelling()));
  return names;
}

}  // namespace

std::vector<std::string> Terminal::complete(const std::string& line, std::size_t begin) const {
  const std::string word = line.substr(std::min(begin, line.size()));
  std::vector<std::string> names;
  std::string_view rest = std::string_view(line).substr(0, begin);
  const std::string_view name = take_word(rest);
  if (name.empty()) {
    for (const Command& command : commands()) names.emplace_back(command.name);
  } else if (const auto command = find_command(name); !command) {
    return {};
  } else if ((*command)->name == "info") {
    for (const Topic& topic : topics()) names.emplace_back(topic.name);
  } else if ((*command)->name == "help") {
    for (const Command& one : commands()) names.emplace_back(one.name);
  } else if ((*command)->name == "catch") {
    for (const CatchFilter& filter : catch_filters()) names.emplace_back(filter.name);
  } else if ((*command)->name == "break" || (*command)->name == "tbreak" || (*command)->name == "until" ||
             (*command)->name == "log") {
    names = places_to_stop(session_);
  } else {
    names = session_.scope().names();
    for (const FunctionHelp& function : expression_functions()) names.emplace_back(function.name);
  }
  keep_prefixed(names, word);
  return names;
}

}  // namespace lockstep::debugger
