#include "frontend/eval/module_runner.h"

#include <algorithm>

#include "frontend/eval/define_class.h"
#include "frontend/eval/namespaces.h"
#include "frontend/eval/read_function.h"
#include "frontend/eval/request_value.h"
#include "frontend/eval/unknown_value.h"
#include "frontend/host/host_containers.h"
#include "frontend/host/host_operators.h"

namespace lockstep::frontend {

namespace {

constexpr std::size_t kMaxRounds = 1'000;

}  // namespace

void ModuleRunner::run(const ast::Body& body) {
  if (!module_.globals_.contains("__name__")) {
    globals().set("__name__", Value(Constant::string(module_.name())));
    globals().set("__file__", Value(Constant::string(module_.file()->path())));
  }
  for (const ast::StmtPtr& statement : body) run(*statement);
}

void ModuleRunner::bind(const std::string& name, Value value) {
  if (missing_only_ > 0) {
    const Value* held = module_.find(name);
    const bool is_data = value.constant() != nullptr || value.elements() != nullptr;
    if (held != nullptr && (held->opaque() == nullptr || is_data)) return;
  }
  const auto given = modules_.request_globals().find(name);
  if (given != modules_.request_globals().end()) value = from_request(given->second).as_constexpr();
  globals().set(name, std::move(value));
}

void ModuleRunner::run(const ast::Stmt& node) {
  if (const auto* function = node.as<ast::FunctionDef>()) return define_function(*function);
  if (const auto* import = node.as<ast::Import>()) return import_modules(*import);
  if (const auto* import = node.as<ast::ImportFrom>()) return import_from(*import);
  if (const auto* type = node.as<ast::ClassDef>()) return bind(type->name, define_class(in_, *type));
  if (const auto* branch = node.as<ast::If>()) return run_if(*branch);
  if (const auto* assignment = node.as<ast::Assign>()) {
    const Value value = evaluate_expression(in_, *assignment->value);
    for (const ast::ExprPtr& target : assignment->targets) assign(*target, value);
    return;
  }
  if (const auto* annotated = node.as<ast::AnnAssign>()) {
    if (annotated->value) assign(*annotated->target, evaluate_expression(in_, *annotated->value));
    return;
  }
  if (const auto* attempt = node.as<ast::Try>()) {
    run(attempt->body);
    for (const auto& handler : attempt->handlers) run_for_missing(handler->body);
    run(attempt->orelse);
    run(attempt->finalbody);
    return;
  }
  if (const auto* with = node.as<ast::With>()) return run(with->body);
  if (const auto* loop = node.as<ast::For>()) return run_for(*loop);
  if (const auto* loop = node.as<ast::While>()) return run_either(loop->body, {});
  if (const auto* augmented = node.as<ast::AugAssign>()) {
    const ValueResult value = apply_host(augmented->op, evaluate_expression(in_, *augmented->target),
                                         evaluate_expression(in_, *augmented->value));
    return assign(*augmented->target, value ? *value : unknown());
  }
  if (const auto* expression = node.as<ast::ExprStmt>()) run_expression(*expression->value);
}

/// NAME.append(...) and its like; other expressions bind nothing.
void ModuleRunner::run_expression(const ast::Expr& node) {
  const auto* call = node.as<ast::Call>();
  const auto* method = call != nullptr ? call->func->as<ast::Attribute>() : nullptr;
  if (method == nullptr || !is_changing_method(method->attr)) return;
  const Value container = evaluate_expression(in_, *method->value);
  if (container.dict() == nullptr && container.elements() == nullptr) return;
  const Value arguments = evaluate_sequence(in_, call->args);
  if (arguments.elements() == nullptr || !call->keywords.empty()) return forget(*method->value);
  const ValueResult changed = changed_by_method(container, method->attr, *arguments.elements());
  if (!changed) return forget(*method->value);
  replace(*method->value, *changed);
}

void ModuleRunner::forget(const ast::Expr& container) {
  const ast::Expr* root = &container;
  for (;;) {
    if (const auto* part = root->as<ast::Subscript>()) {
      root = part->value.get();
    } else if (const auto* attribute = root->as<ast::Attribute>()) {
      root = attribute->value.get();
    } else {
      break;
    }
  }
  if (const auto* name = root->as<ast::Name>())
    bind(name->id, unknown("a container that is changed in a way not known"));
}

void ModuleRunner::replace(const ast::Expr& container, const Value& changed) {
  const auto* name = container.as<ast::Name>();
  const Value* held = name != nullptr ? globals().find(name->id) : nullptr;
  if (held == nullptr) return forget(container);
  const Value before = *held;
  const std::vector<Scope::Entry> entries = globals().entries();
  for (const Scope::Entry& entry : entries) {
    if (entry.first != name->id && is_identical(entry.second, before))
      bind(entry.first, unknown("a container that is changed through another name"));
  }
  bind(name->id, changed);
}

namespace {

bool leaves_loop(const ast::Body& body) {
  return std::any_of(body.begin(), body.end(), [](const ast::StmtPtr& node) {
    if (node->is<ast::Break>() || node->is<ast::Continue>()) return true;
    if (const auto* branch = node->as<ast::If>()) return leaves_loop(branch->body) || leaves_loop(branch->orelse);
    if (const auto* with = node->as<ast::With>()) return leaves_loop(with->body);
    const auto* attempt = node->as<ast::Try>();
    return attempt != nullptr && (leaves_loop(attempt->body) || leaves_loop(attempt->orelse));
  });
}

}  // namespace

void ModuleRunner::run_for(const ast::For& node) {
  const std::optional<std::vector<Value>> items = items_of(evaluate_expression(in_, *node.iter));
  if (!items || items->size() > kMaxRounds || leaves_loop(node.body)) return run_either(node.body, {});
  for (const Value& item : *items) {
    assign(*node.target, item);
    run(node.body);
  }
  run(node.orelse);
}

void ModuleRunner::run_if(const ast::If& node) {
  const Value test = evaluate_expression(in_, *node.test);
  const std::optional<bool> known =
      test.constant() != nullptr || test.elements() != nullptr ? truth(test) : std::nullopt;
  if (known) return run(*known ? node.body : node.orelse);
  run_either(node.body, node.orelse);
}

void ModuleRunner::run_for_missing(const ast::Body& body) {
  ++missing_only_;
  run(body);
  --missing_only_;
}

void ModuleRunner::run_either(const ast::Body& first, const ast::Body& second) {
  const Scope before = globals();
  run(first);
  const Scope one = globals();
  globals() = before;
  run(second);
  const Scope other = globals();
  const auto settle = [&](const std::string& name) {
    const Value* a = one.find(name);
    const Value* b = other.find(name);
    const bool was_bound = before.contains(name);
    if (a != nullptr && b != nullptr && is_identical(*a, *b)) return *a;
    const auto followed = [&](const Value* v) {
      return v != nullptr && v->pending_import() != nullptr ? modules_.follow(*v->pending_import()) : Value();
    };
    const Value first_import = followed(a), second_import = followed(b);
    if (!first_import.is_invalid()) a = &first_import;
    if (!second_import.is_invalid()) b = &second_import;
    if (a != nullptr && b != nullptr && is_identical(*a, *b)) return *a;
    // None represents a missing function.
    const auto is_missing = [](const Value* v) { return v == nullptr || v->opaque() != nullptr || v->is_none(); };
    const Value* only = was_bound ? nullptr : is_missing(a) ? b : is_missing(b) ? a : nullptr;
    if (only != nullptr && only->constant() == nullptr && only->elements() == nullptr) return *only;
    return unknown("set under a condition that is only known when Python runs");
  };
  for (const Scope* side : {&one, &other}) {
    for (const Scope::Entry& entry : side->entries()) bind(entry.first, settle(entry.first));
  }
}

void ModuleRunner::assign(const ast::Expr& target, const Value& value) {
  if (const auto* name = target.as<ast::Name>()) return bind(name->id, value);
  if (const auto* element = target.as<ast::Subscript>()) {
    const Value container = evaluate_expression(in_, *element->value);
    if (container.dict() == nullptr && container.elements() == nullptr) return;
    const ValueResult changed = changed_by_assignment(container, evaluate_expression(in_, *element->slice), value);
    return changed ? replace(*element->value, *changed) : forget(*element->value);
  }
  const ast::ExprList* parts = nullptr;
  if (const auto* tuple = target.as<ast::Tuple>()) parts = &tuple->elts;
  if (const auto* list = target.as<ast::List>()) parts = &list->elts;
  if (parts == nullptr) return;
  const bool fits = value.elements() != nullptr && value.elements()->size() == parts->size();
  for (std::size_t i = 0; i < parts->size(); ++i) assign(*(*parts)[i], fits ? (*value.elements())[i] : unknown());
}

void ModuleRunner::define_function(const ast::FunctionDef& node) {
  std::unique_ptr<JitFunction> function = read_function(in_, node, node.name);
  const JitFunction* raw = function.get();
  if (!function->is_plain_python) {
    module_.functions_.push_back(std::move(function));
    return bind(node.name, Value(raw));
  }
  module_.plain_functions_.push_back(std::move(function));
  bind(node.name, plain_function(*raw));
}

void ModuleRunner::import_modules(const ast::Import& node) {
  for (const std::unique_ptr<ast::Alias>& alias : node.names) {
    const std::string top = alias->name.substr(0, alias->name.find('.'));
    const std::string name = alias->asname ? alias->name : top;
    bind(alias->asname.value_or(top), PendingImport{name, ""});
  }
}

std::string ModuleRunner::absolute_name(const ast::ImportFrom& node) const {
  if (node.level == 0) return node.module.value_or("");
  std::string base = module_.package();
  for (int i = 1; i < node.level; ++i) base = base.substr(0, base.find('.') == std::string::npos ? 0 : base.rfind('.'));
  if (!node.module) return base;
  return base.empty() ? *node.module : base + "." + *node.module;
}

void ModuleRunner::bind_star(const Value& source) {
  if (source.module() == nullptr) return;
  for (const Scope::Entry& entry : source.module()->globals().entries()) {
    if (!entry.first.starts_with('_')) bind(entry.first, entry.second);
  }
}

void ModuleRunner::import_from(const ast::ImportFrom& node) {
  const std::string name = absolute_name(node);
  for (const std::unique_ptr<ast::Alias>& alias : node.names) {
    if (alias->name == "*") {
      const bool is_file = builtin_namespace(name).empty() && !name.empty();
      if (const PythonModule* module = is_file ? modules_.import(name) : nullptr) bind_star(Value(module));
      continue;
    }
    bind(alias->asname.value_or(alias->name), PendingImport{name, alias->name});
  }
}

}  // namespace lockstep::frontend
