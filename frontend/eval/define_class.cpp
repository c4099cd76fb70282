// Class statements and namedtuple(...) calls of a module: the classes that kernels may use.
#include <algorithm>
#include <utility>

#include "frontend/eval/module_runner.h"
#include "frontend/eval/python_class.h"

namespace lockstep::frontend {

namespace {

/// "NamedTuple" for typing.NamedTuple, "" for what is no name.
std::string_view last_name(const ast::Expr& node) {
  if (const auto* name = node.as<ast::Name>()) return name->id;
  if (const auto* attribute = node.as<ast::Attribute>()) return attribute->attr;
  if (const auto* call = node.as<ast::Call>()) return last_name(*call->func);
  return {};
}

bool is_named(const ast::ExprList& list, std::initializer_list<std::string_view> names) {
  for (const ast::ExprPtr& item : list) {
    if (std::find(names.begin(), names.end(), last_name(*item)) != names.end()) return true;
  }
  return false;
}

/// The names in ["a", "b"] or "a b, c"; nullopt if they are not literal.
std::optional<std::vector<std::string>> field_names(const Value& list) {
  std::vector<std::string> names;
  if (list.is_string()) {
    std::string word;
    for (const char c : list.constant()->text() + " ") {
      if (c != ' ' && c != ',') {
        word += c;
      } else if (!word.empty()) {
        names.push_back(std::exchange(word, {}));
      }
    }
    return names;
  }
  if (list.elements() == nullptr) return std::nullopt;
  for (const Value& item : *list.elements()) {
    // typing.NamedTuple takes pairs of a name and a type.
    const Value& name = item.elements() != nullptr && !item.elements()->empty() ? item.elements()->front() : item;
    if (!name.is_string()) return std::nullopt;
    names.push_back(name.constant()->text());
  }
  return names;
}

}  // namespace

const JitFunction* PythonClass::find_function(std::string_view function) const {
  const Value* held = members.find(function);
  if (held == nullptr) return nullptr;
  return held->opaque() != nullptr ? held->opaque()->function : held->jit();
}

std::optional<Value> member_of(const Value& owner, const std::string& name) {
  if (const Tensor* tensor = owner.tensor()) {
    if (name == "dtype") return Value(Constant::dtype({tensor->element(), {}}));
    if (name == "type") return Value(Constant::dtype(tensor->type));
    if (name == "shape") return Value::integers(tensor->type.shape);
    if (name == "numel") return Value(Constant::integer(tensor->type.numel()));
    return std::nullopt;
  }
  const AggregateValue* aggregate = owner.aggregate();
  const PythonClass* type = aggregate != nullptr ? aggregate->type : owner.tuple_type();
  const PythonClass* members = type != nullptr ? type : owner.python_class();
  const std::size_t field = type != nullptr ? type->find_field(name) : 0;
  if (type != nullptr && field < type->fields.size()) {
    const std::vector<Value>& parts = aggregate != nullptr ? *aggregate->fields : *owner.elements();
    if (!parts[field].is_invalid()) return parts[field];
  }
  const Value* member = members != nullptr ? members->members.find(name) : nullptr;
  if (member == nullptr || aggregate == nullptr) return member != nullptr ? std::optional(*member) : std::nullopt;
  if (const JitFunction* method = type->find_function(name))
    return Value(BoundMethod{std::make_shared<const Value>(owner), nullptr, method, name});
  return *member;
}

Value ModuleEvaluator::define_class(const ast::ClassDef& node) {
  const bool is_aggregate = is_named(node.decorator_list, {"_aggregate", "aggregate"});
  if (!is_aggregate && !is_named(node.bases, {"NamedTuple"})) return OpaqueValue{"a class"};
  if (is_aggregate && !node.bases.empty())
    return OpaqueValue{"an aggregate class with a base class, which is not supported yet"};
  auto type = std::make_unique<PythonClass>();
  type->name = node.name;
  type->module = &module_;
  type->is_aggregate = is_aggregate;
  for (const ast::StmtPtr& statement : node.body) {
    if (const auto* field = statement->as<ast::AnnAssign>()) {
      if (const auto* name = field->target->as<ast::Name>())
        type->fields.push_back({name->id, field->annotation.get(), field->value.get()});
    } else if (const auto* method = statement->as<ast::FunctionDef>()) {
      type->members.set(method->name, make_function(*method, node.name + "." + method->name));
    } else if (const auto* constant = statement->as<ast::Assign>()) {
      const auto* name = constant->targets.front()->as<ast::Name>();
      if (name != nullptr) type->members.set(name->id, evaluate(*constant->value));
    }
  }
  return loader_.keep(std::move(type));
}

bool ModuleEvaluator::is_named_tuple_call(const ast::Call& node) {
  const std::string_view name = last_name(*node.func);
  return (name == "namedtuple" || name == "NamedTuple") && node.args.size() == 2 && node.keywords.empty();
}

Value ModuleEvaluator::named_tuple_class(const ast::Call& node) {
  const Value name = evaluate(*node.args[0]);
  const std::optional<std::vector<std::string>> names = field_names(named_tuple_fields(*node.args[1]));
  if (!name.is_string() || !names) return OpaqueValue{"a namedtuple whose fields are not written out"};
  auto type = std::make_unique<PythonClass>();
  type->name = name.constant()->text();
  type->module = &module_;
  for (const std::string& field : *names) type->fields.push_back({field, nullptr, nullptr});
  return loader_.keep(std::move(type));
}

/// The second argument of namedtuple(); of pairs (name, type) only the names, as the types may be anything.
Value ModuleEvaluator::named_tuple_fields(const ast::Expr& node) {
  const ast::ExprList* items = nullptr;
  if (const auto* list = node.as<ast::List>()) items = &list->elts;
  if (const auto* tuple = node.as<ast::Tuple>()) items = &tuple->elts;
  if (items == nullptr) return evaluate(node);
  std::vector<Value> names;
  for (const ast::ExprPtr& item : *items) {
    const auto* pair = item->as<ast::Tuple>();
    names.push_back(evaluate(pair != nullptr && !pair->elts.empty() ? *pair->elts.front() : *item));
  }
  return Value::tuple(std::move(names));
}

}  // namespace lockstep::frontend
