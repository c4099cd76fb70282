#include "frontend/module_evaluator.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/constexpr_function.h"
#include "frontend/host_environment.h"
#include "frontend/host_functions.h"
#include "frontend/host_strings.h"
#include "frontend/python_class.h"

namespace lockstep::frontend {

namespace {

constexpr int kMaxNesting = 1'500;
constexpr std::size_t kMaxItems = 10'000;

Value unknown(std::string what) { return OpaqueValue{std::move(what)}; }
Value unknown() { return unknown("a value that is only known when Python runs"); }

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
  if (module_.globals_.find("__name__") == nullptr) {
    globals().set("__name__", Value(Constant::string(module_.name())));
    globals().set("__file__", Value(Constant::string(module_.file()->path())));
  }
  for (const ast::StmtPtr& statement : body) run(*statement);
}

void ModuleEvaluator::bind(const std::string& name, Value value) {
  if (missing_only_ > 0) {
    const Value* held = globals().find(name);
    const bool is_data = value.constant() != nullptr || value.elements() != nullptr;
    if (held != nullptr && (held->opaque() == nullptr || is_data)) return;
  }
  const auto given = loader_.request_globals().find(name);
  if (given != loader_.request_globals().end()) value = Value(Constant::from_request(given->second)).as_constexpr();
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
  if (const auto* loop = node.as<ast::For>()) return run_either(loop->body, {});
  if (const auto* loop = node.as<ast::While>()) return run_either(loop->body, {});
  if (const auto* augmented = node.as<ast::AugAssign>()) {
    const ValueResult value = apply_host(augmented->op, evaluate(*augmented->target), evaluate(*augmented->value));
    assign(*augmented->target, value ? *value : unknown());
  }
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
    bind(alias->asname.value_or(top), imported(name));
  }
}

Value ModuleEvaluator::imported(const std::string& name) {
  if (!builtin_namespace(name).empty()) return NamespaceValue{builtin_namespace(name)};
  if (const PythonModule* module = loader_.import(name)) return Value(module);
  return unknown(fmt::format("from the module '{}', which is not on the search path", name));
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
  const std::string space = builtin_namespace(name);
  const PythonModule* module = space.empty() && !name.empty() ? loader_.import(name) : nullptr;
  for (const std::unique_ptr<ast::Alias>& alias : node.names) {
    if (alias->name == "*") {
      if (module != nullptr) bind_star(Value(module));
      continue;
    }
    bind(alias->asname.value_or(alias->name), imported(name, alias->name));
  }
}

Value ModuleEvaluator::imported(const std::string& module, const std::string& name) {
  const std::string space = builtin_namespace(module);
  if (!space.empty()) {
    if (const std::optional<Value> value = loader_.namespace_attribute(space, name)) return *value;
  } else {
    const PythonModule* source = module.empty() ? nullptr : loader_.import(module);
    if (const Value* held = source != nullptr ? source->find(name) : nullptr) return *held;
    if (const PythonModule* child = loader_.import(module.empty() ? name : module + "." + name)) return Value(child);
  }
  return unknown(fmt::format("from the module '{}', which is not on the search path or lacks it", module));
}

// ---- Expressions ----

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
    case ast::Kind::ListComp:
      return evaluate_comprehension(*node.as<ast::ListComp>()->elt, node.as<ast::ListComp>()->generators);
    case ast::Kind::GeneratorExp:
      return evaluate_comprehension(*node.as<ast::GeneratorExp>()->elt, node.as<ast::GeneratorExp>()->generators);
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

Value ModuleEvaluator::evaluate_comprehension(const ast::Expr& element, const ast::Generators& generators) {
  const ast::Comprehension& generator = *generators.front();
  const auto* name = generator.target->as<ast::Name>();
  if (generators.size() != 1 || name == nullptr) return unknown("a comprehension of this form");
  const Value items = evaluate(*generator.iter);
  if (items.elements() == nullptr || items.elements()->size() > kMaxItems) return unknown();
  Scope scope = locals_ != nullptr ? *locals_ : Scope();
  std::vector<Value> results;
  for (const Value& item : *items.elements()) {
    scope.set(name->id, item);
    ModuleEvaluator inner(loader_, module_, &scope);
    bool chosen = true;
    for (const ast::ExprPtr& condition : generator.ifs) {
      const std::optional<bool> holds = truth(inner.evaluate(*condition));
      if (!holds) return unknown();
      chosen = chosen && *holds;
    }
    if (!chosen) continue;
    results.push_back(inner.evaluate(element));
    if (results.back().opaque() != nullptr) return results.back();
  }
  return Value::tuple(std::move(results));
}

Value ModuleEvaluator::evaluate_name(const ast::Name& node) {
  if (const Value* local = locals_ != nullptr ? locals_->find(node.id) : nullptr) return *local;
  if (module_.rebound_globals_.contains(node.id)) return unknown("a global that functions rebind");
  if (const Value* held = module_.globals_.find(node.id)) return *held;
  if (node.id == "range") return HostFunction{"python.range"};
  if (is_host_function(node.id) || node.id == "hasattr" || node.id == "getattr" || node.id == "isinstance")
    return HostFunction{node.id};
  return unknown(fmt::format("the name '{}', which is not defined", node.id));
}

Value ModuleEvaluator::evaluate_attribute(const ast::Attribute& node) {
  const Value owner = evaluate(*node.value);
  std::optional<Value> value;
  if (owner.space() != nullptr) value = loader_.namespace_attribute(owner.space()->name, node.attr);
  if (owner.is_dtype()) value = dtype_attribute(owner, node.attr);
  if (owner.constant() != nullptr && node.attr == "value") value = owner;
  if (!value) value = member_of(owner, node.attr);
  const bool is_integer = owner.constant() != nullptr && owner.constant()->is_integral();
  if ((owner.is_string() && is_string_method(node.attr)) || (is_integer && is_integer_method(node.attr)))
    return BoundMethod{std::make_shared<const Value>(owner), nullptr, nullptr, node.attr};
  if (const PythonModule* module = owner.module()) {
    if (const Value* held = module->find(node.attr)) return *held;
    if (const PythonModule* child = loader_.import(module->name() + "." + node.attr)) return Value(child);
  }
  return value ? *value : unknown();
}

Value ModuleEvaluator::evaluate_binary(const ast::BinOp& node) {
  const Value left = evaluate(*node.left);
  const Value right = evaluate(*node.right);
  const ValueResult result = apply_host(node.op, left, right);
  if (result && (left.is_constexpr() || right.is_constexpr())) return result->as_constexpr();
  return result ? *result : unknown(fmt::format("an expression that fails: {}", result.error()));
}

Value ModuleEvaluator::evaluate_compare(const ast::Compare& node) {
  Value left = evaluate(*node.left);
  for (std::size_t i = 0; i < node.ops.size(); ++i) {
    const Value right = evaluate(*node.comparators[i]);
    if (left.opaque() != nullptr || right.opaque() != nullptr) return unknown();
    const ValueResult result = compare_tuples(node.ops[i], left, right);
    const std::optional<bool> answer = result ? truth(*result) : std::nullopt;
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
    if (!value) return unknown();
    if (*value != (node.op == ast::BoolOperator::And)) return last;
  }
  return last;
}

Value ModuleEvaluator::evaluate_subscript(const ast::Subscript& node) {
  const Value sequence = evaluate(*node.value);
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
  for (const ast::ExprPtr& element : elements) values.push_back(evaluate(*element));
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

/// isinstance(constant, TYPE): compile-time values are never tl.constexpr objects here, as after Triton's unwrapping.
Value ModuleEvaluator::evaluate_isinstance(const std::vector<Value>& arguments) {
  const Constant* constant = arguments.size() == 2 ? arguments[0].constant() : nullptr;
  const HostFunction* type = constant != nullptr ? arguments[1].host_function() : nullptr;
  if (type == nullptr) return unknown();
  const bool is_int = type->name == "int" && constant->is_integral();
  const bool is_dtype = type->name == "tl.dtype" && constant->is_dtype();
  return Constant::boolean(is_int || is_dtype || constant->type_name() == type->name);
}

Value ModuleEvaluator::call_value(const Value& callee, const std::vector<Value>& arguments,
                                  const std::vector<std::pair<std::string, Value>>& keywords) {
  const JitFunction* python = callee.opaque() != nullptr ? callee.opaque()->function : callee.jit();
  if (python != nullptr && (callee.opaque() != nullptr || python->is_constexpr_function)) {
    const ValueResult result = run_constexpr_function(loader_, *python, arguments, keywords);
    return result ? *result : unknown(result.error());
  }
  ValueResult result = Unexpected<std::string>{"unknown"};
  if (const BoundMethod* method = callee.method(); method != nullptr && method->jit != nullptr) {
    std::vector<Value> all{*method->self};
    all.insert(all.end(), arguments.begin(), arguments.end());
    result = run_constexpr_function(loader_, *method->jit, all, keywords);
    return result ? *result : unknown(result.error());
  }
  if (const PythonClass* type = callee.python_class()) {
    result = construct(loader_, *type, arguments, keywords);
    return result ? *result : unknown(result.error());
  }
  if (const BoundMethod* method = callee.method(); method != nullptr && method->self->is_string()) {
    result = call_string_method(method->self->constant()->text(), method->name, arguments, keywords);
    return result ? *result : unknown(fmt::format("an expression that fails: {}", result.error()));
  }
  if (const BoundMethod* method = callee.method();
      method != nullptr && is_integer_method(method->name) && method->self->constant() != nullptr) {
    if (!keywords.empty()) return unknown();
    result = call_integer_method(method->self->constant()->as_integer(), method->name, arguments);
    return result ? *result : unknown(fmt::format("an expression that fails: {}", result.error()));
  }
  const HostFunction* function = callee.host_function();
  if (function != nullptr && is_environment_function(function->name)) {
    result = call_environment(function->name, arguments, loader_.capability());
    return result ? *result : unknown(result.error());
  }
  if (!keywords.empty()) return unknown();
  if (function != nullptr && function->name == "isinstance") return evaluate_isinstance(arguments);
  if (function != nullptr && (function->name == "hasattr" || function->name == "getattr"))
    return evaluate_reflection(function->name, arguments);
  if (function != nullptr && function->name == "importlib.import_module" && arguments.size() == 1 &&
      arguments[0].is_string()) {
    return imported(arguments[0].constant()->text());
  }
  if (function != nullptr) {
    result = call_host_function(function->name, arguments);
    if (result && function->name == "constexpr") return result->as_constexpr();
  }
  if (const BoundMethod* method = callee.method(); method != nullptr && method->self->is_dtype()) {
    result = call_dtype_method(method->self->constant()->type(), method->name, arguments);
  }
  return result ? *result : unknown(fmt::format("an expression that fails: {}", result.error()));
}

Value ModuleEvaluator::evaluate_call(const ast::Call& node) {
  if (is_named_tuple_call(node)) return named_tuple_class(node);
  const Value callee = evaluate(*node.func);
  std::vector<Value> arguments;
  for (const ast::ExprPtr& argument : node.args) {
    arguments.push_back(evaluate(*argument));
    if (arguments.back().opaque() != nullptr) return unknown();
  }
  std::vector<std::pair<std::string, Value>> keywords;
  for (const std::unique_ptr<ast::Keyword>& item : node.keywords) {
    keywords.emplace_back(item->arg.value_or("**"), evaluate(*item->value));
    if (keywords.back().second.opaque() != nullptr) return unknown();
  }
  return call_value(callee, arguments, keywords);
}

}  // namespace lockstep::frontend
