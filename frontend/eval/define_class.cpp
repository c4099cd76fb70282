#include "frontend/eval/define_class.h"

#include <algorithm>
#include <memory>

#include "frontend/eval/named_tuple.h"
#include "frontend/eval/python_class.h"
#include "frontend/eval/read_function.h"

namespace lockstep::frontend {

namespace {

bool is_named(const ast::ExprList& list, std::initializer_list<std::string_view> names) {
  for (const ast::ExprPtr& item : list) {
    if (std::find(names.begin(), names.end(), last_name(*item)) != names.end()) return true;
  }
  return false;
}

}  // namespace

Value define_class(const Evaluation& in, const ast::ClassDef& node) {
  const bool is_aggregate = is_named(node.decorator_list, {"_aggregate", "aggregate"});
  if (!is_aggregate && !is_named(node.bases, {"NamedTuple"})) return OpaqueValue{"a class"};
  if (is_aggregate && !node.bases.empty())
    return OpaqueValue{"an aggregate class with a base class, which is not supported yet"};
  auto type = std::make_unique<PythonClass>();
  type->name = node.name;
  type->module = &in.module;
  type->is_aggregate = is_aggregate;
  for (const ast::StmtPtr& statement : node.body) {
    if (const auto* field = statement->as<ast::AnnAssign>()) {
      if (const auto* name = field->target->as<ast::Name>())
        type->fields.push_back({name->id, field->annotation.get(), field->value.get()});
    } else if (const auto* method = statement->as<ast::FunctionDef>()) {
      type->members.set(method->name, make_function(in, *method, node.name + "." + method->name));
    } else if (const auto* constant = statement->as<ast::Assign>()) {
      const auto* name = constant->targets.front()->as<ast::Name>();
      if (name != nullptr) type->members.set(name->id, evaluate_expression(in, *constant->value));
    }
  }
  return in.modules.keep(std::move(type));
}

}  // namespace lockstep::frontend
