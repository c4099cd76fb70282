#include "cli/listings/first_launch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "cli/listings/summary.h"
#include "driver/launch/kernel_target.h"
#include "driver/launch/launch_guess.h"
#include "driver/launch/prepared_launch.h"
#include "driver/words/quantities.h"
#include "sanitizer/core/checked_kernel.h"
#include "support/ascii.h"

namespace lockstep::cli {
namespace {

constexpr double kTrialSeconds = 2;
constexpr std::size_t kShownReason = 76, kCommandWidth = 100;

std::string cut(const std::string& text) {
  return text.size() <= kShownReason ? text : text.substr(0, kShownReason - 3) + "...";
}

/// As one word for a POSIX shell, with nothing that the shell would run.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "_-+=:,./@%[]";
  const auto needs_none = [&](char c) { return is_letter(c) || is_digit(c) || plain.find(c) != plain.npos; };
  if (!word.empty() && std::all_of(word.begin(), word.end(), needs_none)) return word;
  if (word.find_first_of("\"$`\\!") == std::string::npos) return "\"" + word + "\"";
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

struct Trial {
  bool is_fine = false;
  std::string text;  // "8 programs, no errors", or what went wrong
};

Trial try_launch(const driver::LaunchSpec& spec) {
  DiagnosticSink sink;
  driver::PreparedLaunch session(spec, sink);
  const auto first_error = [&] { return sink.diagnostics().empty() ? "" : sink.diagnostics().front().message; };
  if (!prepare(session)) return {false, first_error()};
  interpreter::LaunchRequest request = session.request();
  request.print = [](const std::string&) {};
  request.limits.timeout_seconds = kTrialSeconds;
  const auto report = sanitizer::launch_checked(request, spec.checks, sink);
  if (!report) return {false, first_error()};
  if (report->outcome != interpreter::Outcome::completed) return {false, "it did not end within 2 s"};
  for (const Finding& finding : report->findings.findings()) {
    if (finding.tier == Tier::error) return {false, finding.message};
  }
  return {true, driver::format_count(report->programs_run, "program") + ", findings: " + count_findings(report->findings)};
}

std::map<std::string, std::string> by_name(const std::vector<std::string>& arguments) {
  std::map<std::string, std::string> given;
  for (const std::string& one : arguments) {
    const std::size_t equals = one.find('=');
    if (equals != std::string::npos) given.emplace(one.substr(0, equals), one.substr(equals + 1));
  }
  return given;
}

std::string command_text(const std::string& command, const std::string& target, const driver::LaunchGuess& guess) {
  std::vector<std::string> words{"lockstep", command, quoted(target), "--grid " + quoted(guess.grid)};
  for (const std::string& one : guess.arguments) words.push_back(quoted(one));
  std::string text;
  std::size_t column = 2;
  for (const std::string& word : words) {
    const bool breaks = !text.empty() && column + 1 + word.size() > kCommandWidth;
    text += text.empty() ? "  " : breaks ? " \\\n    " : " ";
    column = (breaks ? 4 : column + 1) + word.size();
    text += word;
  }
  return text + "\n";
}

std::string parameter_table(const frontend::KernelReading& reading) {
  std::size_t widest = 0;
  for (const auto& one : reading.parameters) widest = std::max(widest, one.name.size());
  std::string text;
  for (const auto& one : reading.parameters) {
    std::string why = one.line == 0 && one.why.empty() ? "not used in the kernel" : one.why;
    if (one.line != 0) why = "line " + std::to_string(one.line) + (why.empty() ? "" : ": " + why);
    if (one.has_default) why += why.empty() ? "has a default" : " (has a default)";
    const std::string kind(driver::kind_word(one.kind));
    text += "  " + one.name + std::string(widest - one.name.size() + 2, ' ') + kind +
            std::string(12 - kind.size(), ' ') + cut(why) + "\n";
  }
  return text;
}

std::string unknown_text(const driver::LaunchGuess& guess) {
  std::string text;
  for (const std::string& one : guess.unknown) {
    text += "A tensor descriptor needs a tensor and the shape of its blocks: " + one + "_data=randn:f16[64,64] " + one +
            "=\"desc(" + one + "_data, block=[16,32])\"\n";
  }
  return text;
}

}  // namespace

std::string first_launch(const std::string& command, const std::string& target, const std::string& grid,
                         const std::vector<std::string>& arguments, bool has_color, bool is_brief) {
  const auto parsed = driver::parse_target(target);
  if (!parsed || parsed->kind != driver::KernelTarget::Kind::python) return "";
  DiagnosticSink sink;
  const auto kernel = driver::choose_kernel(*parsed, sink);
  const auto reading = kernel ? frontend::read_kernel_text(parsed->path, *kernel) : std::nullopt;
  if (!reading) return "";
  driver::LaunchSpec spec;
  spec.target = target;
  driver::LaunchGuess guess;
  Trial trial;
  const driver::GuessWays tried[] = {{false, "f32"}, {false, "f16"}, {true, "f32"}, {true, "f16"}};
  for (const driver::GuessWays& ways : tried) {
    guess = driver::guess_launch(*reading, by_name(arguments), ways);
    if (!grid.empty()) guess.grid = grid;
    spec.grid = guess.grid;
    spec.arguments = guess.arguments;
    trial = try_launch(spec);
    if (trial.is_fine) break;
  }
  if (is_brief && !trial.is_fine) return "";
  const auto bold = [&](const std::string& text) { return has_color ? "\033[1m" + text + "\033[0m" : text; };
  std::string text;
  if (!is_brief) {
    text = "\n" + bold(reading->signature) + "  " + parsed->path + ":" + std::to_string(kernel->line) + "\n\n" +
           parameter_table(*reading) + "\n" + unknown_text(guess);
  }
  text += trial.is_fine ? "This command works (" + trial.text + "); change its numbers to yours:\n"
                        : "A command to start with; when tried, it stops with: " + trial.text + "\n";
  return text + bold(command_text(command, target, guess));
}

}  // namespace lockstep::cli
