#include "cli/listings/summary.h"

#include <algorithm>

#include "driver/words/quantities.h"

namespace lockstep::cli {
namespace {

const char* outcome_text(interpreter::Outcome outcome) {
  switch (outcome) {
    case interpreter::Outcome::completed: return "";
    case interpreter::Outcome::interrupted: return "interrupted after ";
    case interpreter::Outcome::timed_out: return "stopped by --timeout after ";
    case interpreter::Outcome::out_of_memory: return "stopped by --max-memory after ";
    case interpreter::Outcome::deadlocked: return "deadlocked after ";
  }
  return "";
}

std::size_t count_tier(const Report& findings, Tier tier) {
  const auto& all = findings.findings();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const Finding& one) { return one.tier == tier; }));
}

}  // namespace

std::string count_findings(const Report& findings) {
  std::string text;
  const auto add = [&](Tier tier, const std::string& name) {
    const std::size_t count = count_tier(findings, tier);
    if (count > 0) text += (text.empty() ? "" : ", ") + driver::format_count(count, name);
  };
  add(Tier::error, "error");
  add(Tier::warning, "warning");
  const std::size_t infos = count_tier(findings, Tier::info);
  if (infos > 0) text += (text.empty() ? "" : ", ") + std::to_string(infos) + " info";
  return text.empty() ? "none" : text;
}

std::string format_summary(const std::string& kernel, const interpreter::LaunchReport& report,
                           const TargetProfile& profile, bool has_fusion, const LookedFor& looked) {
  std::string text = kernel + ": " + outcome_text(report.outcome);
  if (report.programs_run < report.programs_total) text += std::to_string(report.programs_run) + " of ";
  text += driver::format_count(report.programs_total, "program") + " in " + driver::format_seconds(report.seconds) + " on " +
          driver::format_count(report.threads, "thread") + ", as " + profile.name() +
          (has_fusion ? " with --fp-fusion on" : "") +
          (report.schedules > 1 ? ", in " + std::to_string(report.schedules) + " orders of programs" : "") + "\n";
  const bool is_told = looked.not_looked.empty() && !looked.none_means.empty() && report.findings.findings().empty();
  text += "  read " + driver::format_bytes(report.bytes_read) + ", wrote " + driver::format_bytes(report.bytes_written) +
          ", findings: " + count_findings(report.findings) +
          (looked.silenced == 0 ? "" : ", " + std::to_string(looked.silenced) + " silenced") +
          (looked.not_looked.empty() ? "" : " (" + looked.not_looked + "; --check all)") +
          (is_told ? " (" + looked.none_means + ")" : "") + "\n";
  return text;
}

std::string format_memory(std::uint64_t argument_bytes, const interpreter::LaunchReport& report) {
  return "  memory: arguments " + driver::format_bytes(argument_bytes) + ", scratch " + driver::format_bytes(report.scratch_bytes) +
         "\n";
}

bool reaches(const Report& findings, const std::string& fail_on) {
  if (fail_on == "none") return false;
  if (findings.has(Tier::error)) return true;
  if (fail_on != "error" && findings.has(Tier::warning)) return true;
  return fail_on == "info" && findings.has(Tier::info);
}

ExitCode code_of(interpreter::Outcome outcome, const Report& findings, const std::string& fail_on) {
  switch (outcome) {
    case interpreter::Outcome::interrupted: return ExitCode::interrupted;
    case interpreter::Outcome::timed_out:
    case interpreter::Outcome::out_of_memory: return ExitCode::stopped;
    case interpreter::Outcome::deadlocked: return ExitCode::findings;
    case interpreter::Outcome::completed: break;
  }
  return reaches(findings, fail_on) ? ExitCode::findings : ExitCode::clean;
}

}  // namespace lockstep::cli
