#include "cli/listings/first_launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/exit_code.h"
#include "driver/files/npy.h"
#include "driver/launch/kernel_target.h"
#include "driver/launch/launch_guess.h"
#include "driver/launch/outputs.h"
#include "driver/launch/prepared_launch.h"
#include "driver/words/quantities.h"
#include "sanitizer/core/checked_kernel.h"
#include "support/ascii.h"

namespace lockstep::cli {
namespace {

constexpr double kTrialSeconds = 2;
constexpr std::size_t kShownReason = 76, kCommandWidth = 100, kMostKernels = 20;

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

/// How a command that was tried ended, the best first.
enum class Ending : std::uint8_t { ran, out_of_bounds, refused };

struct Trial {
  Ending ending = Ending::refused;
  std::string text;         // a sentence about it
  bool is_too_slow = false;  // no other guess will be quicker
};

/// "finds LS302: race on counts[0]: ...", and how many more of its tier.
std::string found_text(const Report& report) {
  const auto& all = report.findings();
  const auto worst = std::min_element(all.begin(), all.end(), [](const Finding& a, const Finding& b) { return a.tier < b.tier; });
  if (worst == all.end() || worst->tier == Tier::info) return "";
  const auto more = std::count_if(all.begin(), all.end(), [&](const Finding& one) { return one.tier == worst->tier; }) - 1;
  return std::string(spelling(worst->code)) + (worst->tier == Tier::error ? "" : ", a warning") + ": " + worst->message +
         (more == 0 ? "" : ", and " + std::to_string(more) + " more");
}

Trial refused(std::string why) { return {Ending::refused, "A command to begin with; tried, it stops with: " + std::move(why) + "\n"}; }

Trial judged(const interpreter::LaunchReport& report) {
  const std::string programs = driver::format_count(report.programs_run, "program"), found = found_text(report.findings);
  if (found.empty())
    return {Ending::ran, "This command runs to the end (" + programs + "); with these numbers nothing is found. Change them to yours:\n"};
  const auto& all = report.findings.findings();
  const bool leaves = std::any_of(all.begin(), all.end(), [](const Finding& one) {
    return one.tier == Tier::error && row_of(one.code).family == FindingClass::bounds;
  });
  const std::string doubt = leaves ? "If the kernel is for other shapes, change these to yours:\n" : "Change its numbers to yours:\n";
  return {leaves ? Ending::out_of_bounds : Ending::ran,
          "This command runs to the end (" + programs + ") and finds\n  " + found + "\n" + doubt};
}

/// As the command does it that was asked for, with the checks that it has by default.
Trial try_launch(const driver::LaunchSpec& spec) {
  DiagnosticSink sink;
  driver::PreparedLaunch session(spec, sink);
  const auto first_error = [&] {
    return refused(sink.diagnostics().empty() ? "its words" : sink.diagnostics().front().message);
  };
  const auto checks = driver::checks_of(spec, spec.check, sink);
  if (spec.target.empty() || !checks || !prepare(session)) return first_error();
  interpreter::LaunchRequest request = session.request();
  request.print = [](const std::string&) {};
  request.limits.timeout_seconds = kTrialSeconds;
  const auto report = sanitizer::launch_checked(request, *checks, sink);
  if (!report) return first_error();
  if (report->outcome == interpreter::Outcome::timed_out) {
    Trial slow = refused("it does not end within " + fmt::format("{:g} s", kTrialSeconds));
    slow.is_too_slow = true;
    return slow;
  }
  return report->outcome == interpreter::Outcome::deadlocked && found_text(report->findings).empty() ? refused("a deadlock")
                                                                                                     : judged(*report);
}

/// The shapes of the tensors that are given, and of what they are compared with.
std::map<std::string, std::vector<std::int64_t>> given_shapes(const driver::LaunchSpec& spec) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  DiagnosticSink sink;
  driver::PreparedLaunch session(spec, sink);
  if (spec.target.empty() || !session.read_target() || !session.read_arguments() || !session.read_kernel() || !session.make_tensors())
    return shapes;
  for (const driver::Tensor& tensor : session.tensors()) shapes[tensor.name] = session.memory().view(tensor.view).shape;
  for (const std::string& text : spec.expect) {
    const auto file = driver::parse_file_request("--expect", text);
    if (!file || shapes.contains(file->name)) continue;
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
    const auto array = file->key.empty() ? driver::read_npy(file->path, kMostBytes) : driver::read_npz(file->path, file->key, kMostBytes);
    if (array) shapes[file->name] = array->shape;
  }
  return shapes;
}

std::string command_text(const std::string& command, const driver::GivenWords& given) {
  std::vector<std::string> words{"lockstep", command, quoted(given.target)};
  if (!given.grid.empty()) words.push_back("--grid " + quoted(given.grid));
  for (const auto& [flag, value] : given.options) words.push_back(flag + (value.empty() ? "" : " " + quoted(value)));
  for (const std::string& one : given.arguments) words.push_back(quoted(one));
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

class FirstLaunch {
 public:
  FirstLaunch(std::string command, driver::GivenWords given, bool has_color)
      : command_(std::move(command)), given_(std::move(given)), has_color_(has_color) {}
  std::string text(bool is_brief);

 private:
  std::string bold(const std::string& text) const { return has_color_ ? "\033[1m" + text + "\033[0m" : text; }
  std::string list(const std::string& path, const std::vector<frontend::KernelInfo>& kernels) const;
  Trial find(const frontend::KernelReading& reading);
  void take_grid(const frontend::KernelReading& reading);
  void complete_options(const std::string& path);

  std::string command_;
  driver::GivenWords given_;
  bool has_color_;
  driver::GivenWords whole_;   // the command that is shown
  driver::LaunchGuess guess_;  // what it was made of
};

/// A signature and the next command for each.
std::string FirstLaunch::list(const std::string& path, const std::vector<frontend::KernelInfo>& kernels) const {
  std::string text = "\n" + path + " has " + std::to_string(kernels.size()) + " kernels; each of these commands tells how to launch one:\n\n";
  for (std::size_t i = 0; i < kernels.size() && i < kMostKernels; ++i) {
    const auto reading = frontend::read_kernel_text(path, kernels[i]);
    const std::string signature = reading ? reading->signature : kernels[i].name;
    text += "  " + signature + "\n" + bold("    lockstep " + command_ + " " + quoted(path + "::" + kernels[i].name)) + "\n";
  }
  return text + (kernels.size() > kMostKernels ? "  and " + std::to_string(kernels.size() - kMostKernels) + " more\n" : "");
}

/// `grid=64` among the arguments of a kernel that has no such parameter means --grid.
void FirstLaunch::take_grid(const frontend::KernelReading& reading) {
  constexpr std::string_view kWord = "grid=";
  const auto& parameters = reading.parameters;
  if (!given_.grid.empty() || std::any_of(parameters.begin(), parameters.end(), [](const auto& one) { return one.name == "grid"; })) return;
  const auto at = std::find_if(given_.arguments.begin(), given_.arguments.end(), [&](const std::string& one) { return one.starts_with(kWord); });
  if (at == given_.arguments.end()) return;
  given_.grid = at->substr(kWord.size());
  given_.arguments.erase(at);
}

/// The guess that ends best.
Trial FirstLaunch::find(const frontend::KernelReading& reading) {
  driver::GivenWords begun = given_;
  if (begun.grid.empty()) begun.grid = "1";
  const driver::GivenArguments known{given_.arguments, given_shapes(driver::launch_of(begun)), given_.grid};
  const driver::GuessWays tried[] = {{false, "f32"}, {false, "f16"}, {false, "i32"}, {true, "f32"}, {true, "f16"}};
  std::optional<Trial> best;
  for (const driver::GuessWays& ways : tried) {
    const driver::LaunchGuess guess = driver::guess_launch(reading, known, ways);
    driver::GivenWords words = given_;
    words.grid = guess.grid;
    words.arguments = guess.arguments;
    Trial trial = try_launch(driver::launch_of(words));
    const bool is_last = trial.ending != Ending::refused || trial.is_too_slow;
    if (!best || trial.ending < best->ending) {
      best = std::move(trial);
      whole_ = std::move(words);
      guess_ = guess;
    }
    if (is_last) break;
  }
  return *best;
}

/// As `command_` spells them, with those that it cannot do without.
void FirstLaunch::complete_options(const std::string& path) {
  auto& options = whole_.options;
  const auto has = [&](const char* flag) {
    return std::any_of(options.begin(), options.end(), [&](const auto& one) { return one.first == flag; });
  };
  if (command_ == "trace" && !has("--html"))
    options.emplace(options.begin(), "--html", std::filesystem::path(path).stem().string() + ".html");
  if (command_ != "enclose") return;
  for (auto& [flag, value] : options) {
    if (flag == "--expect") flag = "--against";
  }
}

std::string FirstLaunch::text(bool is_brief) {
  const auto parsed = driver::parse_target(given_.target);
  if (!parsed || parsed->kind != driver::KernelTarget::Kind::python) return "";
  DiagnosticSink sink;
  const auto kernels = frontend::list_kernels(parsed->path, sink);
  if (kernels && kernels->size() > 1 && parsed->kernel.empty()) return list(parsed->path, *kernels);
  const auto kernel = kernels ? driver::choose_kernel(*parsed, sink) : std::nullopt;
  const auto reading = kernel ? frontend::read_kernel_text(parsed->path, *kernel) : std::nullopt;
  if (!reading) return "";
  take_grid(*reading);
  const Trial trial = find(*reading);
  if (is_brief && trial.ending == Ending::refused) return "";
  const bool runs = command_ != "emit";
  if (!runs) whole_.grid.clear();
  std::string text;
  if (!is_brief) {
    text = "\n" + bold(reading->signature) + "  " + parsed->path + ":" + std::to_string(kernel->line) + "\n\n" +
           parameter_table(*reading) + "\n" + unknown_text(guess_);
  }
  complete_options(parsed->path);
  const bool prints = !runs && trial.ending != Ending::refused;
  return text + (prints ? "This command prints the kernel's IR. Change its numbers to yours:\n" : trial.text) + bold(command_text(command_, whole_));
}

}  // namespace

std::string first_launch(const std::string& command, const driver::GivenWords& given, bool has_color) {
  return FirstLaunch(command, given, has_color).text(false);
}

void show_whole_command(const std::string& command, const driver::LaunchSpec& spec, const DiagnosticSink& sink, OwnOptions own) {
  const auto& all = sink.diagnostics();
  const bool lacks = std::any_of(all.begin(), all.end(), [](const Diagnostic& one) { return one.code == "LS2031" || one.code == "LS2201" || one.code == "LS2021" || one.code == "LS1312"; });
  if (!lacks) return;
  driver::GivenWords given = driver::given_words(spec);
  given.options.insert(given.options.begin(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  std::fputs(FirstLaunch(command, std::move(given), use_color(STDERR_FILENO)).text(true).c_str(), stderr);
}

}  // namespace lockstep::cli
