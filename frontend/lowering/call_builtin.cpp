// Calls of tl.NAME: arguments by the signature of its row.
#include "frontend/lowering/call_builtin.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/builtins/builtins.h"

namespace lockstep::frontend {

namespace {

/// A call of tl.store returns a value that no name, argument or condition can use, and that is not None.
constexpr std::string_view kNoResult = "the missing result of tl.";

}  // namespace

bool is_no_result(const Value& value) {
  return value.opaque() != nullptr && value.opaque()->what.starts_with(kNoResult);
}

Value call_builtin(LoweringContext& in, const Builtin& row, std::vector<Value> positional,
                   const KeywordArguments& keywords, bool is_method) {
  if (row.lower == nullptr) {
    in.report.unsupported(codes::kUnsupportedBuiltin, fmt::format("{} is not supported yet", full_name(row)));
    return {};
  }
  const std::vector<SignatureParameter> parameters = parse_signature(row.signature);
  BuiltinCall call{in, row, {}, {}, is_method};
  std::vector<bool> given;
  std::size_t next = 0;
  for (const SignatureParameter& parameter : parameters) {
    if (parameter.collects) {
      call.rest.assign(positional.begin() + static_cast<std::ptrdiff_t>(std::min(next, positional.size())),
                       positional.end());
      next = positional.size();
      call.arguments.emplace_back();
      given.push_back(true);
      continue;
    }
    const bool takes = !parameter.keyword_only && next < positional.size();
    call.arguments.push_back(takes ? positional[next++] : parameter.default_value.value_or(Value()));
    given.push_back(takes);
  }
  if (next < positional.size()) {
    in.report.error(codes::kArguments, fmt::format("{}() takes {} positional arguments but {} were given",
                                                   full_name(row), parameters.size(), positional.size()));
    return {};
  }
  for (const auto& [name, value] : keywords) {
    std::size_t i = 0;
    while (i < parameters.size() && parameters[i].name != name) ++i;
    if (i == parameters.size() || given[i]) {
      in.report.error(
          codes::kArguments,
          fmt::format("{}() got {} '{}'", full_name(row),
                      i == parameters.size() ? "an unexpected keyword argument" : "multiple values for argument", name),
          fmt::format("its parameters are ({})", row.signature));
      return {};
    }
    call.arguments[i] = value;
    given[i] = true;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (given[i] || parameters[i].default_value) continue;
    in.report.error(codes::kArguments,
                    fmt::format("{}() is missing the argument '{}'", full_name(row), parameters[i].name),
                    fmt::format("its parameters are ({})", row.signature));
    return {};
  }
  Value result = row.lower(call);
  // Not None, which could mean a missing argument.
  if (result.is_none() && result.is_raw()) return OpaqueValue{fmt::format("{}{}()", kNoResult, row.name)};
  return result;
}

}  // namespace lockstep::frontend
