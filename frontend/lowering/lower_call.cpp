// Calls: builtins, other jit functions, Python functions known at compile time.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/eval/constexpr_function.h"
#include "frontend/eval/host_environment.h"
#include "frontend/eval/host_functions.h"
#include "frontend/eval/host_strings.h"
#include "frontend/eval/module_evaluator.h"
#include "frontend/eval/python_class.h"
#include "frontend/lowering/function_lowering.h"

namespace lockstep::frontend {

namespace {

/// A call of tl.store gives something that no name, argument or condition can use, and that is not None.
constexpr std::string_view kNoResult = "the missing result of tl.";

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

bool is_argument(const Value& value) {
  if (const std::vector<Value>* elements = value.elements()) {
    for (const Value& element : *elements) {
      if (!is_argument(element)) return false;
    }
    return true;
  }
  return value.tensor() != nullptr || value.constant() != nullptr || value.jit() != nullptr ||
         value.descriptor() != nullptr || value.aggregate() != nullptr;
}

}  // namespace

Value FunctionLowering::visit_call(const ast::Call& node) {
  const Value callee = visit(*node.func);
  std::string name;
  if (is_static_function(callee, name))
    return name == "static_assert" ? static_assert_call(node) : static_value_call(node, name);
  if (unused_ == &node && must_use_result(callee)) {
    report_.error(codes::kUnusedResult, fmt::format("the result of {} is not used", callee.describe()),
                  "it changes nothing by itself; assign the result: p = tl.advance(p, offsets)");
    return {};
  }
  KeywordArguments keywords;
  for (const auto& item : node.keywords) {
    place(*item);
    const Location here = emit_.location();
    if (!item->arg) return unsupported_node(*item);
    keywords.emplace_back(*item->arg, visit(*item->value));
    emit_.set_location(here);
  }
  std::vector<Value> positional;
  for (const ast::ExprPtr& argument : node.args) {
    const auto* starred = argument->as<ast::Starred>();
    const Value value = visit(starred != nullptr ? *starred->value : *argument);
    if (starred == nullptr || value.is_invalid()) {
      positional.push_back(value);
    } else if (value.elements() != nullptr) {
      positional.insert(positional.end(), value.elements()->begin(), value.elements()->end());
    } else {
      report_.error(codes::kArguments, fmt::format("only a tuple can be given with *, not {}", value.describe()));
      return {};
    }
  }
  if (callee.is_invalid() || any_invalid(positional, keywords)) return {};
  return call_value(node, callee, std::move(positional), keywords);
}

Value FunctionLowering::call_value(const ast::Call& node, const Value& callee, std::vector<Value> positional,
                                   const KeywordArguments& keywords) {
  if (const Builtin* builtin = callee.builtin()) return call_builtin(*builtin, std::move(positional), keywords, false);
  if (const JitFunction* function = callee.jit()) return call_function(*function, std::move(positional), keywords);
  if (const PythonClass* type = callee.python_class())
    return checked(construct(compilation_.loader, *type, positional, keywords));
  if (const BoundMethod* method = callee.method()) {
    if (method->self->constant() != nullptr) return call_constant_method(*method, positional, keywords);
    positional.insert(positional.begin(), *method->self);
    if (method->jit != nullptr) return call_function(*method->jit, std::move(positional), keywords);
    return call_builtin(*method->builtin, std::move(positional), keywords, true);
  }
  if (const HostFunction* function = callee.host_function()) return call_host(function->name, positional, keywords);
  if (const NamespaceValue* space = callee.space()) {
    report_.unsupported(codes::kUnsupportedBuiltin, fmt::format("{} is not supported yet", space->name));
    return {};
  }
  if (const JitFunction* function = named_function(callee))
    return call_function(*function, std::move(positional), keywords);
  report_.set_here(node.func->range);
  report_.error(codes::kPythonFunction, fmt::format("{} cannot be called from a kernel", callee.describe()),
                callee.opaque() != nullptr
                    ? "decorate it with @triton.jit, or @triton.constexpr_function if it computes with constants only"
                    : "it is no function");
  return {};
}

bool FunctionLowering::is_no_result(const Value& value) {
  return value.opaque() != nullptr && value.opaque()->what.starts_with(kNoResult);
}

/// A launch gives a jit function to a constexpr parameter by its name (`F=my_function`), which is text until it is
/// called.
const JitFunction* FunctionLowering::named_function(const Value& callee) const {
  return callee.is_string() && callee.is_constexpr() ? function_.module->find_function(callee.constant()->text())
                                                     : nullptr;
}

/// The result of compile-time work; an error is reported.
Value FunctionLowering::checked(const ValueResult& result) {
  if (result) return *result;
  report_.error(codes::kConstantExpression, result.error());
  return {};
}

/// Methods of dtypes, strings and integers.
Value FunctionLowering::call_constant_method(const BoundMethod& method, const std::vector<Value>& positional,
                                             const KeywordArguments& keywords) {
  const Constant& self = *method.self->constant();
  if (self.is_dtype()) return checked(call_dtype_method(self.type(), method.name, positional));
  if (self.is_string()) return checked(call_string_method(self.text(), method.name, positional, keywords));
  return checked(call_integer_method(self.as_integer(), method.name, positional));
}

/// Operators on an aggregate are its methods.
Value FunctionLowering::call_method(const Value& owner, const std::string& name, std::vector<Value> arguments) {
  const PythonClass& type = *owner.aggregate()->type;
  const JitFunction* method = type.find_function(name);
  if (method == nullptr) {
    report_.error(codes::kAttribute, fmt::format("the aggregate '{}' has no method '{}'", type.name, name));
    return {};
  }
  arguments.insert(arguments.begin(), owner);
  return call_function(*method, std::move(arguments), {});
}

Value FunctionLowering::static_assert_call(const ast::Call& node) {
  if (node.args.empty() || node.args.size() > 2 || !node.keywords.empty()) {
    report_.error(codes::kArguments, "`static_assert` requires one or two positional arguments only");
    return {};
  }
  const Value condition = visit(*node.args[0]);
  if (condition.is_invalid()) return {};
  if (condition.constant() == nullptr || !condition.constant()->is_bool()) {
    report_.error(codes::kNotConstexpr,
                  fmt::format("a static assertion needs a compile-time bool, not {}", condition.describe()),
                  "use tl.device_assert for run-time values");
    return {};
  }
  if (condition.constant()->truth()) return Value::raw_none();
  const Value message = node.args.size() > 1 ? visit(*node.args[1]) : Value(Constant::string(""));
  report_.error(codes::kStaticAssert, message.str().empty()
                                          ? "static assertion failed"
                                          : fmt::format("static assertion failed: {}", message.str()));
  return {};
}

/// Prints as Python's print() does, at once: a loop's body is visited twice, and so prints twice, as in Triton.
Value FunctionLowering::static_print_call(const ast::Call& node) {
  std::string separator = " ";
  std::string end = "\n";
  for (const auto& item : node.keywords) {
    const Value value = visit(*item->value);
    if (value.is_invalid()) return {};
    const std::string name = item->arg.value_or("**");
    if (name == "flush" || (name == "file" && value.is_none())) continue;
    const bool is_text = name == "sep" || name == "end";
    if (!is_text || !(value.is_none() || value.is_string())) {
      report_.error(codes::kArguments,
                    is_text ? fmt::format("{} of static_print must be None or a string, not {}", name, value.describe())
                            : fmt::format("static_print takes sep, end and flush by name, not '{}'", name));
      return {};
    }
    if (value.is_string()) (name == "sep" ? separator : end) = value.constant()->text();
  }
  std::string text;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    const Value value = visit(*node.args[i]);
    if (value.is_invalid()) return {};
    text += (i == 0 ? "" : separator) + kernel_str(value);
  }
  if (compilation_.print) compilation_.print(text + end);
  return Value::raw_none();
}

Value FunctionLowering::static_value_call(const ast::Call& node, const std::string& name) {
  if (name == "static_print") return static_print_call(node);
  std::vector<Value> arguments;
  for (const auto& item : node.keywords) visit(*item->value);
  for (const ast::ExprPtr& argument : node.args) {
    arguments.push_back(visit(*argument));
    if (arguments.back().is_invalid()) return {};
  }
  const ValueResult result = call_host_function(name, arguments);
  if (result) return *result;
  const bool dynamic = !arguments.empty() && arguments[0].tensor() != nullptr;
  report_.error(dynamic ? codes::kNotConstexpr : codes::kConstantExpression, result.error(),
                dynamic && name != "len" ? "use .to(tl.int32) or .to(tl.float32) for run-time values" : "");
  return {};
}

Value FunctionLowering::call_host(const std::string& name, const std::vector<Value>& positional,
                                  const KeywordArguments& keywords) {
  if (name == "isinstance" || name == "getattr" || name == "hasattr") return call_reflection(name, positional);
  if (name == kCondition) return loop_condition(positional, keywords);
  if (name == "tl.aggregate_replace") return replace_fields(positional, keywords);
  if (is_environment_function(name))
    return checked(call_environment(name, positional, compilation_.loader.capability()));
  if (name == "constexpr" && positional.size() == 1 && positional[0].constant() == nullptr) return positional[0];
  if (!is_host_function(name) || !keywords.empty()) {
    report_.error(codes::kPythonFunction, fmt::format("'{}' cannot be called like this in a kernel", name));
    return {};
  }
  const ValueResult result = call_host_function(name, positional);
  if (result) return name == "list" ? result->as_list() : *result;
  report_.error(codes::kConstantExpression, result.error());
  return {};
}

/// tl.condition(...): what only a while loop takes.
Value FunctionLowering::loop_condition(const std::vector<Value>& positional, const KeywordArguments& keywords) {
  std::vector<NamedValue> fields{{"arg1", Value()}, {"disable_licm", Constant::boolean(false)}};
  std::vector<bool> is_given(2, false);
  bool fits = positional.size() <= 2;
  const auto give = [&](std::size_t i, const Value& value) {
    fits = fits && !is_given[i];
    is_given[i] = true;
    fields[i].value = value;
  };
  for (std::size_t i = 0; fits && i < positional.size(); ++i) give(i, positional[i]);
  for (const auto& [name, value] : keywords) {
    const std::size_t i = name == fields[0].name ? 0 : 1;
    fits = fits && name == fields[i].name;
    if (fits) give(i, value);
  }
  if (fits && is_given[0])
    return RecordValue{std::string(kCondition), std::make_shared<const std::vector<NamedValue>>(std::move(fields))};
  report_.error(codes::kArguments, "tl.condition takes a condition and disable_licm");
  return {};
}

/// tl.aggregate_replace(value, field=...): the class's __init__ with the value's own fields for what is not given.
Value FunctionLowering::replace_fields(const std::vector<Value>& positional, const KeywordArguments& keywords) {
  const AggregateValue* old = positional.size() == 1 ? positional[0].aggregate() : nullptr;
  if (old == nullptr) {
    report_.error(codes::kArguments, "tl.aggregate_replace needs an aggregate, and fields by name");
    return {};
  }
  KeywordArguments fields;
  for (std::size_t i = 0; i < old->fields->size(); ++i)
    fields.emplace_back(old->type->fields[i].name, (*old->fields)[i]);
  for (const auto& [name, value] : keywords) {
    const std::size_t field = old->type->find_field(name);
    if (field == fields.size()) {
      report_.error(codes::kAttribute, fmt::format("the aggregate '{}' has no field '{}'", old->type->name, name));
      return {};
    }
    fields[field].second = value;
  }
  return checked(construct(compilation_.loader, *old->type, {}, fields));
}

bool FunctionLowering::is_tensor_method(const std::string& name) {
  if (name.starts_with("atomic_") && !compilation_.loader.namespace_has("triton.language", name)) return false;
  if (find_tensor_method(name) != nullptr) return true;
  const JitFunction* library = compilation_.loader.prelude("triton.language.standard").find_function(name);
  return library != nullptr && library->is_method_of_tensor;
}

/// Something that isinstance() takes: what a kernel can name and is no type is a function or a value. Tuples of types
/// are none: Triton asks for the types of a tuple's elements.
static bool is_type(const Value& value) {
  return value.host_function() != nullptr || value.python_class() != nullptr || value.opaque() != nullptr;
}

Value FunctionLowering::call_reflection(const std::string& name, const std::vector<Value>& positional) {
  if (name == "isinstance" && positional.size() == 2) {
    const Value& value = positional[0];
    if (!is_type(positional[1])) {
      report_.error(codes::kArguments,
                    fmt::format("isinstance() needs a type, not {}", positional[1].describe()),
                    "types cannot be in a tuple here: isinstance(x, a) or isinstance(x, b)");
      return {};
    }
    const auto matches = [&](const Value& type) {
      if (type.host_function() == nullptr && type.python_class() == nullptr) return false;
      const std::string wanted = type.host_function() != nullptr ? type.host_function()->name : "";
      if (type.python_class() != nullptr)
        return value.aggregate() != nullptr && value.aggregate()->type == type.python_class();
      if (wanted == "tl.tensor") return value.tensor() != nullptr;
      if (wanted == "tl.tuple" || wanted == "tuple") return value.elements() != nullptr;
      if (wanted == "tl.dtype") return value.is_dtype();
      return value.constant() != nullptr &&
             (value.constant()->type_name() == wanted || (wanted == "int" && value.constant()->is_bool()));
    };
    return Constant::boolean(matches(positional[1]));
  }
  if (positional.size() < 2 || !positional[1].is_string() || (name == "hasattr" && positional.size() > 2)) {
    report_.error(codes::kArguments, fmt::format("{}() needs a value and a name", name));
    return {};
  }
  const std::string& attribute = positional[1].constant()->text();
  const bool has = has_attribute(positional[0], attribute);
  if (name == "hasattr") return Constant::boolean(has);
  if (!has && positional.size() > 2) return positional[2];
  return attribute_of(positional[0], attribute);
}

bool FunctionLowering::has_attribute(const Value& owner, const std::string& name) {
  if (owner.tensor() != nullptr && (name == "T" || is_tensor_method(name))) return true;
  if (owner.descriptor() != nullptr) return descriptor_attribute(owner, name).has_value();
  if (owner.is_dtype()) return dtype_attribute(owner, name).has_value();
  if (owner.is_string()) return is_string_method(name);
  if (owner.is_number()) return is_integer_method(name);
  if (owner.space() != nullptr) return compilation_.loader.namespace_has(owner.space()->name, name);
  if (owner.module() != nullptr) return owner.module()->find(name) != nullptr;
  return member_of(owner, name).has_value();
}

Value FunctionLowering::call_builtin(const Builtin& row, std::vector<Value> positional,
                                     const KeywordArguments& keywords, bool is_method) {
  if (row.lower == nullptr) {
    report_.unsupported(codes::kUnsupportedBuiltin, fmt::format("tl.{} is not supported yet", row.name));
    return {};
  }
  const std::vector<SignatureParameter> parameters = parse_signature(row.signature);
  BuiltinCall call{*this, row, {}, {}, is_method};
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
    report_.error(codes::kArguments, fmt::format("tl.{}() takes {} positional arguments but {} were given", row.name,
                                                 parameters.size(), positional.size()));
    return {};
  }
  for (const auto& [name, value] : keywords) {
    std::size_t i = 0;
    while (i < parameters.size() && parameters[i].name != name) ++i;
    if (i == parameters.size() || given[i]) {
      report_.error(
          codes::kArguments,
          fmt::format("tl.{}() got {} '{}'", row.name,
                      i == parameters.size() ? "an unexpected keyword argument" : "multiple values for argument", name),
          fmt::format("its parameters are ({})", row.signature));
      return {};
    }
    call.arguments[i] = value;
    given[i] = true;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (given[i] || parameters[i].default_value) continue;
    report_.error(codes::kArguments, fmt::format("tl.{}() is missing the argument '{}'", row.name, parameters[i].name),
                  fmt::format("its parameters are ({})", row.signature));
    return {};
  }
  Value result = row.lower(call);
  // Not None, which could stand for an argument that is left out.
  if (result.is_none() && result.is_raw()) return OpaqueValue{fmt::format("{}{}()", kNoResult, row.name)};
  return result;
}

bool FunctionLowering::bind_arguments(const JitFunction& callee, std::vector<Value>& positional,
                                      const KeywordArguments& keywords) {
  const std::size_t count = callee.parameters.size();
  if (positional.size() > count) {
    std::vector<std::string> names;
    for (const Parameter& parameter : callee.parameters) names.push_back(parameter.name);
    report_.error(codes::kArguments,
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
      report_.error(codes::kArguments,
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
        report_.error(codes::kArguments, fmt::format("{}() is missing the argument '{}'", callee.name, parameter.name));
        return false;
      }
      positional[i] = compilation_.loader.evaluate(*parameter.default_value, *callee.module);
      if (positional[i].is_none()) positional[i] = Value::raw_none();
    }
    if (!is_argument(positional[i])) {
      report_.error(codes::kArguments,
                    fmt::format("argument '{}' of {}() is {}", parameter.name, callee.name, positional[i].describe()),
                    "pass tensors, numbers, dtypes, jit functions or tuples of them");
      return false;
    }
  }
  return true;
}

bool FunctionLowering::check_noinline(const JitFunction& callee, const std::vector<Value>& arguments) {
  for (std::size_t i = 0; callee.noinline && i < arguments.size(); ++i) {
    const Tensor* tensor = arguments[i].tensor();
    if (tensor == nullptr || tensor->type.numel() == 1) continue;
    report_.error(codes::kArguments,
                  fmt::format("function {} is marked noinline, but was called with non-scalar argument {}: {}",
                              callee.name, callee.parameters[i].name, tensor->type.to_string()));
    return false;
  }
  return true;
}

Value FunctionLowering::emit_call(Compilation::Function& function, const std::string& symbol,
                                  const std::vector<Value>& arguments) {
  std::vector<ir::Type> types;
  for (const ir::Value* handle : flatten(function.result)) types.push_back(handle->type());
  ir::Op* op =
      emit_.create("tt.call", flatten(Value::tuple(arguments)), types, {{"callee", emit_.context().symbol(symbol)}});
  std::vector<ir::Value*> results;
  for (std::size_t i = 0; i < op->result_count(); ++i) results.push_back(op->result(i));
  std::size_t cursor = 0;
  return rebuild(function.result, results, cursor);
}

Value FunctionLowering::call_constexpr_function(const JitFunction& callee, const std::vector<Value>& positional,
                                                const KeywordArguments& keywords) {
  return checked(run_constexpr_function(compilation_.loader, callee, positional, keywords));
}

/// What no function can be called with: reported.
bool FunctionLowering::check_bound(const JitFunction& callee, const std::vector<Value>& bound) {
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const bool is_member = bound[i].constant() != nullptr && bound[i].constant()->enum_member() != nullptr;
    if (!bound[i].is_wrapped_tensor() && (!is_member || bound[i].is_constexpr())) continue;
    report_.error(codes::kArguments,
                  fmt::format("{}(): '{}' is {}, which {}", callee.name, callee.parameters[i].name, bound[i].describe(),
                              is_member ? "is an argument only as tl.constexpr" : "was annotated tl.constexpr"),
                  is_member ? "name it first: which: tl.constexpr = ..." : std::string(kLeaveAnnotationOut));
    return false;
  }
  return true;
}

Value FunctionLowering::call_function(const JitFunction& callee, std::vector<Value> positional,
                                      const KeywordArguments& keywords) {
  if (callee.is_constexpr_function || callee.is_plain_python)
    return call_constexpr_function(callee, positional, keywords);
  if (!check_noinline(callee, positional) || !bind_arguments(callee, positional, keywords)) return {};
  if (!check_bound(callee, positional)) return {};
  const std::string symbol = mangle(callee, positional);
  const auto [entry, is_new] = compilation_.functions.try_emplace(symbol);
  if (!is_new && entry->second.failed) {
    report_.note_failure();
    return {};
  }
  if (!is_new && !entry->second.is_complete) {
    report_.error(codes::kRecursion, fmt::format("{}() calls itself with the same types and constants", callee.name),
                  "recursion must end at compile time, by a constexpr argument");
    return {};
  }
  if (is_new) {
    if (compilation_.depth >= Compilation::kMaxCallDepth ||
        compilation_.functions.size() > Compilation::kMaxFunctions) {
      report_.error(codes::kRecursion, fmt::format("calls are nested too deeply at {}()", callee.name));
      entry->second.failed = true;
      return {};
    }
    std::vector<DiagnosticNote> chain{{fmt::format("called from here, in {}()", function_.name), report_.span()}};
    chain.insert(chain.end(), report_.call_chain().begin(), report_.call_chain().end());
    ++compilation_.depth;
    FunctionLowering lowering(compilation_, callee, symbol, false, std::move(chain));
    const bool fine = lowering.run(positional);
    --compilation_.depth;
    if (!fine) {
      entry->second.failed = true;
      report_.note_failure();
      return {};
    }
  }
  return emit_call(compilation_.functions[symbol], symbol, positional);
}

}  // namespace lockstep::frontend
