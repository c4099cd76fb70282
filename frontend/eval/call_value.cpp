// Calls in module-level code: Python functions, classes, lambdas, methods and functions that Lockstep knows by name.
#include "frontend/eval/call_value.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/builtins/argument_record.h"
#include "frontend/eval/namespaces.h"
#include "frontend/eval/unknown_value.h"
#include "frontend/gluon/layout_calls.h"
#include "frontend/host/host_containers.h"
#include "frontend/host/host_environment.h"
#include "frontend/host/host_functions.h"
#include "frontend/host/host_operators.h"
#include "frontend/host/host_strings.h"

namespace lockstep::frontend {

namespace {

Value call_reflection(Modules& modules, const std::string& name, const std::vector<Value>& arguments) {
  const bool fits = arguments.size() >= 2 && arguments[0].space() != nullptr && arguments[1].is_string();
  if (!fits) return unknown();
  const std::string& space = arguments[0].space()->name;
  const std::string& attribute = arguments[1].constant()->text();
  if (name == "hasattr") return Constant::boolean(namespace_has(modules, space, attribute));
  const std::optional<Value> found = namespace_attribute(modules, space, attribute);
  if (found) return *found;
  return arguments.size() > 2 ? arguments[2] : unknown();
}

/// isinstance(value, TYPE): compile-time values are never tl.constexpr objects here, as after Triton's unwrapping.
Value call_isinstance(const std::vector<Value>& arguments) {
  if (arguments.size() != 2) return unknown();
  if (const std::vector<Value>* types = arguments[1].elements()) {
    for (const Value& type : *types) {
      const std::optional<bool> holds = truth(call_isinstance({arguments[0], type}));
      if (!holds) return unknown();
      if (*holds) return Constant::boolean(true);
    }
    return Constant::boolean(false);
  }
  const Constant* constant = arguments[0].constant();
  const HostFunction* type = arguments[1].host_function();
  if (const RecordValue* record = arguments[0].record(); record != nullptr && type != nullptr) {
    if (record->type == "argument") return unknown("the type of an argument without a value");
    return Constant::boolean(record->type == type->name);
  }
  if (type == nullptr || constant == nullptr) return unknown();
  const bool is_int = type->name == "int" && constant->is_integral();
  const bool is_dtype = type->name == "tl.dtype" && constant->is_dtype();
  const bool is_layout = constant->layout() != nullptr && type->name == "gl." + std::string(constant->type_name());
  return Constant::boolean(is_int || is_dtype || is_layout || constant->type_name() == type->name);
}

/// map() and filter() as the list of their results.
Value call_for_each(Modules& modules, bool is_filter, const std::vector<Value>& arguments) {
  const auto items = arguments.size() == 2 ? items_of(arguments[1]) : std::nullopt;
  if (!items) return unknown();
  std::vector<Value> results;
  for (const Value& item : *items) {
    const Value result = is_filter && arguments[0].is_none() ? item : call_value(modules, arguments[0], {item}, {});
    if (result.opaque() != nullptr) return result;
    const std::optional<bool> is_kept = is_filter ? truth(result) : true;
    if (!is_kept) return unknown();
    if (*is_kept) results.push_back(is_filter ? item : result);
  }
  return Value::tuple(std::move(results));
}

Value call_bound_method(Modules& modules, const BoundMethod& method, const std::vector<Value>& arguments,
                        const NamedValues& keywords) {
  const Value& self = *method.self;
  if (method.jit != nullptr) {
    std::vector<Value> all{self};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ValueResult given = modules.run_function(*method.jit, all, keywords);
    return given ? *given : unknown(given.error());
  }
  ValueResult result = Unexpected<std::string>{"unknown"};
  if (self.is_string()) {
    result = call_string_method(self.constant()->text(), method.name, arguments, keywords);
  } else if (!keywords.empty()) {
    return unknown();
  } else if (self.is_dtype()) {
    result = call_dtype_method(self.constant()->type(), method.name, arguments);
  } else if (self.constant() != nullptr && is_integer_method(method.name)) {
    result = call_integer_method(self.constant()->as_integer(), method.name, arguments);
  } else if (self.record() != nullptr) {
    result = call_record_method(self, method.name, arguments);
  } else if (is_container_method(self, method.name)) {
    result = call_container_method(self, method.name, arguments);
  }
  return result ? *result : unknown(fmt::format("an expression that fails: {}", result.error()));
}

Value call_known_function(Modules& modules, const std::string& name, const std::vector<Value>& arguments) {
  if (name == "isinstance") return call_isinstance(arguments);
  if (name == "hasattr" || name == "getattr") return call_reflection(modules, name, arguments);
  if (name == "python.map" || name == "python.filter")
    return call_for_each(modules, name == "python.filter", arguments);
  if (name == "importlib.import_module" && arguments.size() == 1 && arguments[0].is_string())
    return modules.follow({arguments[0].constant()->text(), {}});
  const ValueResult result =
      is_container_function(name) ? call_container_function(name, arguments) : call_host_function(name, arguments);
  if (!result) return unknown(fmt::format("an expression that fails: {}", result.error()));
  return name == "constexpr" ? result->as_constexpr() : *result;
}

/// The value of the lambda's body, with its parameters bound.
Value call_lambda(Modules& modules, const LambdaValue& lambda, const std::vector<Value>& arguments,
                  const NamedValues& keywords) {
  const ast::Arguments& list = *lambda.node->args;
  Scope scope = lambda.captured != nullptr ? *lambda.captured : Scope();
  if (list.vararg || list.kwarg || !list.kwonlyargs.empty() || arguments.size() > list.args.size())
    return unknown("a lambda with parameters of this form");
  const std::size_t first_default = list.args.size() - std::min(list.defaults.size(), list.args.size());
  for (std::size_t i = 0; i < list.args.size(); ++i) {
    const std::string& name = list.args[i]->name;
    const auto named =
        std::find_if(keywords.begin(), keywords.end(), [&](const auto& entry) { return entry.first == name; });
    if (i < arguments.size()) {
      scope.set(name, arguments[i]);
    } else if (named != keywords.end()) {
      scope.set(name, named->second);
    } else if (i >= first_default) {
      scope.set(name, modules.evaluate(*list.defaults[i - first_default], *lambda.module, &scope));
    } else {
      return unknown(fmt::format("a lambda without the argument '{}'", name));
    }
  }
  return modules.evaluate(*lambda.node->body, *lambda.module, &scope);
}

}  // namespace

Value call_value(Modules& modules, const Value& callee, const std::vector<Value>& arguments,
                 const NamedValues& keywords) {
  const JitFunction* python = callee.opaque() != nullptr ? callee.opaque()->function : callee.jit();
  if (python != nullptr && (callee.opaque() != nullptr || python->is_constexpr_function)) {
    const ValueResult result = modules.run_function(*python, arguments, keywords);
    return result ? *result : unknown(result.error());
  }
  if (const PythonClass* type = callee.python_class()) {
    const ValueResult made = modules.construct(*type, arguments, keywords);
    return made ? *made : unknown(made.error());
  }
  if (callee.opaque() != nullptr) return depending_on(callee);
  if (callee.lambda() != nullptr) return call_lambda(modules, *callee.lambda(), arguments, keywords);
  if (callee.method() != nullptr) return call_bound_method(modules, *callee.method(), arguments, keywords);
  const HostFunction* function = callee.host_function();
  if (function == nullptr) return unknown();
  const std::string& name = function->name;
  if (name == "triton.Config" || (name == "dict" && !keywords.empty())) {
    const ValueResult made = name == "dict" ? make_dict_of(arguments, keywords) : make_config(arguments, keywords);
    return made ? *made : unknown(made.error());
  }
  if (is_layout_function(name)) {
    const ValueResult made = call_layout_function(name, arguments, keywords, false);
    return made ? *made : unknown(made.error());
  }
  if (is_environment_function(name)) {
    const ValueResult result = call_environment(name, arguments, modules.capability());
    return result ? *result : unknown(result.error());
  }
  if (!keywords.empty()) return unknown();
  return call_known_function(modules, name, arguments);
}

}  // namespace lockstep::frontend
