#include "frontend/eval/module_runner.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/eval/host_containers.h"
#include "frontend/eval/host_functions.h"
#include "frontend/eval/python_class.h"
#include "frontend/eval/request_value.h"

namespace lockstep::frontend {

namespace {

constexpr std::size_t kMaxRounds = 1'000;

/// "triton.jit" for `@triton.jit` and `@triton.jit(...)`, as written.
std::string dotted_text(const ast::Expr& node) {
  if (const auto* name = node.as<ast::Name>()) return name->id;
  if (const auto* attribute = node.as<ast::Attribute>()) return dotted_text(*attribute->value) + "." + attribute->attr;
  if (const auto* call = node.as<ast::Call>()) return dotted_text(*call->func);
  return "?";
}

std::string_view last_word(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

std::string_view source_text(const PythonModule& module, const ast::Node& node) {
  return module.file()->text().substr(node.range.begin, node.range.end - node.range.begin);
}

/// The signature type an annotation forces ("fp32", "*i32"), or "".
std::string annotated_type(const PythonModule& module, const ast::Expr& annotation) {
  std::string text(source_text(module, annotation));
  if (const auto* constant = annotation.as<ast::Constant>()) text = constant->text;
  std::string_view rest = text;
  std::string prefix;
  if (rest.starts_with("const ")) {
    rest.remove_prefix(6);
    prefix = "k";
  }
  const bool is_pointer = rest.starts_with('*');
  if (is_pointer) rest.remove_prefix(1);
  if (is_pointer && rest.starts_with('k')) {
    rest.remove_prefix(1);
    prefix = "k";
  }
  const std::optional<DType> type = parse_dtype_name(last_word(rest));
  if (!type || type->is_void()) return {};
  const std::string canonical = type->is_int() ? type->mangle() : type->name();
  return (is_pointer ? "*" + prefix : "") + canonical;
}

void mark_unspecialised(const Value& list, JitFunction& function, bool Parameter::* flag) {
  if (list.elements() == nullptr) return;
  for (const Value& item : *list.elements()) {
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const bool by_name = item.is_string() && item.constant()->text() == function.parameters[i].name;
      const bool by_index = item.is_number() && *item.constant() == Constant::integer(static_cast<Integer>(i));
      if (by_name || by_index) function.parameters[i].*flag = true;
    }
  }
}

void add_parameters(const std::vector<std::unique_ptr<ast::Arg>>& list, ParameterKind kind, const PythonModule& module,
                    JitFunction& function) {
  for (const std::unique_ptr<ast::Arg>& arg : list) {
    Parameter parameter;
    parameter.name = arg->name;
    parameter.kind = kind;
    parameter.annotation = arg->annotation.get();
    parameter.range = arg->range;
    if (arg->annotation) {
      parameter.is_constexpr = source_text(module, *arg->annotation).find("constexpr") != std::string_view::npos;
      if (!parameter.is_constexpr) parameter.type_annotation = annotated_type(module, *arg->annotation);
    }
    function.parameters.push_back(std::move(parameter));
  }
}

bool has_decorator(const ast::ExprList& decorators, std::initializer_list<std::string_view> names) {
  return std::any_of(decorators.begin(), decorators.end(), [&](const ast::ExprPtr& decorator) {
    const std::string text = dotted_text(*decorator);
    return std::find(names.begin(), names.end(), last_word(text)) != names.end();
  });
}

/// Whether calling the function does what its body says: no decorator but a cache.
bool is_callable_at_module_level(const ast::FunctionDef& node) {
  if (node.args->vararg || node.args->kwarg) return false;
  return std::all_of(node.decorator_list.begin(), node.decorator_list.end(), [](const ast::ExprPtr& decorator) {
    const std::string text = dotted_text(*decorator);
    return last_word(text) == "cache" || last_word(text) == "lru_cache";
  });
}

}  // namespace

void ModuleEvaluator::run(const ast::Body& body) {
  if (!module_.globals_.contains("__name__")) {
    globals().set("__name__", Value(Constant::string(module_.name())));
    globals().set("__file__", Value(Constant::string(module_.file()->path())));
  }
  for (const ast::StmtPtr& statement : body) run(*statement);
}

void ModuleEvaluator::bind(const std::string& name, Value value) {
  if (missing_only_ > 0) {
    const Value* held = module_.find(name);
    const bool is_data = value.constant() != nullptr || value.elements() != nullptr;
    if (held != nullptr && (held->opaque() == nullptr || is_data)) return;
  }
  const auto given = loader_.request_globals().find(name);
  if (given != loader_.request_globals().end()) value = from_request(given->second).as_constexpr();
  globals().set(name, std::move(value));
}

void ModuleEvaluator::run(const ast::Stmt& node) {
  if (const auto* function = node.as<ast::FunctionDef>()) return define_function(*function);
  if (const auto* import = node.as<ast::Import>()) return import_modules(*import);
  if (const auto* import = node.as<ast::ImportFrom>()) return import_from(*import);
  if (const auto* type = node.as<ast::ClassDef>()) return bind(type->name, define_class(*type));
  if (const auto* branch = node.as<ast::If>()) return run_if(*branch);
  if (const auto* assignment = node.as<ast::Assign>()) {
    const Value value = evaluate(*assignment->value);
    for (const ast::ExprPtr& target : assignment->targets) assign(*target, value);
    return;
  }
  if (const auto* annotated = node.as<ast::AnnAssign>()) {
    if (annotated->value) assign(*annotated->target, evaluate(*annotated->value));
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
    const ValueResult value = apply_host(augmented->op, evaluate(*augmented->target), evaluate(*augmented->value));
    return assign(*augmented->target, value ? *value : unknown());
  }
  if (const auto* expression = node.as<ast::ExprStmt>()) run_expression(*expression->value);
}

/// NAME.append(...) and its like; other expressions bind nothing.
void ModuleEvaluator::run_expression(const ast::Expr& node) {
  const auto* call = node.as<ast::Call>();
  const auto* method = call != nullptr ? call->func->as<ast::Attribute>() : nullptr;
  if (method == nullptr || !is_changing_method(method->attr)) return;
  const Value container = evaluate(*method->value);
  if (container.dict() == nullptr && container.elements() == nullptr) return;
  const Value arguments = evaluate_sequence(call->args);
  if (arguments.elements() == nullptr || !call->keywords.empty()) return forget(*method->value);
  const ValueResult changed = changed_by_method(container, method->attr, *arguments.elements());
  if (!changed) return forget(*method->value);
  replace(*method->value, *changed);
}

void ModuleEvaluator::forget(const ast::Expr& container) {
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

void ModuleEvaluator::replace(const ast::Expr& container, const Value& changed) {
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

void ModuleEvaluator::run_for(const ast::For& node) {
  const std::optional<std::vector<Value>> items = items_of(evaluate(*node.iter));
  if (!items || items->size() > kMaxRounds || leaves_loop(node.body)) return run_either(node.body, {});
  for (const Value& item : *items) {
    assign(*node.target, item);
    run(node.body);
  }
  run(node.orelse);
}

void ModuleEvaluator::run_if(const ast::If& node) {
  const Value test = evaluate(*node.test);
  const std::optional<bool> known =
      test.constant() != nullptr || test.elements() != nullptr ? truth(test) : std::nullopt;
  if (known) return run(*known ? node.body : node.orelse);
  run_either(node.body, node.orelse);
}

void ModuleEvaluator::run_for_missing(const ast::Body& body) {
  ++missing_only_;
  run(body);
  --missing_only_;
}

void ModuleEvaluator::run_either(const ast::Body& first, const ast::Body& second) {
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
      return v != nullptr && v->pending_import() != nullptr ? loader_.follow(*v->pending_import()) : Value();
    };
    const Value first_import = followed(a), second_import = followed(b);
    if (!first_import.is_invalid()) a = &first_import;
    if (!second_import.is_invalid()) b = &second_import;
    if (a != nullptr && b != nullptr && is_identical(*a, *b)) return *a;
    // None stands for a function that is not there.
    const auto is_missing = [](const Value* v) { return v == nullptr || v->opaque() != nullptr || v->is_none(); };
    const Value* only = was_bound ? nullptr : is_missing(a) ? b : is_missing(b) ? a : nullptr;
    if (only != nullptr && only->constant() == nullptr && only->elements() == nullptr) return *only;
    return unknown("set under a condition that is only known when Python runs");
  };
  for (const Scope* side : {&one, &other}) {
    for (const Scope::Entry& entry : side->entries()) bind(entry.first, settle(entry.first));
  }
}

void ModuleEvaluator::assign(const ast::Expr& target, const Value& value) {
  if (const auto* name = target.as<ast::Name>()) return bind(name->id, value);
  if (const auto* element = target.as<ast::Subscript>()) {
    const Value container = evaluate(*element->value);
    if (container.dict() == nullptr && container.elements() == nullptr) return;
    const ValueResult changed = changed_by_assignment(container, evaluate(*element->slice), value);
    return changed ? replace(*element->value, *changed) : forget(*element->value);
  }
  const ast::ExprList* parts = nullptr;
  if (const auto* tuple = target.as<ast::Tuple>()) parts = &tuple->elts;
  if (const auto* list = target.as<ast::List>()) parts = &list->elts;
  if (parts == nullptr) return;
  const bool fits = value.elements() != nullptr && value.elements()->size() == parts->size();
  for (std::size_t i = 0; i < parts->size(); ++i) assign(*(*parts)[i], fits ? (*value.elements())[i] : unknown());
}

void ModuleEvaluator::define_function(const ast::FunctionDef& node) {
  std::unique_ptr<JitFunction> function = read_function(node, node.name);
  const JitFunction* raw = function.get();
  if (!function->is_plain_python) {
    writable_->functions_.push_back(std::move(function));
    return bind(node.name, Value(raw));
  }
  writable_->plain_functions_.push_back(std::move(function));
  bind(node.name, plain_function(*raw));
}

Value ModuleEvaluator::make_function(const ast::FunctionDef& node, std::string qualified_name) {
  std::unique_ptr<JitFunction> function = read_function(node, std::move(qualified_name));
  if (locals_ != nullptr) function->captured = std::make_shared<const Scope>(*locals_);
  const JitFunction* raw = loader_.keep(std::move(function));
  return raw->is_plain_python ? plain_function(*raw) : Value(raw);
}

Value ModuleEvaluator::plain_function(const JitFunction& function) {
  const ast::FunctionDef& node = *function.node;
  if (has_decorator(node.decorator_list, {"extern", "builtin"}))
    return unknown("a function made with @extern or @builtin, which is not supported yet");
  OpaqueValue plain{fmt::format("the plain Python function '{}'", node.name)};
  if (is_callable_at_module_level(node)) plain.function = &function;
  return plain;
}

std::unique_ptr<JitFunction> ModuleEvaluator::read_function(const ast::FunctionDef& node, std::string qualified_name) {
  auto function = std::make_unique<JitFunction>();
  function->node = &node;
  function->module = &module_;
  function->name = node.name;
  function->qualified_name = std::move(qualified_name);
  add_parameters(node.args->posonlyargs, ParameterKind::positional_only, module_, *function);
  add_parameters(node.args->args, ParameterKind::ordinary, module_, *function);
  const ast::ExprList& defaults = node.args->defaults;
  const std::size_t first = function->parameters.size() - std::min(defaults.size(), function->parameters.size());
  for (std::size_t i = first; i < function->parameters.size(); ++i)
    function->parameters[i].default_value = defaults[i - first].get();
  const std::size_t positional = function->parameters.size();
  add_parameters(node.args->kwonlyargs, ParameterKind::keyword_only, module_, *function);
  for (std::size_t i = positional; i < function->parameters.size(); ++i)
    function->parameters[i].default_value = node.args->kw_defaults[i - positional].get();
  bool is_jit = false;
  read_decorators(node, *function, is_jit);
  function->is_plain_python = !is_jit;
  return function;
}

void ModuleEvaluator::read_decorators(const ast::FunctionDef& node, JitFunction& function, bool& is_jit) {
  for (const ast::ExprPtr& decorator : node.decorator_list) {
    const auto* call = decorator->as<ast::Call>();
    const std::string text = dotted_text(*decorator);
    const std::string_view word = last_word(text);
    if (word == "tensor_method") function.is_method_of_tensor = true;
    if (call != nullptr) read_launch_decorator(*call, function);
    if (word != "jit" && word != "constexpr_function" && word != "constexpr") continue;
    const Value resolved = evaluate(call != nullptr ? *call->func : *decorator);
    const HostFunction* host = resolved.host_function();
    const bool at_compile_time =
        host != nullptr && (host->name == "triton.constexpr_function" || host->name == "constexpr");
    if (host == nullptr || (host->name != "triton.jit" && !at_compile_time)) continue;
    is_jit = true;
    if (at_compile_time) function.is_constexpr_function = true;
    if (call != nullptr) read_jit_arguments(*call, function);
  }
}

/// Also a package's own wrapper of autotune, known by its keyword `configs`.
void ModuleEvaluator::read_launch_decorator(const ast::Call& call, JitFunction& function) {
  const bool has_configs = std::any_of(call.keywords.begin(), call.keywords.end(),
                                       [](const auto& keyword) { return keyword->arg && *keyword->arg == "configs"; });
  const std::string name = dotted_text(*call.func);
  const std::string_view word = last_word(name);
  if (!has_configs && word != "autotune" && word != "heuristics") return;
  const Value resolved = evaluate(*call.func);
  const HostFunction* host = resolved.host_function();
  const bool is_heuristics = host != nullptr && host->name == "triton.heuristics";
  const bool is_autotune = has_configs || (host != nullptr && host->name == "triton.autotune");
  if (is_heuristics || is_autotune) function.launch_decorators.push_back({!is_heuristics, &call});
}

void ModuleEvaluator::read_jit_arguments(const ast::Call& call, JitFunction& function) {
  for (const std::unique_ptr<ast::Keyword>& keyword : call.keywords) {
    if (!keyword->arg) continue;
    const Value value = evaluate(*keyword->value);
    if (*keyword->arg == "noinline") function.noinline = truth(value).value_or(false);
    if (*keyword->arg == "do_not_specialize") mark_unspecialised(value, function, &Parameter::do_not_specialize);
    if (*keyword->arg == "do_not_specialize_on_alignment")
      mark_unspecialised(value, function, &Parameter::do_not_specialize_on_alignment);
  }
}

void ModuleEvaluator::import_modules(const ast::Import& node) {
  for (const std::unique_ptr<ast::Alias>& alias : node.names) {
    const std::string top = alias->name.substr(0, alias->name.find('.'));
    const std::string name = alias->asname ? alias->name : top;
    bind(alias->asname.value_or(top), PendingImport{name, ""});
  }
}

std::string ModuleEvaluator::absolute_name(const ast::ImportFrom& node) const {
  if (node.level == 0) return node.module.value_or("");
  std::string base = module_.package();
  for (int i = 1; i < node.level; ++i) base = base.substr(0, base.find('.') == std::string::npos ? 0 : base.rfind('.'));
  if (!node.module) return base;
  return base.empty() ? *node.module : base + "." + *node.module;
}

void ModuleEvaluator::bind_star(const Value& source) {
  if (source.module() == nullptr) return;
  for (const Scope::Entry& entry : source.module()->globals().entries()) {
    if (!entry.first.starts_with('_')) bind(entry.first, entry.second);
  }
}

void ModuleEvaluator::import_from(const ast::ImportFrom& node) {
  const std::string name = absolute_name(node);
  for (const std::unique_ptr<ast::Alias>& alias : node.names) {
    if (alias->name == "*") {
      const bool is_file = builtin_namespace(name).empty() && !name.empty();
      if (const PythonModule* module = is_file ? loader_.import(name) : nullptr) bind_star(Value(module));
      continue;
    }
    bind(alias->asname.value_or(alias->name), PendingImport{name, alias->name});
  }
}

}  // namespace lockstep::frontend
