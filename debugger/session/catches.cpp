#include "debugger/session/catches.h"

#include <algorithm>
#include <utility>

#include "debugger/expression/evaluate.h"
#include "debugger/expression/parser.h"
#include "findings/codes.h"

namespace lockstep::debugger {

namespace {

/// Two names have a synonym.
std::string_view plain_name(std::string_view name) {
  if (name == "nan-born") return "nan";
  return name == "inf-born" ? "inf" : name;
}

const CatchFilter* find_filter(std::string_view name) {
  name = plain_name(name);
  const auto& filters = catch_filters();
  const auto found = std::find_if(filters.begin(), filters.end(), [&](const auto& one) { return one.name == name; });
  return found == filters.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<CatchFilter>& catch_filters() {
  using enum FindingCode;
  static const auto is_of = [](FindingClass family) {
    return [family](const FindingRow& row) { return row.family == family; };
  };
  static const auto is_one_of = [](std::vector<FindingCode> codes) {
    return [codes = std::move(codes)](const FindingRow& row) {
      return std::find(codes.begin(), codes.end(), row.code) != codes.end();
    };
  };
  static const auto is_access = [](const FindingRow& row) {
    return row.family == FindingClass::bounds && row.maker == FindingMaker::launch;
  };
  static const auto is_fault = [](const FindingRow& row) {
    return is_access(row) || row.family == FindingClass::assertion || row.family == FindingClass::progress;
  };
  static const auto is_any = [](const FindingRow&) { return true; };
  static const std::vector<CatchFilter> filters = {
      {"fault", "access out of bounds, failed assertion, deadlock", is_fault, true},
      {"error", "every finding of tier error", is_any},
      {"oob", "access out of bounds", is_access},
      {"uninit", "read of uninitialised memory", is_of(FindingClass::undefined)},
      {"race", "programs race", is_of(FindingClass::race)},
      {"hazard", "lanes of one program conflict", is_of(FindingClass::lanes)},
      {"nan", "a NaN appears", is_one_of({LS601, LS602})},
      {"inf", "a float overflows", is_one_of({LS603})},
      {"overflow", "an integer overflows", is_one_of({LS501, LS502, LS507, LS508, LS509})},
      {"divzero", "division by zero, shift too wide, conversion without a result", is_one_of({LS503, LS504, LS505})},
      {"hint", "multiple_of, max_contiguous or assume does not hold", is_of(FindingClass::hint)},
      {"assert", "tl.device_assert fails", is_of(FindingClass::assertion)},
      {"deadlock", "programs wait forever", is_of(FindingClass::progress)},
      {"result", "a result differs from the reference", is_one_of({LS608, LS802})},
      {"all", "every finding", is_any},
  };
  return filters;
}

bool CatchRule::wants(const Finding& finding) const {
  const CatchFilter* filter = find_filter(request.filter);
  if (filter == nullptr) return spelling(finding.code) == request.filter;
  if (filter->name == "error") return finding.tier == Tier::error;
  return filter->takes(row_of(finding.code));
}

bool is_found_by_running(FindingCode code) { return row_of(code).maker == FindingMaker::launch; }

bool CatchRule::needs_checkers() const {
  const CatchFilter* filter = find_filter(request.filter);
  if (filter == nullptr) {
    const FindingRow* row = find_finding_row(request.filter);
    return row == nullptr || row->maker == FindingMaker::checker;
  }
  const auto rows = finding_rows();
  return std::any_of(rows.begin(), rows.end(), [&](const FindingRow& row) {
    return row.maker == FindingMaker::checker && filter->takes(row);
  });
}

Expected<CatchRule, Problem> make_rule(const CatchRequest& request) {
  if (find_filter(request.filter) == nullptr && find_finding_row(request.filter) == nullptr) {
    std::vector<std::string> names;
    std::string all;
    for (const CatchFilter& filter : catch_filters()) {
      names.emplace_back(filter.name);
      all += (all.empty() ? "" : ", ") + names.back();
    }
    const std::string near = nearest_name(request.filter, names);
    return Unexpected{Problem{"there is no filter '" + request.filter + "'",
                              near.empty() ? all + ", or a code such as LS101" : "did you mean '" + near + "'?"}};
  }
  CatchRule rule{request, {}};
  if (request.condition.empty()) return rule;
  auto condition = parse_expression(request.condition);
  if (!condition) return Unexpected{Problem{condition.error().message, ""}};
  rule.condition.push_back(std::move(*condition));
  return rule;
}

}  // namespace lockstep::debugger
