// Arguments of jit functions: defaults, keywords, and forbidden values.
#include "frontend/lowering/call_arguments.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

bool is_argument(const Value& value) {
  if (const std::vector<Value>* elements = value.elements()) {
    for (const Value& element : *elements) {
      if (!is_argument(element)) return false;
    }
    return true;
  }
  return value.tensor() != nullptr || value.constant() != nullptr || value.jit() != nullptr ||
         value.descriptor() != nullptr || value.handle() != nullptr || value.aggregate() != nullptr;
}

bool check_noinline(LoweringContext& in, const JitFunction& callee, const std::vector<Value>& arguments) {
  for (std::size_t i = 0; callee.noinline && i < arguments.size(); ++i) {
    const Tensor* tensor = arguments[i].tensor();
    if (tensor == nullptr || tensor->type.numel() == 1) continue;
    in.report.error(codes::kArguments,
                    fmt::format("function {} is marked noinline, but was called with non-scalar argument {}: {}",
                                callee.name, callee.parameters[i].name, tensor->type.to_string()));
    return false;
  }
  return true;
}

bool bind_arguments(LoweringContext& in, const JitFunction& callee, std::vector<Value>& positional,
                    const KeywordArguments& keywords) {
  const std::size_t count = callee.parameters.size();
  if (positional.size() > count) {
    std::vector<std::string> names;
    for (const Parameter& parameter : callee.parameters) names.push_back(parameter.name);
    in.report.error(codes::kArguments,
                    fmt::format("{}() takes {} argument{} but {} were given", callee.name, count, count == 1 ? "" : "s",
                                positional.size()),
                    fmt::format("its parameters are ({})", fmt::join(names, ", ")));
    return false;
  }
  std::vector<bool> given(count, false);
  std::fill_n(given.begin(), positional.size(), true);
  positional.resize(count);
  for (const auto& [name, value] : keywords) {
    std::size_t i = 0;
    while (i < count && callee.parameters[i].name != name) ++i;
    if (i == count || given[i]) {
      in.report.error(
          codes::kArguments,
          fmt::format("{}() got {} '{}'", callee.name,
                      i == count ? "an unexpected keyword argument" : "multiple values for argument", name));
      return false;
    }
    positional[i] = value;
    given[i] = true;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Parameter& parameter = callee.parameters[i];
    if (!given[i]) {
      if (parameter.default_value == nullptr) {
        in.report.error(codes::kArguments,
                        fmt::format("{}() is missing the argument '{}'", callee.name, parameter.name));
        return false;
      }
      positional[i] = in.compilation.modules.evaluate(*parameter.default_value, *callee.module);
      if (positional[i].is_none()) positional[i] = Value::raw_none();
    }
    if (!is_argument(positional[i])) {
      in.report.error(codes::kArguments,
                      fmt::format("argument '{}' of {}() is {}", parameter.name, callee.name, describe(positional[i])),
                      "pass tensors, numbers, dtypes, jit functions or tuples of them");
      return false;
    }
  }
  return true;
}

/// Reports values that no function can take.
bool check_bound(LoweringContext& in, const JitFunction& callee, const std::vector<Value>& bound) {
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const bool is_member = bound[i].constant() != nullptr && bound[i].constant()->enum_member() != nullptr;
    if (!bound[i].is_wrapped_tensor() && (!is_member || bound[i].is_constexpr())) continue;
    in.report.error(
        codes::kArguments,
        fmt::format("{}(): '{}' is {}, which {}", callee.name, callee.parameters[i].name, describe(bound[i]),
                    is_member ? "is an argument only as tl.constexpr" : "was annotated tl.constexpr"),
        is_member ? "name it first: which: tl.constexpr = ..." : std::string(kLeaveAnnotationOut));
    return false;
  }
  return true;
}

}  // namespace

bool bind_call(LoweringContext& in, const JitFunction& callee, std::vector<Value>& positional,
               const KeywordArguments& keywords) {
  return check_noinline(in, callee, positional) && bind_arguments(in, callee, positional, keywords) &&
         check_bound(in, callee, positional);
}

}  // namespace lockstep::frontend
