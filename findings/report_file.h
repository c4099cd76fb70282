// Report files: a launch's findings for other programs: JSON, SARIF 2.1.0, JUnit, GitHub's annotations, and the
// baseline for later runs. Invariant: a report of the same launch is the same bytes (no times, no thread counts), and
// is well-formed whatever bytes names and sources hold. Not here: files, text for people (render_text.cpp), what is
// silenced (silence.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "findings/check_coverage.h"
#include "findings/code_coverage.h"
#include "findings/finding.h"

namespace lockstep {

/// Why a finding does not count.
enum class Silence : std::uint8_t { none, comment, baseline };

struct ReportedFinding {
  Finding finding;
  std::string fingerprint;  // 16 hex digits; stays when lines move (silence.h)
  Silence silence = Silence::none;
};

/// The launch of a report.
struct ReportFacts {
  std::string version;  // of Lockstep
  std::string kernel, source;
  std::string target, triton, memory_model;
  std::string checkers;                                               // "bounds, lanes"
  std::string outcome = "completed";                                  // or why it ended
  std::uint64_t programs_run = 0, programs_total = 0, schedules = 1;  // schedules: orders of programs tried
  std::uint64_t bytes_read = 0, bytes_written = 0;                    // by the kernel, masked lanes not counted
  CheckCoverage covered;
  std::optional<CodeCoverage> code;            // of the kernel's source; nullopt: not asked for
  /// What else was asked for, by key: JSON.
  std::vector<std::pair<std::string, std::string>> answers;
  std::optional<Tier> fails_on = Tier::error;  // lowest tier that counts as failed; nullopt: none does
  /// The page of a code, as Markdown; "": there is none. Null: no pages.
  std::string_view (*page_of)(std::string_view code) = nullptr;
  std::string documents;  // address of the documents, ".../": a code's page is at errors/LS101/; "": nobody has said
};

std::string render_json(const ReportFacts& facts, const std::vector<ReportedFinding>& findings);
std::string render_sarif(const ReportFacts& facts, const std::vector<ReportedFinding>& findings);
std::string render_junit(const ReportFacts& facts, const std::vector<ReportedFinding>& findings);
/// One line each: `::error file=...`; silenced ones are left out.
std::string render_github(const ReportFacts& facts, const std::vector<ReportedFinding>& findings);
/// One line each, sorted; parse_baseline reads it.
std::string render_baseline(const ReportFacts& facts, const std::vector<ReportedFinding>& findings);

/// "json", "sarif", "junit", "github" or "baseline"; null: no such format.
using RenderReport = std::string (*)(const ReportFacts&, const std::vector<ReportedFinding>&);
RenderReport report_format(std::string_view name);

/// The place of a finding, for programs: 1-based, columns in code points. line 0: none.
struct ReportPlace {
  std::string file;
  std::uint32_t line = 0, column = 0, end_column = 0;  // end_column: one past the last; 0: unknown
};
ReportPlace place_of(const Location& location);
inline constexpr std::string_view kSarifSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// A path as a URI reference: relative as it stands, absolute as file://.
std::string uri_of(const std::string& path);
/// "program (7,0,0), lane (3,17), k = 1, the last of 2 iterations, tt.load; 42 lanes in 3 programs": the same words in
/// every report.
std::string where_of(const Finding& finding);
/// True if it counts against the launch.
bool is_failure(const ReportFacts& facts, const ReportedFinding& one);

}  // namespace lockstep
