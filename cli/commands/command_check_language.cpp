// `lockstep check-language`: finds what is wrong with the kernels of a file, folder or package, without types.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "backend_cuda/device/shared_library.h"
#include "cli/commands/command.h"
#include "driver/launch/constants.h"
#include "frontend/language_check.h"
#include "gpu_diff/report.h"
#include "support/diagnostics/report_status.h"
#include "support/json.h"
#include "support/target_profile.h"

namespace lockstep::cli {
namespace {

struct CheckLanguageOptions : driver::LaunchSpec {
  std::vector<std::string> targets;  // FILE.py, a folder or a package, each
  bool as_json = false;
};

namespace fs = std::filesystem;
using gpu_diff::json_list;
using frontend::CheckedFunction;

struct CheckedFile {
  std::string path;
  std::vector<CheckedFunction> functions;
  std::vector<Diagnostic> unreadable;  // why there are no functions
};

enum class Verdict : std::uint8_t { fine, wrong, unsupported };

Verdict verdict_of(const CheckedFunction& function) {
  if (function.problems.empty()) return Verdict::fine;
  const bool only_unsupported =
      std::all_of(function.problems.begin(), function.problems.end(),
                  [](const Diagnostic& one) { return one.severity == Severity::unsupported; });
  return only_unsupported ? Verdict::unsupported : Verdict::wrong;
}

std::string_view words_of(Verdict verdict) {
  constexpr std::string_view kWords[] = {"fine", "wrong", "not supported yet"};
  return kWords[static_cast<int>(verdict)];
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// Where Lockstep searches for a package: here, in --path, where Python's packages are.
std::vector<fs::path> roots(const std::vector<std::string>& search_path) {
  std::vector<fs::path> all{"."};
  all.insert(all.end(), search_path.begin(), search_path.end());
  for (const std::string& folder : backend_cuda::site_packages()) all.emplace_back(folder);
  return all;
}

/// FILE.py, a folder, or a package's folder or file; empty if there is none.
fs::path find_target(const std::string& name, const CheckLanguageOptions& options) {
  if (is_there(name)) return name;
  std::string relative = name;
  std::replace(relative.begin(), relative.end(), '.', '/');
  for (const fs::path& root : roots(options.search_path)) {
    if (is_there(root / relative)) return root / relative;
    if (is_there(root / (relative + ".py"))) return root / (relative + ".py");
  }
  return {};
}

bool may_have_kernels(const std::string& path) {
  const auto file = SourceFile::read(path);
  return file && (*file)->text().find("triton") != std::string_view::npos;
}

std::vector<std::string> python_files(const fs::path& target) {
  std::error_code error;
  if (!fs::is_directory(target, error)) return {target.string()};
  std::vector<std::string> files;
  const auto follows = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator it(target, follows, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    if (it->path().extension() == ".py" && it->is_regular_file(error) && may_have_kernels(path)) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The files of all targets, each once.
Expected<std::vector<std::string>, Status> files_of(const CheckLanguageOptions& options) {
  std::vector<std::string> all;
  std::set<std::string> seen;
  for (const std::string& name : options.targets) {
    const fs::path target = find_target(name, options);
    if (target.empty())
      return Unexpected{Status{"LS2202", "there is no file, folder or package '" + name + "'",
                               "Lockstep searches for packages here, in --path and where Python's packages are (`lockstep doctor`)"}};
    for (std::string& path : python_files(target)) {
      if (seen.insert(path).second) all.push_back(std::move(path));
    }
  }
  return all;
}

struct Totals {
  std::size_t files = 0, functions = 0, unreadable = 0;
  std::size_t by_verdict[3] = {0, 0, 0};
  void add(const CheckedFile& file) {
    ++files;
    unreadable += file.unreadable.empty() ? 0U : 1U;
    functions += file.functions.size();
    for (const CheckedFunction& function : file.functions) ++by_verdict[static_cast<int>(verdict_of(function))];
  }
  ExitCode code() const {
    if (unreadable > 0 || by_verdict[1] > 0) return ExitCode::usage;
    return by_verdict[2] > 0 ? ExitCode::unsupported : ExitCode::clean;
  }
};

std::string text_of(const CheckedFile& file, bool lists_fine) {
  std::string text;
  for (const Diagnostic& problem : file.unreadable) text += render_text(problem);
  for (const CheckedFunction& function : file.functions) {
    const Verdict verdict = verdict_of(function);
    if (verdict == Verdict::fine && !lists_fine) continue;
    text += file.path + ":" + std::to_string(function.line) + ": " + function.name + ": ";
    text += std::string(words_of(verdict)) + "\n";
    for (const Diagnostic& problem : function.problems) text += render_text(problem);
  }
  return text;
}

std::string text_of(const Totals& totals) {
  const auto counted = [](std::size_t number, const std::string& what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  std::string text = counted(totals.functions, "kernel") + " in " + counted(totals.files, "file") + ": " +
                     std::to_string(totals.by_verdict[0]) + " fine, " + std::to_string(totals.by_verdict[1]) +
                     " wrong, " + std::to_string(totals.by_verdict[2]) + " not supported yet (types are not checked)";
  if (totals.unreadable > 0) text += "; " + counted(totals.unreadable, "file") + " cannot be read";
  return text + "\n";
}

std::string problem_json(const Diagnostic& problem) {
  const LineColumn at =
      problem.span.file != nullptr ? problem.span.file->position(problem.span.range.begin) : LineColumn{};
  return "{\"code\": " + json_quoted(problem.code.spelling()) +
         ", \"severity\": " + json_quoted(std::string(spelling(problem.severity))) +
         ", \"message\": " + json_quoted(problem.message) + ", \"line\": " + std::to_string(at.line) +
         ", \"column\": " + std::to_string(at.column) + ", \"hint\": " + json_quoted(problem.hint) + "}";
}

std::string function_json(const CheckedFunction& function) {
  return "{\"name\": " + json_quoted(function.name) + ", \"line\": " + std::to_string(function.line) +
         ", \"verdict\": " + json_quoted(std::string(words_of(verdict_of(function)))) +
         ", \"problems\": " + json_list(function.problems, problem_json) + "}";
}

std::string file_json(const CheckedFile& file) {
  return "{\"path\": " + json_quoted(file.path) + ", \"problems\": " + json_list(file.unreadable, problem_json) +
         ", \"kernels\": " + json_list(file.functions, function_json) + "}";
}

CheckedFile check(const std::string& path, frontend::LanguageRequest& request) {
  DiagnosticSink sink;
  request.path = path;
  auto functions = frontend::check_language(request, sink);
  CheckedFile file{path, {}, {}};
  if (functions)
    file.functions = std::move(*functions);
  else
    file.unreadable = sink.diagnostics();
  return file;
}

ExitCode run_check_language(const CheckLanguageOptions& options) {
  DiagnosticSink sink;
  const auto profile = TargetProfile::parse(options.target_gpu);
  if (!profile) return report(profile.error());
  auto globals = driver::parse_constants(options.globals, sink);
  if (!globals) return report(sink);
  const auto paths = files_of(options);
  if (!paths) return report(paths.error());
  frontend::LanguageRequest request{"", std::move(*globals), options.search_path, profile->name()};
  Totals totals;
  std::vector<CheckedFile> files;
  for (const std::string& path : *paths) {
    files.push_back(check(path, request));
    totals.add(files.back());
    const std::string text = options.as_json ? "" : text_of(files.back(), paths->size() == 1);
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (!options.as_json) files.pop_back();
  }
  const std::string end = options.as_json ? "{\"files\": " + json_list(files, file_json) + "}\n" : text_of(totals);
  std::fwrite(end.data(), 1, end.size(), stdout);
  return totals.code();
}

void declare_check_language(OptionList& options, CheckLanguageOptions& check) {
  options.words("target", check.targets, "FILE.py, a folder, or a package on --path", {.is_required = true});
  options.flag("--json", check.as_json, "the same for programs");
  for (const char* flag : {"--as", "--global", "--path"}) options.launch_option(check, flag);
}

constexpr const char* kCheckLanguageFooter = R"(
Any number of files, folders and packages. Constructs that Triton does not compile, names that do not exist, module-level names that need --global, calls that fit
no signature, and what Lockstep does not support yet. Says nothing about types: docs/python.md.
Exit codes: 0 nothing found, 2 something is wrong, 4 only what is not supported yet.
Example:
  lockstep check-language examples/softmax.py)";

}  // namespace

extern const CommandRow kCheckLanguageCommand{
    .name = "check-language",
    .summary = "lint kernels without running them",
    .make = make_command<CheckLanguageOptions, declare_check_language, run_check_language>,
    .footer = kCheckLanguageFooter,
    .usage = " FILE.py ...",
};

}  // namespace lockstep::cli
