#include "debugger/session/catches.h"

#include <algorithm>

#include "debugger/expression/evaluate.h"
#include "debugger/expression/parser.h"
#include "findings/codes.h"

namespace lockstep::debugger {

namespace {

/// "LS10" of a list with commas is a prefix of "LS101".
bool is_in(std::string_view codes, std::string_view code) {
  while (!codes.empty()) {
    const std::size_t comma = codes.find(',');
    if (code.starts_with(codes.substr(0, comma))) return true;
    codes = comma == std::string_view::npos ? "" : codes.substr(comma + 1);
  }
  return false;
}

/// Two have a second name.
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
  static const std::vector<CatchFilter> filters = {
      {"fault", "access out of bounds, failed assertion, deadlock", "LS10,LS12,LS90", true},
      {"error", "every finding of tier error", "*", false},
      {"oob", "access out of bounds", "LS10", false},
      {"uninit", "read of what nobody wrote", "LS20", false},
      {"race", "programs race", "LS30,LS31", false},
      {"hazard", "lanes of one program meet", "LS40", false},
      {"nan", "a NaN is born", "LS601,LS602", false},
      {"inf", "a float overflows", "LS603", false},
      {"overflow", "an integer overflows", "LS501,LS502,LS507,LS508,LS509", false},
      {"divzero", "division by zero, shift too wide, conversion without a result", "LS503,LS504,LS505", false},
      {"hint", "multiple_of, max_contiguous or assume does not hold", "LS70", false},
      {"assert", "tl.device_assert fails", "LS120", false},
      {"deadlock", "programs wait for ever", "LS90", false},
      {"result", "a result differs from the reference", "LS608,LS802", false},
      {"all", "every finding", "*", false},
  };
  return filters;
}

bool CatchRule::wants(const Finding& finding) const {
  const CatchFilter* filter = find_filter(request.filter);
  if (filter == nullptr) return finding.code == request.filter;
  if (filter->name == "error") return finding.tier == Tier::error;
  return filter->codes == "*" || is_in(filter->codes, finding.code);
}

bool is_found_by_running(std::string_view code) {
  return is_in("LS101,LS102,LS103,LS104,LS106,LS107,LS108,LS109,LS12,LS90", code);
}

bool CatchRule::needs_checkers() const {
  const CatchFilter* filter = find_filter(request.filter);
  if (filter == nullptr) return !is_found_by_running(request.filter);
  return filter->name != "fault" && filter->name != "oob" && filter->name != "assert" && filter->name != "deadlock";
}

Expected<CatchRule, Problem> make_rule(const CatchRequest& request) {
  if (find_filter(request.filter) == nullptr && finding_code(request.filter) == nullptr) {
    std::vector<std::string> names;
    std::string all;
    for (const CatchFilter& filter : catch_filters()) {
      names.emplace_back(filter.name);
      all += (all.empty() ? "" : ", ") + names.back();
    }
    const std::string near = nearest_name(request.filter, names);
    return Unexpected{Problem{"nothing to catch is called '" + request.filter + "'",
                              near.empty() ? all + ", or a code as LS101" : "did you mean '" + near + "'?"}};
  }
  CatchRule rule{request, {}};
  if (request.condition.empty()) return rule;
  auto condition = parse_expression(request.condition);
  if (!condition) return Unexpected{Problem{condition.error().message, ""}};
  rule.condition.push_back(std::move(*condition));
  return rule;
}

}  // namespace lockstep::debugger
