#include "cli/exit_code.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace lockstep::cli {
namespace {

bool is_environment(DiagnosticCode code) { return code.family() == DiagnosticClass::environment; }

bool is_error(const Diagnostic& one) {
  return one.severity == Severity::error || one.severity == Severity::unsupported;
}

}  // namespace

bool use_color(int descriptor) {
  if (isatty(descriptor) == 0 || std::getenv("NO_COLOR") != nullptr) return false;
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) != "dumb";
}

ExitCode report(const DiagnosticSink& sink) {
  const std::string text = render_text(sink, use_color(STDERR_FILENO));
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (!sink.has_errors()) return ExitCode::clean;
  if (sink.only_unsupported()) return ExitCode::unsupported;
  const auto& all = sink.diagnostics();
  const bool is_only_environment = std::all_of(
      all.begin(), all.end(), [](const Diagnostic& one) { return !is_error(one) || is_environment(one.code); });
  return is_only_environment ? ExitCode::environment : ExitCode::usage;
}

ExitCode report(const Status& status) {
  const std::string text = render_text(status, use_color(STDERR_FILENO));
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return is_environment(status.code) ? ExitCode::environment : ExitCode::usage;
}

}  // namespace lockstep::cli
