#include "debugger/launch/mismatch.h"

#include <algorithm>
#include <set>

#include "debugger/launch_queries/expected_tensor.h"
#include "enclosure/tolerance.h"
#include "interpreter/batching/effects.h"
#include "interpreter/launch/recording.h"

namespace lockstep::debugger {

namespace {

bool is_on(const sanitizer::CheckOptions& checks) {
  DiagnosticSink sink;
  const auto looks = sanitizer::parse_checkers(sanitizer::kExpectationChecker, sink);
  return looks && (checks.checkers & looks->checkers) != 0;
}

/// "LS101, LS205": errors that make results wrong by themselves. Codes of floats (LS6xx) describe how a result is
/// wrong, and may have the same cause.
std::string explaining(const Report& report) {
  std::set<FindingCode> codes;
  for (const Finding& finding : report.findings()) {
    if (finding.tier == Tier::error && row_of(finding.code).family != FindingClass::floating) codes.insert(finding.code);
  }
  std::string text;
  for (const FindingCode code : codes) text += (text.empty() ? "" : ", ") + std::string(spelling(code));
  return text;
}

}  // namespace

MismatchSearch::MismatchSearch(const driver::LaunchSpec& options, const sanitizer::CheckOptions& checks,
                               driver::PreparedLaunch& session)
    : request_(session.request()),
      effects_(interpreter::effects_of(*request_.module, *request_.function)),
      context_{*request_.module, *request_.function, request_, request_.profile, checks, effects_} {
  // Launches of changed kernels do not count: they are neither recorded nor do they make findings.
  const bool is_recording = !interpreter::recording_folder().empty();
  if (session.expectations().empty() || !is_on(checks) || is_recording) return;
  for (const driver::Expectation& expected : session.expectations()) {
    const driver::Tensor& tensor = *session.find_tensor(expected.request.name);
    const memory_model::View& view = session.memory().view(tensor.view);
    const enclosure::Tolerance tolerance = driver::tolerance_of(options, view.element);
    expectations_.push_back({tensor.view, [&view, &expected, tolerance, is_unsigned = tensor.is_unsigned] {
                               return outside_of(view, is_unsigned, expected.reference.data.data(),
                                                           tolerance);
                             }});
  }
  before_ = sanitizer::keep_for_mismatch(context_);
}

std::string MismatchSearch::locate(interpreter::LaunchReport& report, const std::atomic<bool>& stop) {
  if (before_ == nullptr || report.outcome != interpreter::Outcome::completed || report.rolled_back) return "";
  const bool is_met = std::all_of(expectations_.begin(), expectations_.end(),
                                  [](const sanitizer::Expectation& one) { return one.compare().elements == 0; });
  if (is_met) return "";
  if (const std::string codes = explaining(report.findings); !codes.empty())
    return "note: fix " + codes + " first; Lockstep then searches for a change of the kernel that fixes the result\n";
  request_.stop = &stop;
  for (Finding& finding : sanitizer::locate_mismatch(context_, *before_, expectations_))
    report.findings.add(std::move(finding));
  report.findings.sort();
  return "";
}

}  // namespace lockstep::debugger
