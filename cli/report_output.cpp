#include "cli/report_output.h"

#include <algorithm>
#include <cstdio>

#include "cli/listings/build_facts.h"
#include "cli/listings/error_pages.h"
#include "driver/launch/outputs.h"
#include "sanitizer/core/checker.h"
#include "support/source_file.h"

namespace lockstep::cli {

std::string outcome_name(interpreter::Outcome outcome) {
  switch (outcome) {
    case interpreter::Outcome::completed: return "completed";
    case interpreter::Outcome::interrupted: return "interrupted";
    case interpreter::Outcome::timed_out: return "timed out";
    case interpreter::Outcome::out_of_memory: return "out of memory";
    case interpreter::Outcome::deadlocked: return "deadlocked";
  }
  return "completed";
}

namespace {

std::string_view page_text_of(std::string_view code) {
  for (const ErrorPage& page : error_pages()) {
    if (page.code == code) return page.text;
  }
  return {};
}

std::optional<Tier> tier_of(const std::string& name) {
  for (const Tier tier : {Tier::error, Tier::warning, Tier::info}) {
    if (spelling(tier) == name) return tier;
  }
  return std::nullopt;
}

std::string names_of(std::uint32_t checkers) {
  std::string names;
  const auto& rows = sanitizer::checker_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((checkers >> i & 1) != 0) names += (names.empty() ? "" : ",") + std::string(rows[i].name);
  }
  return names;
}

}  // namespace

Expected<std::vector<ReportRequest>, Status> parse_reports(const std::vector<std::string>& texts) {
  std::vector<ReportRequest> made;
  bool has_output = false;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    const std::string format = text.substr(0, equals);
    const std::string path = equals == std::string::npos ? "" : text.substr(equals + 1);
    const RenderReport render = report_format(format);
    if (render == nullptr || (path.empty() && equals != std::string::npos)) {
      return Unexpected{Status{"LS1922", "--report " + text + " is not FORMAT or FORMAT=FILE",
                               "json, sarif, junit, github or baseline, for example --report sarif=lockstep.sarif"}};
    }
    if (path.empty() && std::exchange(has_output, true))
      return Unexpected{Status{"LS1922", "only one report can go to standard output", "give one of them a file: FORMAT=FILE"}};
    if (!path.empty()) {
      const auto writable = driver::check_writable(path);
      if (!writable) return Unexpected{writable.error()};
    }
    made.push_back({render, path});
  }
  return made;
}

Expected<Baseline, Status> read_baseline(const std::string& path) {
  if (path.empty()) return Baseline{};
  const auto file = SourceFile::read(path);
  if (!file) return Unexpected{file.error()};
  return parse_baseline((*file)->text(), path);
}

bool has_report_on_output(const driver::LaunchSpec& options) {
  return std::any_of(options.reports.begin(), options.reports.end(),
                     [](const std::string& text) { return text.find('=') == std::string::npos; });
}

ReportFacts report_facts(const driver::LaunchSpec& options, const std::string& kernel, const TargetProfile& profile,
                         const sanitizer::CheckOptions& checks, const interpreter::LaunchReport& report,
                         CheckCoverage covered) {
  ReportFacts facts;
  facts.version = build_version();
  facts.kernel = kernel;
  facts.source = options.target.substr(0, options.target.find("::"));
  facts.target = profile.name();
  facts.triton = options.triton;
  facts.memory_model = options.memory_model;
  facts.checkers = names_of(checks.checkers);
  facts.outcome = outcome_name(report.outcome);
  facts.programs_run = report.programs_run;
  facts.programs_total = report.programs_total;
  facts.schedules = report.schedules;
  facts.bytes_read = report.bytes_read;
  facts.bytes_written = report.bytes_written;
  facts.covered = std::move(covered);
  facts.fails_on = tier_of(options.fail_on);
  facts.page_of = page_text_of;
  facts.documents = documents_address();
  return facts;
}

Expected<void, Status> write_reports(const std::vector<ReportRequest>& requests, const ReportFacts& facts,
                                               const std::vector<ReportedFinding>& findings) {
  for (const ReportRequest& request : requests) {
    const std::string text = request.render(facts, findings);
    if (request.path.empty()) {
      std::fwrite(text.data(), 1, text.size(), stdout);
      continue;
    }
    auto written = driver::write_text(request.path, text);
    if (!written) return written;
  }
  return {};
}

}  // namespace lockstep::cli
