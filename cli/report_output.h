// --report and --baseline of `lockstep run`: the requests, and the files written after the launch.
#pragma once

#include <string>
#include <vector>

#include "driver/launch/launch_spec.h"
#include "findings/report_file.h"
#include "findings/silence.h"
#include "interpreter/launch/launch.h"
#include "sanitizer/core/check_options.h"
#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::cli {

struct ReportRequest {
  RenderReport render = nullptr;
  std::string path;  // empty: standard output
};

/// Parses "FORMAT" and "FORMAT=FILE". Errors: LS1922 no such format, or two reports for standard output; LS2110 a file
/// cannot be written.
Expected<std::vector<ReportRequest>, Status> parse_reports(const std::vector<std::string>& texts);
/// Errors: LS3001, LS3002 the file is unreadable; LS1921 it is not a baseline. "": no baseline, nothing in it.
Expected<Baseline, Status> read_baseline(const std::string& path);
/// True if a report goes to standard output, which then holds nothing else.
bool has_report_on_output(const driver::LaunchSpec& options);

/// The name in reports: "completed", "timed out".
std::string outcome_name(interpreter::Outcome outcome);

/// The facts of the launch for reports.
ReportFacts report_facts(const driver::LaunchSpec& options, const std::string& kernel, const TargetProfile& profile,
                         const sanitizer::CheckOptions& checks, const interpreter::LaunchReport& report,
                         CheckCoverage covered);
/// Errors: LS2110.
Expected<void, Status> write_reports(const std::vector<ReportRequest>& requests, const ReportFacts& facts,
                                               const std::vector<ReportedFinding>& findings);

}  // namespace lockstep::cli
