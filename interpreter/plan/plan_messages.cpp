#include "interpreter/plan/plan_messages.h"

#include <utility>

namespace lockstep::interpreter {

Location PlanMessages::location_of(const ir::Op& op) const {
  Location location = op.location();
  if (location.innermost_file().is_unknown() && op.span().file) {  // .ttir text without locations: the text itself
    const LineColumn at = op.span().file->position(op.span().range.begin);
    location = module_.context().file_location(op.span().file->path(), at.line, at.column - 1);
  }
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    if (!(*call)->location().is_unknown()) location = module_.context().call_site(location, (*call)->location());
  }
  return location;
}

bool PlanMessages::unsupported_op(const ir::Op& op, std::string_view reason) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::unsupported;
  diagnostic.code = "LS1901";
  diagnostic.message =
      "'" + std::string(op.spelling()) + "' is not supported yet" + (reason.empty() ? "" : ": " + std::string(reason));
  report_at(op, std::move(diagnostic));
  return false;
}

bool PlanMessages::unsupported(const ir::Op& op, const std::string& what) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::unsupported;
  diagnostic.code = "LS1901";
  diagnostic.message = "'" + std::string(op.spelling()) + "': " + what + " not supported yet";
  report_at(op, std::move(diagnostic));
  return false;
}

bool PlanMessages::error(const ir::Op& op, const std::string& message) {
  Diagnostic diagnostic;
  diagnostic.code = "LS1902";
  diagnostic.message = "'" + std::string(op.spelling()) + "': " + message;
  report_at(op, std::move(diagnostic));
  return false;
}

bool PlanMessages::admits(const ir::Op& op, ScalarKind kind, const TargetProfile& profile) {
  if (!profile.refuses(kind)) return true;
  Diagnostic diagnostic;
  diagnostic.code = "LS1904";
  diagnostic.message = "'" + std::string(op.spelling()) + "': " + profile.name() + " has no arithmetic of " +
                       std::string(spelling(kind)) + ", and Triton does not compile it there";
  diagnostic.hint = "f8E4M3FN (fp8e4nv) needs --as sm_89 or later; f8E5M2 works on every target";
  report_at(op, std::move(diagnostic));
  return false;
}

void PlanMessages::report_at(const ir::Op& op, Diagnostic diagnostic) {
  diagnostic.span = op.span();
  if (const std::string place = location_of(op).file_text(); !place.empty())
    diagnostic.notes.push_back({"from " + place, {}});
  sink_.report(std::move(diagnostic));
}

}  // namespace lockstep::interpreter
