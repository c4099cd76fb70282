#include "frontend/tuning.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/builtins/argument_record.h"
#include "frontend/error_codes.h"
#include "frontend/eval/call_value.h"
#include "frontend/eval/request_value.h"
#include "frontend/host/host_containers.h"
#include "frontend/semantics/types.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

/// num_warps and similar ones belong to the launch, not to the kernel.
bool is_option(std::string_view name) {
  return name == "num_warps" || name == "num_stages" || name == "num_ctas" || name == "maxnreg";
}

std::optional<int> small_integer(const Value& value) {
  const Constant* constant = value.constant();
  if (constant == nullptr || !constant->is_integral() || constant->as_integer() < 0 || constant->as_integer() > 1024)
    return std::nullopt;
  return static_cast<int>(constant->as_integer());
}

std::string reason_of(const Value& value) { return value.opaque() != nullptr ? value.opaque()->what : describe(value); }

}  // namespace

Tuner::Tuner(Modules& modules, const JitFunction& kernel, const TuningRequest& request, DiagnosticSink& sink)
    : modules_(modules), kernel_(kernel), request_(request), sink_(sink) {
  for (const Parameter& parameter : kernel.parameters) {
    const auto given = request.arguments.find(parameter.name);
    if (given != request.arguments.end()) set_argument(parameter.name, value_of(given->second));
  }
}

Value Tuner::value_of(const LaunchArgument& argument) {
  if (argument.value) return from_request(*argument.value);
  if (argument.elements) {
    std::vector<Value> elements;
    for (const LaunchArgument& element : *argument.elements) elements.push_back(value_of(element));
    return Value::tuple(std::move(elements));
  }
  std::string_view element = argument.type;
  if (!element.starts_with('*')) return valueless_record();
  element.remove_prefix(element.starts_with("*k") ? 2 : 1);
  return tensor_record(element, argument.shape, argument.strides);
}

void Tuner::set_argument(const std::string& name, Value value) {
  for (DictEntry& entry : arguments_) {
    if (entry.key.constant()->text() == name) return static_cast<void>(entry.value = std::move(value));
  }
  arguments_.push_back({Value(Constant::string(name)), std::move(value)});
}

const ast::Expr* Tuner::argument_of(const ast::Call& call, std::string_view keyword) {
  for (const auto& entry : call.keywords) {
    if (entry->arg && *entry->arg == keyword) return entry->value.get();
  }
  return call.args.empty() ? nullptr : call.args.front().get();
}

void Tuner::fail(std::string message, std::string hint, const ast::Expr& where) {
  const SourceSpan span{kernel_.module->file(), where.range};
  sink_.report({Severity::error, codes::kTuning, std::move(message), span, {}, std::move(hint)});
}

/// A value from a decorator. A given parameter keeps its own.
bool Tuner::take(const std::string& name, const Value& value, const ast::Expr& where) {
  if (is_option(name)) {
    const std::optional<int> number = small_integer(value);
    if (number && name == "num_warps") tuning_.num_warps = number;
    if (number && name == "num_stages") tuning_.num_stages = number;
    set_argument(name, value);
    return true;
  }
  if (is_given(name)) return true;
  const std::optional<ConstantValue> constant = to_request(value);
  if (!constant) {
    fail(fmt::format("the value of '{}' is {}", name, reason_of(value)), fmt::format("give {}=VALUE", name), where);
    return false;
  }
  tuning_.constants[name] = *constant;
  set_argument(name, value);
  return true;
}

bool Tuner::choose_config(const LaunchDecorator& decorator) {
  const ast::Expr* expression = argument_of(*decorator.call, "configs");
  if (expression == nullptr) return true;
  const Value configs = modules_.evaluate(*expression, *kernel_.module);
  if (configs.elements() == nullptr) {
    // Compilation reports missing values.
    if (!request_.config) return true;
    fail(fmt::format("the configurations of {} are {}", kernel_.name, reason_of(configs)),
         "give the parameters that they set as NAME=VALUE, without --config", *expression);
    return false;
  }
  const std::size_t index = request_.config.value_or(0);
  if (index >= configs.elements()->size()) {
    if (!request_.config) return true;
    fail(fmt::format("{} has no configuration {}: there are {}, counted from 0", kernel_.name, index,
                     configs.elements()->size()),
         "`lockstep emit FILE.py --list` shows them", *expression);
    return false;
  }
  const Value& config = (*configs.elements())[index];
  if (config.record() == nullptr || config.record()->type != "triton.Config") {
    fail(fmt::format("configuration {} of {} is {}", index, kernel_.name, reason_of(config)), "", *expression);
    return false;
  }
  const std::vector<DictEntry>& values = *field_of(config, "kwargs")->dict();
  const bool is_used =
      request_.config || values.empty() || std::any_of(values.begin(), values.end(), [&](const auto& entry) {
        return entry.key.is_string() && !is_given(entry.key.constant()->text());
      });
  if (!is_used) return true;
  for (const DictEntry& entry : values) {
    if (entry.key.is_string() && !take(entry.key.constant()->text(), entry.value, *expression)) return false;
  }
  return take("num_warps", *field_of(config, "num_warps"), *expression) &&
         take("num_stages", *field_of(config, "num_stages"), *expression);
}

bool Tuner::run_heuristics(const LaunchDecorator& decorator) {
  const ast::Expr* expression = argument_of(*decorator.call, "values");
  if (expression == nullptr) return true;
  const Value values = modules_.evaluate(*expression, *kernel_.module);
  if (values.dict() == nullptr) return true;  // as above
  for (const DictEntry& entry : *values.dict()) {
    if (!entry.key.is_string()) continue;
    const std::string& name = entry.key.constant()->text();
    const ValueResult arguments = make_dict(arguments_);
    const Value value =
        arguments ? call_value(modules_, entry.value, {*arguments}, {}) : Value(OpaqueValue{arguments.error()});
    const ast::Expr& where = entry.value.lambda() != nullptr ? *entry.value.lambda()->node->body : *expression;
    if (is_given(name)) continue;
    if (value.opaque() != nullptr) {
      fail(fmt::format("the value that heuristics give '{}' is {}", name, reason_of(value)),
           fmt::format("give {}=VALUE", name), where);
      return false;
    }
    if (!take(name, value, where)) return false;
  }
  return true;
}

std::optional<Tuning> Tuner::tune() {
  for (const LaunchDecorator& decorator : kernel_.launch_decorators) {
    if (!(decorator.is_autotune ? choose_config(decorator) : run_heuristics(decorator))) return std::nullopt;
  }
  return std::move(tuning_);
}

KernelTuning Tuner::describe() {
  KernelTuning described;
  for (const LaunchDecorator& decorator : kernel_.launch_decorators) {
    const ast::Expr* expression = argument_of(*decorator.call, decorator.is_autotune ? "configs" : "values");
    if (expression == nullptr) continue;
    const Value value = modules_.evaluate(*expression, *kernel_.module);
    if (value.opaque() != nullptr) described.unknown = value.opaque()->what;
    if (const std::vector<DictEntry>* entries = value.dict()) {
      for (const DictEntry& entry : *entries) described.heuristics.push_back(python_str(entry.key));
    }
    if (value.elements() == nullptr) continue;
    for (const Value& config : *value.elements()) {
      if (config.record() == nullptr) continue;
      KernelConfig& row = described.configs.emplace_back();
      for (const DictEntry& entry : *field_of(config, "kwargs")->dict())
        row.values.emplace_back(python_str(entry.key), python_str(entry.value));
      row.num_warps = small_integer(*field_of(config, "num_warps")).value_or(row.num_warps);
      row.num_stages = small_integer(*field_of(config, "num_stages")).value_or(row.num_stages);
    }
  }
  return described;
}

}  // namespace lockstep::frontend
