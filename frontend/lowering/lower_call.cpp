// Calls: what is called, and with what.
#include "frontend/lowering/lower_call.h"

#include <fmt/format.h>

#include "frontend/builtins/builtins.h"
#include "frontend/eval/constexpr_function.h"
#include "frontend/eval/python_class.h"
#include "frontend/host/host_functions.h"
#include "frontend/host/host_operators.h"
#include "frontend/host/host_strings.h"
#include "frontend/lowering/call_builtin.h"
#include "frontend/lowering/call_host.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

bool is_static_function(const Value& callee, std::string& name) {
  if (callee.builtin() != nullptr) name = callee.builtin()->name;
  if (callee.host_function() != nullptr) name = callee.host_function()->name;
  return name == "static_assert" || name == "static_print" || name == "int" || name == "len" || name == "float";
}

bool must_use_result(const Value& callee) { return callee.builtin() != nullptr && callee.builtin()->must_use_result; }

bool any_invalid(const std::vector<Value>& values, const KeywordArguments& keywords) {
  for (const Value& value : values) {
    if (value.is_invalid()) return true;
  }
  for (const auto& [name, value] : keywords) {
    if (value.is_invalid()) return true;
  }
  return false;
}

/// A launch passes a jit function to a constexpr parameter by its name (`F=my_function`), which is text until the call.
const JitFunction* named_function(const LoweringContext& in, const Value& callee) {
  return callee.is_string() && callee.is_constexpr() ? in.function.module->find_function(callee.constant()->text())
                                                     : nullptr;
}

/// Methods of dtypes, strings and integers.
Value call_constant_method(LoweringContext& in, const BoundMethod& method, const std::vector<Value>& positional,
                           const KeywordArguments& keywords) {
  const Constant& self = *method.self->constant();
  if (self.is_dtype()) return in.checked(call_dtype_method(self.type(), method.name, positional));
  if (self.is_string()) return in.checked(call_string_method(self.text(), method.name, positional, keywords));
  return in.checked(call_integer_method(self.as_integer(), method.name, positional));
}

Value static_assert_call(LoweringContext& in, const ast::Call& node) {
  if (node.args.empty() || node.args.size() > 2 || !node.keywords.empty()) {
    in.report.error(codes::kArguments, "`static_assert` requires one or two positional arguments only");
    return {};
  }
  const Value condition = in.visit(*node.args[0]);
  if (condition.is_invalid()) return {};
  if (condition.constant() == nullptr || !condition.constant()->is_bool()) {
    in.report.error(codes::kNotConstexpr,
                    fmt::format("a static assertion needs a compile-time bool, not {}", describe(condition)),
                    "use tl.device_assert for run-time values");
    return {};
  }
  if (condition.constant()->truth()) return Value::raw_none();
  const Value message = node.args.size() > 1 ? in.visit(*node.args[1]) : Value(Constant::string(""));
  in.report.error(codes::kStaticAssert, python_str(message).empty()
                                            ? "static assertion failed"
                                            : fmt::format("static assertion failed: {}", python_str(message)));
  return {};
}

/// Prints as Python's print() does, at once: a loop's body is visited twice, and so prints twice, as in Triton.
Value static_print_call(LoweringContext& in, const ast::Call& node) {
  std::string separator = " ";
  std::string end = "\n";
  for (const auto& item : node.keywords) {
    const Value value = in.visit(*item->value);
    if (value.is_invalid()) return {};
    const std::string name = item->arg.value_or("**");
    if (name == "flush" || (name == "file" && value.is_none())) continue;
    const bool is_text = name == "sep" || name == "end";
    if (!is_text || !(value.is_none() || value.is_string())) {
      in.report.error(codes::kArguments,
                      is_text
                          ? fmt::format("{} of static_print must be None or a string, not {}", name, describe(value))
                          : fmt::format("static_print takes sep, end and flush by name, not '{}'", name));
      return {};
    }
    if (value.is_string()) (name == "sep" ? separator : end) = value.constant()->text();
  }
  std::string text;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    const Value value = in.visit(*node.args[i]);
    if (value.is_invalid()) return {};
    text += (i == 0 ? "" : separator) + kernel_str(value);
  }
  if (in.compilation.print) in.compilation.print(text + end);
  return Value::raw_none();
}

Value static_value_call(LoweringContext& in, const ast::Call& node, const std::string& name) {
  if (name == "static_print") return static_print_call(in, node);
  std::vector<Value> arguments;
  for (const auto& item : node.keywords) in.visit(*item->value);
  for (const ast::ExprPtr& argument : node.args) {
    arguments.push_back(in.visit(*argument));
    if (arguments.back().is_invalid()) return {};
  }
  const ValueResult result = call_host_function(name, arguments);
  if (result) return *result;
  const bool dynamic = !arguments.empty() && arguments[0].tensor() != nullptr;
  in.report.error(dynamic ? codes::kNotConstexpr : codes::kConstantExpression, result.error(),
                  dynamic && name != "len" ? "use .to(tl.int32) or .to(tl.float32) for run-time values" : "");
  return {};
}

Value call_callee(LoweringContext& in, const ast::Call& node, const Value& callee, std::vector<Value> positional,
                  const KeywordArguments& keywords) {
  if (const Builtin* builtin = callee.builtin())
    return call_builtin(in, *builtin, std::move(positional), keywords, false);
  if (const JitFunction* function = callee.jit()) return in.call_function(*function, std::move(positional), keywords);
  if (const PythonClass* type = callee.python_class())
    return in.checked(construct(in.compilation.modules, *type, positional, keywords));
  if (const BoundMethod* method = callee.method()) {
    if (method->self->constant() != nullptr) return call_constant_method(in, *method, positional, keywords);
    positional.insert(positional.begin(), *method->self);
    if (method->jit != nullptr) return in.call_function(*method->jit, std::move(positional), keywords);
    return call_builtin(in, *method->builtin, std::move(positional), keywords, true);
  }
  if (const HostFunction* function = callee.host_function()) return call_host(in, function->name, positional, keywords);
  if (const NamespaceValue* space = callee.space()) {
    in.report.unsupported(codes::kUnsupportedBuiltin, fmt::format("{} is not supported yet", space->name));
    return {};
  }
  if (const JitFunction* function = named_function(in, callee))
    return in.call_function(*function, std::move(positional), keywords);
  in.report.set_here(node.func->range);
  in.report.error(codes::kPythonFunction, fmt::format("{} cannot be called from a kernel", describe(callee)),
                  callee.opaque() != nullptr
                      ? "decorate it with @triton.jit, or @triton.constexpr_function if it computes with constants only"
                      : "it is no function");
  return {};
}

}  // namespace

Value lower_call(LoweringContext& in, const ast::Call& node) {
  const Value callee = in.visit(*node.func);
  std::string name;
  if (is_static_function(callee, name))
    return name == "static_assert" ? static_assert_call(in, node) : static_value_call(in, node, name);
  if (in.unused == &node && must_use_result(callee)) {
    in.report.error(codes::kUnusedResult, fmt::format("the result of {} is not used", describe(callee)),
                    "it changes nothing by itself; assign the result: p = tl.advance(p, offsets)");
    return {};
  }
  KeywordArguments keywords;
  for (const auto& item : node.keywords) {
    in.place(*item);
    const Location here = in.emit.location();
    if (!item->arg) return in.unsupported_node(*item);
    keywords.emplace_back(*item->arg, in.visit(*item->value));
    in.emit.set_location(here);
  }
  std::vector<Value> positional;
  for (const ast::ExprPtr& argument : node.args) {
    const auto* starred = argument->as<ast::Starred>();
    const Value value = in.visit(starred != nullptr ? *starred->value : *argument);
    if (starred == nullptr || value.is_invalid()) {
      positional.push_back(value);
    } else if (value.elements() != nullptr) {
      positional.insert(positional.end(), value.elements()->begin(), value.elements()->end());
    } else {
      in.report.error(codes::kArguments, fmt::format("only a tuple can be given with *, not {}", describe(value)));
      return {};
    }
  }
  if (callee.is_invalid() || any_invalid(positional, keywords)) return {};
  return call_callee(in, node, callee, std::move(positional), keywords);
}

}  // namespace lockstep::frontend
