// Expressions of module-level code and of functions that run at compile time.
#include <algorithm>

#include <fmt/format.h>

#include "frontend/builtins/argument_record.h"
#include "frontend/eval/constexpr_function.h"
#include "frontend/eval/host_containers.h"
#include "frontend/eval/host_environment.h"
#include "frontend/eval/host_functions.h"
#include "frontend/eval/host_strings.h"
#include "frontend/eval/module_runner.h"
#include "frontend/eval/python_class.h"

namespace lockstep::frontend {

namespace {

constexpr int kMaxNesting = 1'500;
constexpr std::size_t kMaxModuleItems = 10'000;

bool is_unknown(const Value& value) { return value.opaque() != nullptr && value.opaque()->function == nullptr; }

/// What an expression is that needs the unknown value `cause`.
Value depending_on(const Value& cause) {
  constexpr std::string_view kImport = "from the module ", kFunction = "the plain Python function ";
  const std::string& what = cause.opaque()->what;
  if (what.starts_with(kImport)) return unknown("a value that depends on the module " + what.substr(kImport.size()));
  if (what.starts_with(kFunction)) return unknown("a value of the Python function " + what.substr(kFunction.size()));
  return cause;
}

/// An argument of a launch of which only the type is known.
bool is_valueless(const Value& value) { return value.record() != nullptr && value.record()->type == "argument"; }
Value made_of_valueless() { return unknown("made of an argument that is given by its type alone"); }

}  // namespace

Value ModuleEvaluator::evaluate(const ast::Expr& node) {
  thread_local int nesting = 0;  // through calls of constexpr functions too
  if (nesting >= kMaxNesting) return unknown("an expression that is nested too deeply");
  ++nesting;
  Value value = dispatch(node);
  --nesting;
  return value;
}

Value ModuleEvaluator::dispatch(const ast::Expr& node) {
  switch (node.kind) {
    case ast::Kind::Constant: return constant_of(*node.as<ast::Constant>());
    case ast::Kind::Name: return evaluate_name(*node.as<ast::Name>());
    case ast::Kind::Attribute: return evaluate_attribute(*node.as<ast::Attribute>());
    case ast::Kind::BinOp: return evaluate_binary(*node.as<ast::BinOp>());
    case ast::Kind::Compare: return evaluate_compare(*node.as<ast::Compare>());
    case ast::Kind::BoolOp: return evaluate_bool(*node.as<ast::BoolOp>());
    case ast::Kind::Subscript: return evaluate_subscript(*node.as<ast::Subscript>());
    case ast::Kind::Call: return evaluate_call(*node.as<ast::Call>());
    case ast::Kind::Tuple: return evaluate_sequence(node.as<ast::Tuple>()->elts);
    case ast::Kind::List: return evaluate_sequence(node.as<ast::List>()->elts);
    case ast::Kind::Dict: return evaluate_dict(*node.as<ast::Dict>());
    case ast::Kind::ListComp: return evaluate_comprehension(*node.as<ast::ListComp>());
    case ast::Kind::GeneratorExp: return evaluate_comprehension(*node.as<ast::GeneratorExp>());
    case ast::Kind::DictComp: return evaluate_comprehension(*node.as<ast::DictComp>());
    case ast::Kind::Lambda: return evaluate_lambda(*node.as<ast::Lambda>());
    case ast::Kind::JoinedStr: return evaluate_joined_string(*node.as<ast::JoinedStr>());
    case ast::Kind::UnaryOp: {
      const Value operand = evaluate(*node.as<ast::UnaryOp>()->operand);
      const ValueResult result = apply_host(node.as<ast::UnaryOp>()->op, operand);
      if (result && operand.is_constexpr()) return result->as_constexpr();
      return result ? *result : unknown();
    }
    case ast::Kind::IfExp: {
      const auto& choice = *node.as<ast::IfExp>();
      const std::optional<bool> test = truth(evaluate(*choice.test));
      return test ? evaluate(*test ? *choice.body : *choice.orelse) : unknown();
    }
    default: return unknown();
  }
}

Value ModuleEvaluator::evaluate_joined_string(const ast::JoinedStr& node) {
  std::string text;
  for (const ast::ExprPtr& part : node.values) {
    const auto* formatted = part->as<ast::FormattedValue>();
    if (formatted != nullptr && formatted->format_spec) return unknown("an f-string with a format");
    const Value value = evaluate(formatted != nullptr ? *formatted->value : *part);
    if (value.constant() == nullptr) return unknown();
    text += formatted != nullptr && formatted->conversion == 'r' ? value.constant()->repr() : value.str();
  }
  return Constant::string(std::move(text));
}

/// Calls `visit` for every round of the generators from `first` on. nullopt: all went well; else why not.
std::optional<Value> ModuleEvaluator::go_through(const ast::Generators& generators, std::size_t first, Scope& scope,
                                                 const RoundVisitor& visit) {
  if (first == generators.size()) {
    ModuleEvaluator inner(loader_, module_, &scope);
    inner.is_comprehension_ = true;
    return visit(inner);
  }
  const ast::Comprehension& generator = *generators[first];
  ModuleEvaluator outer(loader_, module_, &scope);
  outer.is_comprehension_ = true;
  const Value iterated = outer.evaluate(*generator.iter);
  const std::optional<std::vector<Value>> items = items_of(iterated);
  if (!items) return iterated.opaque() != nullptr ? depending_on(iterated) : unknown();
  if (items->size() > kMaxModuleItems) return unknown("a comprehension over too many elements");
  for (const Value& item : *items) {
    if (!unpack(*generator.target, item, scope)) return unknown("a comprehension of this form");
    bool is_chosen = true;
    for (const ast::ExprPtr& condition : generator.ifs) {
      const std::optional<bool> holds = truth(outer.evaluate(*condition));
      if (!holds) return unknown();
      is_chosen = is_chosen && *holds;
      if (!is_chosen) break;
    }
    if (!is_chosen) continue;
    if (std::optional<Value> failed = go_through(generators, first + 1, scope, visit)) return failed;
  }
  return std::nullopt;
}

bool ModuleEvaluator::unpack(const ast::Expr& target, const Value& value, Scope& scope) {
  if (const auto* name = target.as<ast::Name>()) return scope.set(name->id, value), true;
  const auto* tuple = target.as<ast::Tuple>();
  const std::optional<std::vector<Value>> items = items_of(value);
  if (tuple == nullptr || !items || items->size() != tuple->elts.size()) return false;
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (!unpack(*tuple->elts[i], (*items)[i], scope)) return false;
  }
  return true;
}

template <class Comprehension>
Value ModuleEvaluator::evaluate_comprehension(const Comprehension& node) {
  Scope scope = locals_ != nullptr ? *locals_ : Scope();
  std::vector<Value> results;
  const std::optional<Value> failed =
      go_through(node.generators, 0, scope, [&](ModuleEvaluator& inner) -> std::optional<Value> {
        if (results.size() >= kMaxModuleItems) return unknown("a comprehension of too many elements");
        results.push_back(inner.evaluate(*node.elt));
        return results.back().opaque() != nullptr ? std::optional(results.back()) : std::nullopt;
      });
  return failed ? *failed : Value::tuple(std::move(results));
}

Value ModuleEvaluator::evaluate_comprehension(const ast::DictComp& node) {
  Scope scope = locals_ != nullptr ? *locals_ : Scope();
  std::vector<DictEntry> entries;
  const std::optional<Value> failed =
      go_through(node.generators, 0, scope, [&](ModuleEvaluator& inner) -> std::optional<Value> {
        if (entries.size() >= kMaxModuleItems) return unknown("a comprehension of too many elements");
        entries.push_back({inner.evaluate(*node.key), inner.evaluate(*node.value)});
        return std::nullopt;
      });
  if (failed) return *failed;
  const ValueResult made = make_dict(entries);
  return made ? *made : unknown(made.error());
}

Value ModuleEvaluator::evaluate_dict(const ast::Dict& node) {
  std::vector<DictEntry> entries;
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    const Value value = evaluate(*node.values[i]);
    if (node.keys[i]) {
      entries.push_back({evaluate(*node.keys[i]), value});
      continue;
    }
    if (value.dict() == nullptr) return value.opaque() != nullptr ? depending_on(value) : unknown();
    entries.insert(entries.end(), value.dict()->begin(), value.dict()->end());
  }
  const ValueResult made = make_dict(entries);
  return made ? *made : unknown(made.error());
}

/// In a comprehension a lambda would see the last round's names.
Value ModuleEvaluator::evaluate_lambda(const ast::Lambda& node) {
  if (is_comprehension_) return unknown("a lambda in a comprehension");
  return LambdaValue{&node, &module_, locals_ != nullptr ? std::make_shared<const Scope>(*locals_) : nullptr};
}

Value ModuleEvaluator::evaluate_name(const ast::Name& node) {
  if (const Value* local = locals_ != nullptr ? locals_->find(node.id) : nullptr) return *local;
  if (module_.rebound_globals_.contains(node.id)) return unknown("a global that functions rebind");
  if (const Value* held = module_.find(node.id)) return *held;
  if (node.id == "range" || node.id == "map" || node.id == "filter") return HostFunction{"python." + node.id};
  if (is_host_function(node.id) || is_container_function(node.id) || node.id == "hasattr" || node.id == "getattr" ||
      node.id == "isinstance")
    return HostFunction{node.id};
  return unknown(fmt::format("the name '{}', which is not defined", node.id));
}

Value ModuleEvaluator::evaluate_attribute(const ast::Attribute& node) {
  const Value owner = evaluate(*node.value);
  std::optional<Value> value;
  if (owner.space() != nullptr) value = loader_.namespace_attribute(owner.space()->name, node.attr);
  if (owner.is_dtype()) value = dtype_attribute(owner, node.attr);
  if (owner.record() != nullptr) value = record_attribute(owner, node.attr);
  if (is_container_method(owner, node.attr) || (owner.record() != nullptr && is_record_method(owner, node.attr)))
    return BoundMethod{std::make_shared<const Value>(owner), nullptr, nullptr, node.attr};
  if (owner.host_function() != nullptr) value = torch_type_attribute(owner.host_function()->name, node.attr);
  if (owner.constant() != nullptr && node.attr == "value") value = owner;
  if (!value) value = member_of(owner, node.attr);
  const bool is_integer = owner.constant() != nullptr && owner.constant()->is_integral();
  if ((owner.is_string() && is_string_method(node.attr)) || (is_integer && is_integer_method(node.attr)))
    return BoundMethod{std::make_shared<const Value>(owner), nullptr, nullptr, node.attr};
  if (const PythonModule* module = owner.module()) {
    if (const Value* held = module->find(node.attr)) return *held;
    if (const PythonModule* child = loader_.import(module->name() + "." + node.attr)) return Value(child);
  }
  if (!value && is_unknown(owner)) return depending_on(owner);
  return value ? *value : unknown();
}

Value ModuleEvaluator::evaluate_binary(const ast::BinOp& node) {
  const Value left = evaluate(*node.left);
  const Value right = evaluate(*node.right);
  for (const Value* operand : {&left, &right}) {
    if (operand->opaque() != nullptr) return depending_on(*operand);
    if (is_valueless(*operand)) return made_of_valueless();
  }
  const ValueResult result = apply_host(node.op, left, right);
  if (result && (left.is_constexpr() || right.is_constexpr())) return result->as_constexpr();
  return result ? *result : unknown(fmt::format("an expression that fails: {}", result.error()));
}

/// What stands right of a comparison; a set is as good as a tuple there if it is only searched.
Value ModuleEvaluator::evaluate_comparator(const ast::Expr& node, ast::CompareOperator op) {
  const bool is_search = op == ast::CompareOperator::In || op == ast::CompareOperator::NotIn;
  if (const auto* set = is_search ? node.as<ast::Set>() : nullptr) return evaluate_sequence(set->elts);
  return evaluate(node);
}

Value ModuleEvaluator::evaluate_compare(const ast::Compare& node) {
  Value left = evaluate(*node.left);
  for (std::size_t i = 0; i < node.ops.size(); ++i) {
    const Value right = evaluate_comparator(*node.comparators[i], node.ops[i]);
    if (left.opaque() != nullptr) return depending_on(left);
    if (right.opaque() != nullptr) return depending_on(right);
    const bool is_identity = node.ops[i] == ast::CompareOperator::Is || node.ops[i] == ast::CompareOperator::IsNot;
    if (!is_identity && (is_valueless(left) || is_valueless(right))) return made_of_valueless();
    const ValueResult result = compare_tuples(node.ops[i], left, right);
    if (!result) return unknown(fmt::format("a comparison that fails: {}", result.error()));
    const std::optional<bool> answer = truth(*result);
    if (!answer) return unknown();
    if (!*answer || i + 1 == node.ops.size()) return *result;
    left = right;
  }
  return unknown();
}

Value ModuleEvaluator::evaluate_bool(const ast::BoolOp& node) {
  Value last;
  for (const ast::ExprPtr& operand : node.values) {
    last = evaluate(*operand);
    const std::optional<bool> value = truth(last);
    if (!value) return last.opaque() != nullptr ? depending_on(last) : unknown();
    if (*value != (node.op == ast::BoolOperator::And)) return last;
  }
  return last;
}

Value ModuleEvaluator::evaluate_subscript(const ast::Subscript& node) {
  const Value sequence = evaluate(*node.value);
  if (sequence.opaque() != nullptr) return depending_on(sequence);
  if (const std::vector<DictEntry>* entries = sequence.dict()) {
    const ValueResult found = find_in_dict(*entries, evaluate(*node.slice));
    return found ? *found : unknown(fmt::format("an expression that fails: {}", found.error()));
  }
  if (const auto* slice = node.slice->as<ast::Slice>()) {
    const auto part = [&](const ast::ExprPtr& bound) { return bound ? evaluate(*bound) : Value(Constant()); };
    const SliceValue bounds{std::make_shared<const std::vector<Value>>(
        std::vector<Value>{part(slice->lower), part(slice->upper), part(slice->step)})};
    const ValueResult result = subscript_host(sequence, bounds);
    return result ? *result : unknown();
  }
  const ValueResult result = subscript_host(sequence, evaluate(*node.slice));
  return result ? *result : unknown();
}

Value ModuleEvaluator::evaluate_sequence(const ast::ExprList& elements) {
  std::vector<Value> values;
  values.reserve(elements.size());
  for (const ast::ExprPtr& element : elements) {
    const auto* starred = element->as<ast::Starred>();
    values.push_back(evaluate(starred != nullptr ? *starred->value : *element));
    if (starred == nullptr) continue;
    const std::optional<std::vector<Value>> items = items_of(values.back());
    if (!items) return values.back().opaque() != nullptr ? depending_on(values.back()) : unknown();
    values.pop_back();
    values.insert(values.end(), items->begin(), items->end());
  }
  return Value::tuple(std::move(values));
}

Value ModuleEvaluator::evaluate_reflection(const std::string& name, const std::vector<Value>& arguments) {
  const bool fits = arguments.size() >= 2 && arguments[0].space() != nullptr && arguments[1].is_string();
  if (!fits) return unknown();
  const std::string& space = arguments[0].space()->name;
  const std::string& attribute = arguments[1].constant()->text();
  if (name == "hasattr") return Constant::boolean(loader_.namespace_has(space, attribute));
  const std::optional<Value> found = loader_.namespace_attribute(space, attribute);
  if (found) return *found;
  return arguments.size() > 2 ? arguments[2] : unknown();
}

/// isinstance(value, TYPE): compile-time values are never tl.constexpr objects here, as after Triton's unwrapping.
Value ModuleEvaluator::evaluate_isinstance(const std::vector<Value>& arguments) {
  if (arguments.size() != 2) return unknown();
  if (const std::vector<Value>* types = arguments[1].elements()) {
    for (const Value& type : *types) {
      const std::optional<bool> holds = truth(evaluate_isinstance({arguments[0], type}));
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
  return Constant::boolean(is_int || is_dtype || constant->type_name() == type->name);
}

/// map() and filter() as the list of what they give.
Value ModuleEvaluator::call_for_each(bool is_filter, const std::vector<Value>& arguments) {
  const auto items = arguments.size() == 2 ? items_of(arguments[1]) : std::nullopt;
  if (!items) return unknown();
  std::vector<Value> results;
  for (const Value& item : *items) {
    const Value result = is_filter && arguments[0].is_none() ? item : call_value(arguments[0], {item}, {});
    if (result.opaque() != nullptr) return result;
    const std::optional<bool> is_kept = is_filter ? truth(result) : true;
    if (!is_kept) return unknown();
    if (*is_kept) results.push_back(is_filter ? item : result);
  }
  return Value::tuple(std::move(results));
}

Value ModuleEvaluator::call_method(const BoundMethod& method, const std::vector<Value>& arguments,
                                   const Keywords& keywords) {
  const Value& self = *method.self;
  if (method.jit != nullptr) {
    std::vector<Value> all{self};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ValueResult given = run_constexpr_function(loader_, *method.jit, all, keywords);
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

Value ModuleEvaluator::call_value(const Value& callee, const std::vector<Value>& arguments, const Keywords& keywords) {
  const JitFunction* python = callee.opaque() != nullptr ? callee.opaque()->function : callee.jit();
  if (python != nullptr && (callee.opaque() != nullptr || python->is_constexpr_function)) {
    const ValueResult result = run_constexpr_function(loader_, *python, arguments, keywords);
    return result ? *result : unknown(result.error());
  }
  if (const PythonClass* type = callee.python_class()) {
    const ValueResult made = construct(loader_, *type, arguments, keywords);
    return made ? *made : unknown(made.error());
  }
  if (callee.opaque() != nullptr) return depending_on(callee);
  if (callee.lambda() != nullptr) return call_lambda(*callee.lambda(), arguments, keywords);
  if (callee.method() != nullptr) return call_method(*callee.method(), arguments, keywords);
  const HostFunction* function = callee.host_function();
  if (function == nullptr) return unknown();
  const std::string& name = function->name;
  if (name == "triton.Config" || (name == "dict" && !keywords.empty())) {
    const ValueResult made = name == "dict" ? make_dict_of(arguments, keywords) : make_config(arguments, keywords);
    return made ? *made : unknown(made.error());
  }
  if (is_environment_function(name)) {
    const ValueResult result = call_environment(name, arguments, loader_.capability());
    return result ? *result : unknown(result.error());
  }
  if (!keywords.empty()) return unknown();
  return call_host(name, arguments);
}

Value ModuleEvaluator::call_host(const std::string& name, const std::vector<Value>& arguments) {
  if (name == "isinstance") return evaluate_isinstance(arguments);
  if (name == "hasattr" || name == "getattr") return evaluate_reflection(name, arguments);
  if (name == "python.map" || name == "python.filter") return call_for_each(name == "python.filter", arguments);
  if (name == "importlib.import_module" && arguments.size() == 1 && arguments[0].is_string())
    return imported(arguments[0].constant()->text());
  const ValueResult result =
      is_container_function(name) ? call_container_function(name, arguments) : call_host_function(name, arguments);
  if (!result) return unknown(fmt::format("an expression that fails: {}", result.error()));
  return name == "constexpr" ? result->as_constexpr() : *result;
}

/// The value of the lambda's body, with its parameters bound.
Value ModuleEvaluator::call_lambda(const LambdaValue& lambda, const std::vector<Value>& arguments,
                                   const Keywords& keywords) {
  const ast::Arguments& list = *lambda.node->args;
  Scope scope = lambda.captured != nullptr ? *lambda.captured : Scope();
  if (list.vararg || list.kwarg || !list.kwonlyargs.empty() || arguments.size() > list.args.size())
    return unknown("a lambda with parameters of this form");
  ModuleEvaluator inner(loader_, *lambda.module, &scope);
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
      scope.set(name, inner.evaluate(*list.defaults[i - first_default]));
    } else {
      return unknown(fmt::format("a lambda without the argument '{}'", name));
    }
  }
  return inner.evaluate(*lambda.node->body);
}

Value ModuleEvaluator::evaluate_call(const ast::Call& node) {
  if (is_named_tuple_call(node)) return named_tuple_class(node);
  const Value callee = evaluate(*node.func);
  // What a configuration is given beyond its numbers does not decide anything.
  const bool takes_unknown = callee.host_function() != nullptr && callee.host_function()->name == "triton.Config";
  const auto is_known = [&](const Value& value) { return takes_unknown || value.opaque() == nullptr; };
  const Value listed = evaluate_sequence(node.args);
  if (listed.elements() == nullptr) return listed;
  for (const Value& argument : *listed.elements()) {
    if (!is_known(argument) && is_unknown(argument)) return depending_on(argument);
    if (is_valueless(argument)) return made_of_valueless();
  }
  Keywords keywords;
  for (const std::unique_ptr<ast::Keyword>& item : node.keywords) {
    const Value value = evaluate(*item->value);
    if (!is_known(value) && is_unknown(value)) return depending_on(value);
    if (item->arg) {
      keywords.emplace_back(*item->arg, value);
      continue;
    }
    if (value.dict() == nullptr) return unknown();
    for (const DictEntry& entry : *value.dict()) {
      if (!entry.key.is_string()) return unknown();
      keywords.emplace_back(entry.key.constant()->text(), entry.value);
    }
  }
  return call_value(callee, *listed.elements(), keywords);
}

}  // namespace lockstep::frontend
