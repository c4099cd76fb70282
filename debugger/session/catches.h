// Catches: names for groups of findings that stop a debugger: oob, race, nan, ..., tiers, single codes. Codes and tiers
// come from findings/codes.def. Not here: who makes the findings.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/expression/syntax.h"
#include "debugger/session/problem.h"
#include "findings/codes.h"
#include "findings/finding.h"
#include "support/result.h"

namespace lockstep::debugger {

struct CatchFilter {
  std::string_view name, title;
  std::function<bool(const FindingRow& row)> takes;  // `error` asks for the finding's tier besides
  bool is_default = false;
};
/// fault oob uninit race hazard nan inf overflow divzero hint assert deadlock result error all.
const std::vector<CatchFilter>& catch_filters();

struct CatchRequest {
  std::string filter;     // a filter's name, or a code: "LS101"
  std::string condition;  // expression, asked where the finding is born; empty: always
};

/// A checked request.
struct CatchRule {
  CatchRequest request;
  std::vector<Expression> condition;  // one or none
  bool wants(const Finding& finding) const;
  /// Only checkers find what it wants, so a checked run must locate it.
  bool needs_checkers() const;
};
/// The launch makes such findings without checkers.
bool is_found_by_running(FindingCode code);
/// Problem: no such filter or code; the condition is not an expression.
Expected<CatchRule, Problem> make_rule(const CatchRequest& request);

}  // namespace lockstep::debugger
