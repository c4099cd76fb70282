#include "frontend/eval/constexpr_function.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/eval/evaluate_expression.h"
#include "frontend/eval/python_class.h"
#include "frontend/eval/read_function.h"
#include "frontend/host/host_containers.h"
#include "frontend/host/host_operators.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

constexpr int kMaxSteps = 1'000'000;  // of an outermost call and all that it calls
constexpr std::size_t kMaxConstexprItems = 100'000;
constexpr int kMaxDepth = 50;
thread_local int running_depth = 0;
thread_local int steps_taken = 0;

/// Python's isinstance() for the annotations of fields.
bool is_instance(const Evaluation& in, const Value& value, const ast::Expr& annotation) {
  if (const auto* either = annotation.as<ast::BinOp>())
    return is_instance(in, value, *either->left) || is_instance(in, value, *either->right);
  const Value type = evaluate_expression(in, annotation);
  if (const PythonClass* wanted = type.python_class())
    return value.aggregate() != nullptr && value.aggregate()->type == wanted;
  if (type.host_function() == nullptr) return true;  // a class of Python's or of another library
  const std::string& name = type.host_function()->name;
  if (name == "constexpr") return value.is_constexpr();
  if (name == "tl.tensor") return value.tensor() != nullptr;
  if (name == "tl.tuple" || name == "tuple") return value.elements() != nullptr;
  if (name == "tl.dtype") return value.is_dtype();
  return true;
}

std::string wrong_field_type(const PythonClass& type, std::size_t field, const Value& value) {
  const SourceRange annotation = type.fields[field].annotation->range;
  return fmt::format("TypeError: expected {} for attribute '{}', got {}",
                     type.module->file()->text().substr(annotation.begin, annotation.end - annotation.begin),
                     type.fields[field].name, describe(value));
}

class Interpreter {
 public:
  Interpreter(Modules& modules, const JitFunction& function)
      : function_(function), evaluation_{modules, *function.module, &locals_, false} {
    if (function.captured != nullptr) locals_ = *function.captured;
  }
  ValueResult run(const std::vector<Value>& arguments);
  /// Runs the function as the __init__ of `type`; returns the value whose fields it sets.
  ValueResult run_constructor(const PythonClass& type, const std::vector<Value>& arguments);

 private:
  enum class Flow : std::uint8_t { next, leave_loop, next_iteration, returned, failed };

  Flow run(const ast::Body& body);
  Flow run(const ast::Stmt& node);
  Flow run_for(const ast::For& node);
  Flow run_while(const ast::While& node);
  Flow run_try(const ast::Try& node);
  Flow run_import(const ast::Import& node);
  Flow run_import(const ast::ImportFrom& node);
  Flow bind_import(const std::string& name, const Value& value);
  Flow assign(const ast::Expr& target, const Value& value);
  Flow set_field(const ast::Attribute& target, const Value& value);
  Flow set_element(const ast::Subscript& target, const Value& value);
  Flow run_expression(const ast::Expr& node);
  static bool holds(const Value& value, const Value& container);
  Flow replace(const ast::Expr& container, const ValueResult& changed);
  Flow fail(std::string why) {
    error_ = std::move(why);
    return Flow::failed;
  }
  /// Invalid after a failure.
  Value evaluate(const ast::Expr& node);
  bool iterate(const ast::Expr& node, std::vector<Value>& items);

  const JitFunction& function_;
  const PythonClass* constructed_ = nullptr;
  std::vector<Value> fields_;  // of the value under construction; invalid: not set yet
  Scope locals_;
  Evaluation evaluation_;
  Value result_{Constant()};
  std::string error_;
  bool is_import_error_ = false;  // error_ stands for Python's ImportError
};

Value Interpreter::evaluate(const ast::Expr& node) {
  const Value value = evaluate_expression(evaluation_, node);
  if (value.opaque() == nullptr) return value;
  const LineColumn at = function_.module->file()->position(node.range.begin);
  error_ = fmt::format("line {} of {}() uses {}", at.line, function_.name, value.opaque()->what);
  return {};
}

ValueResult Interpreter::run(const std::vector<Value>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) locals_.set(function_.parameters[i].name, arguments[i]);
  const Flow flow = run(function_.node->body);
  if (flow == Flow::failed) return Unexpected<std::string>{error_};
  return result_;
}

ValueResult Interpreter::run_constructor(const PythonClass& type, const std::vector<Value>& arguments) {
  constructed_ = &type;
  fields_.resize(type.fields.size());
  const ValueResult done = run(arguments);
  if (!done) return done;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].is_invalid())
      return Unexpected<std::string>{
          fmt::format("constructor for {} did not initialize attribute '{}'", type.name, type.fields[i].name)};
  }
  return Value(AggregateValue{&type, std::make_shared<const std::vector<Value>>(fields_)});
}

/// Whether `container` is `value` itself or one of its parts.
bool Interpreter::holds(const Value& value, const Value& container) {
  if (value.elements() == nullptr && value.dict() == nullptr) return false;
  if (is_identical(value, container)) return true;
  if (value.elements() != nullptr)
    return std::any_of(value.elements()->begin(), value.elements()->end(),
                       [&](const Value& element) { return holds(element, container); });
  return std::any_of(value.dict()->begin(), value.dict()->end(),
                     [&](const DictEntry& entry) { return holds(entry.value, container); });
}

/// Lists and dicts are held as values: a change makes a new value, which is right if no other name holds the same one.
Interpreter::Flow Interpreter::replace(const ast::Expr& container, const ValueResult& changed) {
  if (!changed) return fail(changed.error());
  const auto* name = container.as<ast::Name>();
  const Value* held = name != nullptr ? locals_.find(name->id) : nullptr;
  if (held == nullptr)
    return fail(fmt::format("{}() changes a list or dict that is not one of its names", function_.name));
  for (const Scope::Entry& entry : locals_.entries()) {
    if (entry.first != name->id && holds(entry.second, *held))
      return fail(
          fmt::format("{}() changes a list that '{}' and '{}' both name", function_.name, name->id, entry.first));
  }
  locals_.set(name->id, *changed);
  return Flow::next;
}

Interpreter::Flow Interpreter::set_element(const ast::Subscript& target, const Value& value) {
  const Value index = evaluate(*target.slice);
  const Value container = evaluate(*target.value);
  if (index.is_invalid() || container.is_invalid()) return Flow::failed;
  return replace(*target.value, changed_by_assignment(container, index, value));
}

Interpreter::Flow Interpreter::set_field(const ast::Attribute& target, const Value& value) {
  const auto* self = target.value->as<ast::Name>();
  if (constructed_ == nullptr || self == nullptr || self->id != function_.parameters.front().name)
    return fail(fmt::format("{}() assigns to an attribute", function_.name));
  const std::size_t field = constructed_->find_field(target.attr);
  if (field == fields_.size())
    return fail(fmt::format("AttributeError: {} has no attribute '{}'", constructed_->name, target.attr));
  const ast::Expr* annotation = constructed_->fields[field].annotation;
  if (annotation != nullptr && !is_instance(evaluation_, value, *annotation))
    return fail(wrong_field_type(*constructed_, field, value));
  fields_[field] = value;
  locals_.set(self->id, AggregateValue{constructed_, std::make_shared<const std::vector<Value>>(fields_)});
  return Flow::next;
}

Interpreter::Flow Interpreter::run(const ast::Body& body) {
  for (const ast::StmtPtr& statement : body) {
    if (++steps_taken > kMaxSteps) return fail(fmt::format("{}() does not end", function_.name));
    if (const Flow flow = run(*statement); flow != Flow::next) return flow;
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::run(const ast::Stmt& node) {
  if (node.is<ast::Pass>()) return Flow::next;
  if (node.is<ast::Break>()) return Flow::leave_loop;
  if (node.is<ast::Continue>()) return Flow::next_iteration;
  if (const auto* loop = node.as<ast::For>()) return run_for(*loop);
  if (const auto* loop = node.as<ast::While>()) return run_while(*loop);
  if (const auto* attempt = node.as<ast::Try>()) return run_try(*attempt);
  if (const auto* inner = node.as<ast::FunctionDef>()) {
    locals_.set(inner->name, make_function(evaluation_, *inner,
                                           fmt::format("{}.<locals>.{}", function_.qualified_name, inner->name)));
    return Flow::next;
  }
  if (const auto* import = node.as<ast::Import>()) return run_import(*import);
  if (const auto* import = node.as<ast::ImportFrom>()) return run_import(*import);
  if (const auto* assignment = node.as<ast::Assign>()) {
    const Value value = evaluate(*assignment->value);
    for (const ast::ExprPtr& target : assignment->targets) {
      if (assign(*target, value) == Flow::failed) return Flow::failed;
    }
    return Flow::next;
  }
  if (const auto* annotated = node.as<ast::AnnAssign>())
    return annotated->value ? assign(*annotated->target, evaluate(*annotated->value)) : Flow::next;
  if (const auto* augmented = node.as<ast::AugAssign>()) {
    const Value left = evaluate(*augmented->target);
    const Value right = evaluate(*augmented->value);
    if (left.is_invalid() || right.is_invalid()) return Flow::failed;
    const ValueResult value = apply_host(augmented->op, left, right);
    return value ? assign(*augmented->target, *value) : fail(value.error());
  }
  if (const auto* returned = node.as<ast::Return>()) {
    if (returned->value) result_ = evaluate(*returned->value);
    return result_.is_invalid() ? Flow::failed : Flow::returned;
  }
  if (const auto* expression = node.as<ast::ExprStmt>()) return run_expression(*expression->value);
  const auto* branch = node.as<ast::If>();
  const auto* check = node.as<ast::Assert>();
  if (branch == nullptr && check == nullptr)
    return fail(fmt::format("{}() has a statement of type {}", function_.name, ast::kind_name(node.kind)));
  const Value test = evaluate(branch != nullptr ? *branch->test : *check->test);
  if (test.is_invalid()) return Flow::failed;
  const bool holds = truth(test).value_or(false);
  if (branch != nullptr) return run(holds ? branch->body : branch->orelse);
  return holds ? Flow::next : fail(fmt::format("AssertionError in {}()", function_.name));
}

/// Whether `except TYPE` takes an ImportError.
bool takes_import_error(const ast::ExceptHandler& handler) {
  if (handler.type == nullptr) return true;
  const auto* name = handler.type->as<ast::Name>();
  return name != nullptr && (name->id == "ImportError" || name->id == "ModuleNotFoundError" ||
                             name->id == "Exception" || name->id == "BaseException");
}

/// Only one exception is known: the ImportError of a missing module. Any other failure is not an answer.
Interpreter::Flow Interpreter::run_try(const ast::Try& node) {
  Flow flow = run(node.body);
  if (flow == Flow::next) flow = run(node.orelse);
  if (flow == Flow::failed && is_import_error_) {
    const auto handler = std::find_if(node.handlers.begin(), node.handlers.end(),
                                      [](const auto& candidate) { return takes_import_error(*candidate); });
    if (handler == node.handlers.end()) return flow;
    is_import_error_ = false;
    flow = run((*handler)->body);
  }
  if (flow == Flow::failed) return flow;
  const Flow last = run(node.finalbody);
  return last == Flow::next ? flow : last;
}

Interpreter::Flow Interpreter::bind_import(const std::string& name, const Value& value) {
  is_import_error_ = value.opaque() != nullptr;
  if (is_import_error_) return fail(fmt::format("'{}' is {}", name, value.opaque()->what));
  locals_.set(name, value);
  return Flow::next;
}

Interpreter::Flow Interpreter::run_import(const ast::Import& node) {
  for (const auto& alias : node.names) {
    const std::string top = alias->name.substr(0, alias->name.find('.'));
    if (bind_import(alias->asname.value_or(top), evaluation_.modules.follow({alias->asname ? alias->name : top, {}})) ==
        Flow::failed)
      return Flow::failed;
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::run_import(const ast::ImportFrom& node) {
  if (node.level != 0 || !node.module) return fail(fmt::format("{}() has a relative import", function_.name));
  for (const auto& alias : node.names) {
    const Value value = evaluation_.modules.follow({*node.module, alias->name});
    if (bind_import(alias->asname.value_or(alias->name), value) == Flow::failed) return Flow::failed;
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::assign(const ast::Expr& target, const Value& value) {
  if (value.is_invalid()) return Flow::failed;
  if (const auto* name = target.as<ast::Name>()) {
    locals_.set(name->id, value);
    return Flow::next;
  }
  if (const auto* attribute = target.as<ast::Attribute>()) return set_field(*attribute, value);
  if (const auto* element = target.as<ast::Subscript>()) return set_element(*element, value);
  const auto* tuple = target.as<ast::Tuple>();
  if (tuple == nullptr || value.elements() == nullptr || value.elements()->size() != tuple->elts.size()) {
    return fail(fmt::format("{}() has an assignment that is not supported", function_.name));
  }
  for (std::size_t i = 0; i < tuple->elts.size(); ++i) {
    if (assign(*tuple->elts[i], (*value.elements())[i]) == Flow::failed) return Flow::failed;
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::run_expression(const ast::Expr& node) {
  const auto* call = node.as<ast::Call>();
  const auto* method = call != nullptr ? call->func->as<ast::Attribute>() : nullptr;
  if (method == nullptr || !is_changing_method(method->attr))
    return evaluate(node).is_invalid() ? Flow::failed : Flow::next;
  const Value container = evaluate(*method->value);
  std::vector<Value> arguments;
  for (const ast::ExprPtr& argument : call->args) arguments.push_back(evaluate(*argument));
  const bool is_known = std::none_of(arguments.begin(), arguments.end(), [](const Value& v) { return v.is_invalid(); });
  if (container.is_invalid() || !is_known) return Flow::failed;
  if (!call->keywords.empty()) return fail(fmt::format("{}() with keywords", method->attr));
  return replace(*method->value, changed_by_method(container, method->attr, arguments));
}

bool Interpreter::iterate(const ast::Expr& node, std::vector<Value>& items) {
  const auto* call = node.as<ast::Call>();
  const auto* name = call != nullptr ? call->func->as<ast::Name>() : nullptr;
  if (name == nullptr || name->id != "range") {
    const Value sequence = evaluate(node);
    const std::optional<std::vector<Value>> found = items_of(sequence);
    if (!found)
      return !sequence.is_invalid() && fail(fmt::format("{} is not a sequence", describe(sequence))) != Flow::failed;
    items = *found;
    return true;
  }
  std::vector<Integer> bounds;
  for (const ast::ExprPtr& argument : call->args) {
    const Value bound = evaluate(*argument);
    if (bound.constant() == nullptr || !bound.constant()->is_integral())
      return fail("range() needs integers") != Flow::failed;
    bounds.push_back(bound.constant()->as_integer());
  }
  if (bounds.empty() || bounds.size() > 3) return fail("range() takes 1 to 3 arguments") != Flow::failed;
  const Integer start = bounds.size() > 1 ? bounds[0] : 0;
  const Integer end = bounds.size() > 1 ? bounds[1] : bounds[0];
  const Integer step = bounds.size() > 2 ? bounds[2] : 1;
  if (step == 0) return fail("range() step must not be zero") != Flow::failed;
  for (Integer i = start; step > 0 ? i < end : i > end; i += step) {
    if (items.size() >= kMaxConstexprItems) return fail("range() is too long") != Flow::failed;
    items.emplace_back(Constant::integer(i));
  }
  return true;
}

Interpreter::Flow Interpreter::run_for(const ast::For& node) {
  std::vector<Value> items;
  if (!iterate(*node.iter, items)) return Flow::failed;
  for (const Value& item : items) {
    if (++steps_taken > kMaxSteps) return fail(fmt::format("{}() does not end", function_.name));
    if (assign(*node.target, item) == Flow::failed) return Flow::failed;
    const Flow flow = run(node.body);
    if (flow == Flow::leave_loop) return Flow::next;
    if (flow == Flow::returned || flow == Flow::failed) return flow;
  }
  return run(node.orelse);
}

Interpreter::Flow Interpreter::run_while(const ast::While& node) {
  for (;;) {
    if (++steps_taken > kMaxSteps) return fail(fmt::format("{}() does not end", function_.name));
    const Value test = evaluate(*node.test);
    if (test.is_invalid()) return Flow::failed;
    if (!truth(test).value_or(false)) return run(node.orelse);
    const Flow flow = run(node.body);
    if (flow == Flow::leave_loop) return Flow::next;
    if (flow == Flow::returned || flow == Flow::failed) return flow;
  }
}

}  // namespace

namespace {

/// One value per parameter of the function.
Expected<std::vector<Value>, std::string> bound_arguments(Modules& modules, const JitFunction& function,
                                                          const std::vector<Value>& positional,
                                                          const NamedValues& keywords) {
  using Failure = Unexpected<std::string>;
  const std::size_t count = function.parameters.size();
  if (positional.size() > count)
    return Failure{fmt::format("{}() takes {} arguments but {} were given", function.name, count, positional.size())};
  std::vector<Value> arguments = positional;
  arguments.resize(count);
  for (const auto& [name, value] : keywords) {
    std::size_t i = 0;
    while (i < count && function.parameters[i].name != name) ++i;
    if (i == count) return Failure{fmt::format("{}() got an unexpected keyword argument '{}'", function.name, name)};
    arguments[i] = value;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Parameter& parameter = function.parameters[i];
    if (arguments[i].is_invalid() && parameter.default_value != nullptr)
      arguments[i] = modules.evaluate(*parameter.default_value, *function.module);
    if (arguments[i].is_invalid())
      return Failure{fmt::format("{}() is missing the argument '{}'", function.name, parameter.name)};
  }
  return arguments;
}

template <typename Run>
ValueResult run_bounded(const JitFunction& function, const Run& run) {
  if (running_depth >= kMaxDepth)
    return Unexpected<std::string>{fmt::format("{}() is nested too deeply", function.name)};
  if (running_depth++ == 0) steps_taken = 0;
  ValueResult result = run();
  --running_depth;
  return result;
}

/// One value per field, bound by the __init__ that Python writes for named tuples (and Triton 3.9 for aggregates).
Expected<std::vector<Value>, std::string> bound_fields(Modules& modules, const PythonClass& type,
                                                       std::vector<Value> values, const NamedValues& keywords) {
  using Failure = Unexpected<std::string>;
  if (values.size() > type.fields.size())
    return Failure{
        fmt::format("{}() takes {} arguments but {} were given", type.name, type.fields.size(), values.size())};
  values.resize(type.fields.size());
  for (const auto& [name, value] : keywords) {
    const std::size_t field = type.find_field(name);
    if (field == values.size() || !values[field].is_invalid())
      return Failure{fmt::format("{}() got {} '{}'", type.name,
                                 field == values.size() ? "an unexpected keyword argument" : "multiple values for",
                                 name)};
    values[field] = value;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const PythonClass::Field& field = type.fields[i];
    if (values[i].is_invalid() && field.default_value != nullptr)
      values[i] = modules.evaluate(*field.default_value, *type.module);
    if (values[i].is_invalid()) return Failure{fmt::format("{}() is missing the argument '{}'", type.name, field.name)};
  }
  return values;
}

ValueResult construct_without_init(Modules& modules, const PythonClass& type, const std::vector<Value>& positional,
                                   const NamedValues& keywords) {
  const auto values = bound_fields(modules, type, positional, keywords);
  if (!values) return Unexpected<std::string>{values.error()};
  if (!type.is_aggregate) return Value::tuple(*values, &type);
  for (std::size_t i = 0; i < values->size(); ++i) {
    const ast::Expr* annotation = type.fields[i].annotation;
    const Value& value = (*values)[i];
    const Evaluation in{modules, *type.module};
    if (annotation != nullptr &&
        !is_instance(in, value.constant() != nullptr ? value.as_constexpr() : value, *annotation))
      return Unexpected<std::string>{wrong_field_type(type, i, value)};
  }
  return Value(AggregateValue{&type, std::make_shared<const std::vector<Value>>(*values)});
}

/// Triton hashes everything that a kernel refers to, and refuses plain Python functions there. "" if there are none.
std::string plain_method(const PythonClass& type) {
  for (const Scope::Entry& member : type.members.entries()) {
    if (member.second.opaque() != nullptr && member.second.opaque()->function != nullptr)
      return fmt::format("{}() of the aggregate '{}' is a plain Python function: decorate it with {}", member.first,
                         type.name, "@triton.constexpr_function or @triton.jit");
  }
  return {};
}

}  // namespace

ValueResult run_constexpr_function(Modules& modules, const JitFunction& function, const std::vector<Value>& positional,
                                   const NamedValues& keywords) {
  const auto arguments = bound_arguments(modules, function, positional, keywords);
  if (!arguments) return Unexpected<std::string>{arguments.error()};
  return run_bounded(function, [&] { return Interpreter(modules, function).run(*arguments); });
}

ValueResult construct(Modules& modules, const PythonClass& type, const std::vector<Value>& positional,
                      const NamedValues& keywords) {
  if (const std::string plain = plain_method(type); !plain.empty()) return Unexpected<std::string>{plain};
  const JitFunction* init = type.find_function("__init__");
  if (init == nullptr) return construct_without_init(modules, type, positional, keywords);
  std::vector<Value> all{Value(AggregateValue{&type, std::make_shared<const std::vector<Value>>(type.fields.size())})};
  all.insert(all.end(), positional.begin(), positional.end());
  const auto arguments = bound_arguments(modules, *init, all, keywords);
  if (!arguments) return Unexpected<std::string>{arguments.error()};
  return run_bounded(*init, [&] { return Interpreter(modules, *init).run_constructor(type, *arguments); });
}

}  // namespace lockstep::frontend
