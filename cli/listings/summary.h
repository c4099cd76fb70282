// The end of a run: findings rendered, then one summary block.
#pragma once

#include <cstdint>
#include <string>

#include "cli/exit_code.h"
#include "findings/finding.h"
#include "interpreter/launch/launch.h"

namespace lockstep::cli {

/// "1 error, 2 warnings" or "none".
std::string count_findings(const Report& findings);

/// What the closing block shows about findings, besides their number.
struct LookedFor {
  std::size_t silenced = 0;  // do not count (findings/silence.h)
  std::string not_looked;    // "not looked for: races, lanes": so that "none" is not taken for more than it is; "": all was looked for
  std::string none_means;    // what "none" is worth, "as with --check all"; "": nothing is said
};
/// The closing block: what ran, by whose rules, how long, bytes read and written, findings by tier.
std::string format_summary(const std::string& kernel, const interpreter::LaunchReport& report,
                           const TargetProfile& profile, bool has_fusion, const LookedFor& looked = {});

/// The launch's peak memory: its arguments, and the scratch of all workers.
std::string format_memory(std::uint64_t argument_bytes, const interpreter::LaunchReport& report);

/// Whether the findings reach `fail_on` ("error", "warning", "info", "none").
bool reaches(const Report& findings, const std::string& fail_on);
/// The exit code of a command whose launch ended so.
ExitCode code_of(interpreter::Outcome outcome, const Report& findings, const std::string& fail_on = "error");

}  // namespace lockstep::cli
