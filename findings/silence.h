// Which findings do not count: those whose source line has `# lockstep: ignore[LS401]`, and those of a baseline, a file
// that `--report baseline=FILE` wrote. Invariant: a comment silences only the codes that it names, and a fingerprint
// only findings of the same code, kernel, op, argument and source text.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "findings/report_file.h"
#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep {

/// Fingerprints.
using Baseline = std::set<std::string, std::less<>>;

/// Errors: LS1921, a line that is neither empty, nor a comment, nor begins with a fingerprint.
Expected<Baseline, Status> parse_baseline(std::string_view text, const std::string& path);

/// The codes in a source line's `# lockstep: ignore[LS401, LS402]`.
std::vector<std::string> ignored_codes(std::string_view line);

/// The findings with fingerprints and their silencer: a comment in the line of the finding or of a call that led there,
/// or alone in the line above; else the baseline.
std::vector<ReportedFinding> judge_findings(const Report& report, const std::string& kernel, const Baseline& baseline);

/// Those that count.
Report counting(const std::vector<ReportedFinding>& findings);

}  // namespace lockstep
