// Expressions of module-level code and of functions that run at compile time.
#include "frontend/eval/evaluate_expression.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "frontend/builtins/argument_record.h"
#include "frontend/eval/call_value.h"
#include "frontend/eval/named_tuple.h"
#include "frontend/eval/namespaces.h"
#include "frontend/eval/python_class.h"
#include "frontend/eval/unknown_value.h"
#include "frontend/gluon/layout_calls.h"
#include "frontend/host/host_containers.h"
#include "frontend/host/host_environment.h"
#include "frontend/host/host_functions.h"
#include "frontend/host/host_operators.h"
#include "frontend/host/host_strings.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

constexpr int kMaxNesting = 1'500;
constexpr std::size_t kMaxModuleItems = 10'000;

/// An argument of a launch with only a known type.
bool is_valueless(const Value& value) { return value.record() != nullptr && value.record()->type == "argument"; }
Value made_of_valueless() { return unknown("made of an argument that is given by its type alone"); }

using RoundVisitor = std::function<std::optional<Value>(const Evaluation&)>;

bool unpack(const ast::Expr& target, const Value& value, Scope& scope) {
  if (const auto* name = target.as<ast::Name>()) return scope.set(name->id, value), true;
  const auto* tuple = target.as<ast::Tuple>();
  const std::optional<std::vector<Value>> items = items_of(value);
  if (tuple == nullptr || !items || items->size() != tuple->elts.size()) return false;
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (!unpack(*tuple->elts[i], (*items)[i], scope)) return false;
  }
  return true;
}

/// Calls `visit` for every round of the generators from `first` on. nullopt: all went well; else the reason for a
/// failure.
std::optional<Value> go_through(const Evaluation& in, const ast::Generators& generators, std::size_t first,
                                Scope& scope, const RoundVisitor& visit) {
  if (first == generators.size()) {
    return visit({in.modules, in.module, &scope, true});
  }
  const ast::Comprehension& generator = *generators[first];
  const Evaluation outer{in.modules, in.module, &scope, true};
  const Value iterated = evaluate_expression(outer, *generator.iter);
  const std::optional<std::vector<Value>> items = items_of(iterated);
  if (!items) return iterated.opaque() != nullptr ? depending_on(iterated) : unknown();
  if (items->size() > kMaxModuleItems) return unknown("a comprehension over too many elements");
  for (const Value& item : *items) {
    if (!unpack(*generator.target, item, scope)) return unknown("a comprehension of this form");
    bool is_chosen = true;
    for (const ast::ExprPtr& condition : generator.ifs) {
      const std::optional<bool> holds = truth(evaluate_expression(outer, *condition));
      if (!holds) return unknown();
      is_chosen = is_chosen && *holds;
      if (!is_chosen) break;
    }
    if (!is_chosen) continue;
    if (std::optional<Value> failed = go_through(in, generators, first + 1, scope, visit)) return failed;
  }
  return std::nullopt;
}

template <class Comprehension>
Value evaluate_comprehension(const Evaluation& in, const Comprehension& node) {
  Scope scope = in.locals != nullptr ? *in.locals : Scope();
  std::vector<Value> results;
  const std::optional<Value> failed =
      go_through(in, node.generators, 0, scope, [&](const Evaluation& inner) -> std::optional<Value> {
        if (results.size() >= kMaxModuleItems) return unknown("a comprehension of too many elements");
        results.push_back(evaluate_expression(inner, *node.elt));
        return results.back().opaque() != nullptr ? std::optional(results.back()) : std::nullopt;
      });
  return failed ? *failed : Value::tuple(std::move(results));
}

Value evaluate_comprehension(const Evaluation& in, const ast::DictComp& node) {
  Scope scope = in.locals != nullptr ? *in.locals : Scope();
  std::vector<DictEntry> entries;
  const std::optional<Value> failed =
      go_through(in, node.generators, 0, scope, [&](const Evaluation& inner) -> std::optional<Value> {
        if (entries.size() >= kMaxModuleItems) return unknown("a comprehension of too many elements");
        entries.push_back({evaluate_expression(inner, *node.key), evaluate_expression(inner, *node.value)});
        return std::nullopt;
      });
  if (failed) return *failed;
  const ValueResult made = make_dict(entries);
  return made ? *made : unknown(made.error());
}

Value evaluate_joined_string(const Evaluation& in, const ast::JoinedStr& node) {
  std::string text;
  for (const ast::ExprPtr& part : node.values) {
    const auto* formatted = part->as<ast::FormattedValue>();
    if (formatted != nullptr && formatted->format_spec) return unknown("an f-string with a format");
    const Value value = evaluate_expression(in, formatted != nullptr ? *formatted->value : *part);
    if (value.constant() == nullptr) return unknown();
    text += formatted != nullptr && formatted->conversion == 'r' ? value.constant()->repr() : python_str(value);
  }
  return Constant::string(std::move(text));
}

Value evaluate_dict(const Evaluation& in, const ast::Dict& node) {
  std::vector<DictEntry> entries;
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    const Value value = evaluate_expression(in, *node.values[i]);
    if (node.keys[i]) {
      entries.push_back({evaluate_expression(in, *node.keys[i]), value});
      continue;
    }
    if (value.dict() == nullptr) return value.opaque() != nullptr ? depending_on(value) : unknown();
    entries.insert(entries.end(), value.dict()->begin(), value.dict()->end());
  }
  const ValueResult made = make_dict(entries);
  return made ? *made : unknown(made.error());
}

/// In a comprehension, a lambda would see the names of the last round.
Value evaluate_lambda(const Evaluation& in, const ast::Lambda& node) {
  if (in.is_comprehension) return unknown("a lambda in a comprehension");
  return LambdaValue{&node, &in.module, in.locals != nullptr ? std::make_shared<const Scope>(*in.locals) : nullptr};
}

Value evaluate_name(const Evaluation& in, const ast::Name& node) {
  if (const Value* local = in.locals != nullptr ? in.locals->find(node.id) : nullptr) return *local;
  if (in.module.is_rebound(node.id)) return unknown("a global that functions rebind");
  if (const Value* held = in.module.find(node.id)) return *held;
  if (node.id == "range" || node.id == "map" || node.id == "filter") return HostFunction{"python." + node.id};
  if (is_host_function(node.id) || is_container_function(node.id) || node.id == "hasattr" || node.id == "getattr" ||
      node.id == "isinstance")
    return HostFunction{node.id};
  return unknown(fmt::format("the name '{}', which is not defined", node.id));
}

Value evaluate_attribute(const Evaluation& in, const ast::Attribute& node) {
  const Value owner = evaluate_expression(in, *node.value);
  std::optional<Value> value;
  if (owner.space() != nullptr) value = namespace_attribute(in.modules, owner.space()->name, node.attr);
  if (owner.is_dtype()) value = dtype_attribute(owner, node.attr);
  if (owner.constant() != nullptr && owner.constant()->layout() != nullptr)
    value = layout_attribute(*owner.constant()->layout(), node.attr);
  if (owner.record() != nullptr) value = record_attribute(owner, node.attr);
  if (is_container_method(owner, node.attr) || (owner.record() != nullptr && is_record_method(owner, node.attr)))
    return BoundMethod{std::make_shared<const Value>(owner), nullptr, nullptr, node.attr};
  if (owner.host_function() != nullptr) value = torch_type_attribute(owner.host_function()->name, node.attr);
  if (owner.host_function() != nullptr && !value)
    value = layout_class_attribute(owner.host_function()->name, node.attr);
  if (owner.constant() != nullptr && node.attr == "value") value = owner;
  if (!value) value = member_of(owner, node.attr);
  const bool is_integer = owner.constant() != nullptr && owner.constant()->is_integral();
  if ((owner.is_string() && is_string_method(node.attr)) || (is_integer && is_integer_method(node.attr)))
    return BoundMethod{std::make_shared<const Value>(owner), nullptr, nullptr, node.attr};
  if (const PythonModule* module = owner.module()) {
    if (const Value* held = module->find(node.attr)) return *held;
    if (const PythonModule* child = in.modules.import(module->name() + "." + node.attr)) return Value(child);
  }
  if (!value && is_unknown(owner)) return depending_on(owner);
  return value ? *value : unknown();
}

Value evaluate_binary(const Evaluation& in, const ast::BinOp& node) {
  const Value left = evaluate_expression(in, *node.left);
  const Value right = evaluate_expression(in, *node.right);
  for (const Value* operand : {&left, &right}) {
    if (operand->opaque() != nullptr) return depending_on(*operand);
    if (is_valueless(*operand)) return made_of_valueless();
  }
  const ValueResult result = apply_host(node.op, left, right);
  if (result && (left.is_constexpr() || right.is_constexpr())) return result->as_constexpr();
  return result ? *result : unknown(fmt::format("an expression that fails: {}", result.error()));
}

/// The right side of a comparison; for a search, a set counts as a tuple.
Value evaluate_comparator(const Evaluation& in, const ast::Expr& node, ast::CompareOperator op) {
  const bool is_search = op == ast::CompareOperator::In || op == ast::CompareOperator::NotIn;
  if (const auto* set = is_search ? node.as<ast::Set>() : nullptr) return evaluate_sequence(in, set->elts);
  return evaluate_expression(in, node);
}

Value evaluate_compare(const Evaluation& in, const ast::Compare& node) {
  Value left = evaluate_expression(in, *node.left);
  for (std::size_t i = 0; i < node.ops.size(); ++i) {
    const Value right = evaluate_comparator(in, *node.comparators[i], node.ops[i]);
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

Value evaluate_bool(const Evaluation& in, const ast::BoolOp& node) {
  Value last;
  for (const ast::ExprPtr& operand : node.values) {
    last = evaluate_expression(in, *operand);
    const std::optional<bool> value = truth(last);
    if (!value) return last.opaque() != nullptr ? depending_on(last) : unknown();
    if (*value != (node.op == ast::BoolOperator::And)) return last;
  }
  return last;
}

Value evaluate_subscript(const Evaluation& in, const ast::Subscript& node) {
  const Value sequence = evaluate_expression(in, *node.value);
  if (sequence.opaque() != nullptr) return depending_on(sequence);
  if (const std::vector<DictEntry>* entries = sequence.dict()) {
    const ValueResult found = find_in_dict(*entries, evaluate_expression(in, *node.slice));
    return found ? *found : unknown(fmt::format("an expression that fails: {}", found.error()));
  }
  if (const auto* slice = node.slice->as<ast::Slice>()) {
    const auto part = [&](const ast::ExprPtr& bound) {
      return bound ? evaluate_expression(in, *bound) : Value(Constant());
    };
    const SliceValue bounds{std::make_shared<const std::vector<Value>>(
        std::vector<Value>{part(slice->lower), part(slice->upper), part(slice->step)})};
    const ValueResult result = subscript_host(sequence, bounds);
    return result ? *result : unknown();
  }
  const ValueResult result = subscript_host(sequence, evaluate_expression(in, *node.slice));
  return result ? *result : unknown();
}

/// The second argument of namedtuple(); for pairs (name, type) only the names, because the types may be anything.
Value named_tuple_fields(const Evaluation& in, const ast::Expr& node) {
  const ast::ExprList* items = nullptr;
  if (const auto* list = node.as<ast::List>()) items = &list->elts;
  if (const auto* tuple = node.as<ast::Tuple>()) items = &tuple->elts;
  if (items == nullptr) return evaluate_expression(in, node);
  std::vector<Value> names;
  for (const ast::ExprPtr& item : *items) {
    const auto* pair = item->as<ast::Tuple>();
    names.push_back(evaluate_expression(in, pair != nullptr && !pair->elts.empty() ? *pair->elts.front() : *item));
  }
  return Value::tuple(std::move(names));
}

Value evaluate_call(const Evaluation& in, const ast::Call& node) {
  if (is_named_tuple_call(node)) {
    const Value name = evaluate_expression(in, *node.args[0]);
    return named_tuple_class(in.modules, in.module, name, named_tuple_fields(in, *node.args[1]));
  }
  const Value callee = evaluate_expression(in, *node.func);
  // A configuration's arguments other than its numbers decide nothing.
  const bool takes_unknown = callee.host_function() != nullptr && callee.host_function()->name == "triton.Config";
  const auto is_known = [&](const Value& value) { return takes_unknown || value.opaque() == nullptr; };
  const Value listed = evaluate_sequence(in, node.args);
  if (listed.elements() == nullptr) return listed;
  for (const Value& argument : *listed.elements()) {
    if (!is_known(argument) && is_unknown(argument)) return depending_on(argument);
    if (is_valueless(argument)) return made_of_valueless();
  }
  NamedValues keywords;
  for (const std::unique_ptr<ast::Keyword>& item : node.keywords) {
    const Value value = evaluate_expression(in, *item->value);
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
  return call_value(in.modules, callee, *listed.elements(), keywords);
}

Value evaluate_by_kind(const Evaluation& in, const ast::Expr& node) {
  switch (node.kind) {
    case ast::Kind::Constant: return constant_of(*node.as<ast::Constant>());
    case ast::Kind::Name: return evaluate_name(in, *node.as<ast::Name>());
    case ast::Kind::Attribute: return evaluate_attribute(in, *node.as<ast::Attribute>());
    case ast::Kind::BinOp: return evaluate_binary(in, *node.as<ast::BinOp>());
    case ast::Kind::Compare: return evaluate_compare(in, *node.as<ast::Compare>());
    case ast::Kind::BoolOp: return evaluate_bool(in, *node.as<ast::BoolOp>());
    case ast::Kind::Subscript: return evaluate_subscript(in, *node.as<ast::Subscript>());
    case ast::Kind::Call: return evaluate_call(in, *node.as<ast::Call>());
    case ast::Kind::Tuple: return evaluate_sequence(in, node.as<ast::Tuple>()->elts);
    case ast::Kind::List: return evaluate_sequence(in, node.as<ast::List>()->elts);
    case ast::Kind::Dict: return evaluate_dict(in, *node.as<ast::Dict>());
    case ast::Kind::ListComp: return evaluate_comprehension(in, *node.as<ast::ListComp>());
    case ast::Kind::GeneratorExp: return evaluate_comprehension(in, *node.as<ast::GeneratorExp>());
    case ast::Kind::DictComp: return evaluate_comprehension(in, *node.as<ast::DictComp>());
    case ast::Kind::Lambda: return evaluate_lambda(in, *node.as<ast::Lambda>());
    case ast::Kind::JoinedStr: return evaluate_joined_string(in, *node.as<ast::JoinedStr>());
    case ast::Kind::UnaryOp: {
      const Value operand = evaluate_expression(in, *node.as<ast::UnaryOp>()->operand);
      const ValueResult result = apply_host(node.as<ast::UnaryOp>()->op, operand);
      if (result && operand.is_constexpr()) return result->as_constexpr();
      return result ? *result : unknown();
    }
    case ast::Kind::IfExp: {
      const auto& choice = *node.as<ast::IfExp>();
      const std::optional<bool> test = truth(evaluate_expression(in, *choice.test));
      return test ? evaluate_expression(in, *test ? *choice.body : *choice.orelse) : unknown();
    }
    default: return unknown();
  }
}

}  // namespace

Value evaluate_expression(const Evaluation& in, const ast::Expr& node) {
  thread_local int nesting = 0;  // through calls of constexpr functions too
  if (nesting >= kMaxNesting) return unknown("an expression that is nested too deeply");
  ++nesting;
  Value value = evaluate_by_kind(in, node);
  --nesting;
  return value;
}

Value evaluate_sequence(const Evaluation& in, const ast::ExprList& elements) {
  std::vector<Value> values;
  values.reserve(elements.size());
  for (const ast::ExprPtr& element : elements) {
    const auto* starred = element->as<ast::Starred>();
    values.push_back(evaluate_expression(in, starred != nullptr ? *starred->value : *element));
    if (starred == nullptr) continue;
    const std::optional<std::vector<Value>> items = items_of(values.back());
    if (!items) return values.back().opaque() != nullptr ? depending_on(values.back()) : unknown();
    values.pop_back();
    values.insert(values.end(), items->begin(), items->end());
  }
  return Value::tuple(std::move(values));
}

}  // namespace lockstep::frontend
