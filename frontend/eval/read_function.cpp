#include "frontend/eval/read_function.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/eval/unknown_value.h"

namespace lockstep::frontend {

namespace {

/// "triton.jit" for `@triton.jit` and `@triton.jit(...)`, in the text's spelling.
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

/// The signature type that an annotation forces ("fp32", "*i32"), or "".
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

/// Whether a call of the function runs just its body: it has no decorator but a cache.
bool is_callable_at_module_level(const ast::FunctionDef& node) {
  if (node.args->vararg || node.args->kwarg) return false;
  return std::all_of(node.decorator_list.begin(), node.decorator_list.end(), [](const ast::ExprPtr& decorator) {
    const std::string text = dotted_text(*decorator);
    return last_word(text) == "cache" || last_word(text) == "lru_cache";
  });
}

/// Also handles a package's own wrapper of autotune, known by its keyword `configs`.
void read_launch_decorator(const Evaluation& in, const ast::Call& call, JitFunction& function) {
  const bool has_configs = std::any_of(call.keywords.begin(), call.keywords.end(),
                                       [](const auto& keyword) { return keyword->arg && *keyword->arg == "configs"; });
  const std::string name = dotted_text(*call.func);
  const std::string_view word = last_word(name);
  if (!has_configs && word != "autotune" && word != "heuristics") return;
  const Value resolved = evaluate_expression(in, *call.func);
  const HostFunction* host = resolved.host_function();
  const bool is_heuristics = host != nullptr && host->name == "triton.heuristics";
  const bool is_autotune = has_configs || (host != nullptr && host->name == "triton.autotune");
  if (is_heuristics || is_autotune) function.launch_decorators.push_back({!is_heuristics, &call});
}

void read_jit_arguments(const Evaluation& in, const ast::Call& call, JitFunction& function) {
  for (const std::unique_ptr<ast::Keyword>& keyword : call.keywords) {
    if (!keyword->arg) continue;
    const Value value = evaluate_expression(in, *keyword->value);
    if (*keyword->arg == "noinline") function.noinline = truth(value).value_or(false);
    if (*keyword->arg == "do_not_specialize") mark_unspecialised(value, function, &Parameter::do_not_specialize);
    if (*keyword->arg == "do_not_specialize_on_alignment")
      mark_unspecialised(value, function, &Parameter::do_not_specialize_on_alignment);
  }
}

void read_decorators(const Evaluation& in, const ast::FunctionDef& node, JitFunction& function, bool& is_jit) {
  for (const ast::ExprPtr& decorator : node.decorator_list) {
    const auto* call = decorator->as<ast::Call>();
    const std::string text = dotted_text(*decorator);
    const std::string_view word = last_word(text);
    if (word == "tensor_method") function.is_method_of_tensor = true;
    if (call != nullptr) read_launch_decorator(in, *call, function);
    if (word != "jit" && word != "constexpr_function" && word != "constexpr") continue;
    const Value resolved = evaluate_expression(in, call != nullptr ? *call->func : *decorator);
    const HostFunction* host = resolved.host_function();
    const bool at_compile_time =
        host != nullptr && (host->name == "triton.constexpr_function" || host->name == "constexpr");
    const bool is_gluon = host != nullptr && host->name == "gluon.jit";
    if (host == nullptr || (host->name != "triton.jit" && !is_gluon && !at_compile_time)) continue;
    is_jit = true;
    function.is_gluon = is_gluon;
    if (at_compile_time) function.is_constexpr_function = true;
    if (call != nullptr) read_jit_arguments(in, *call, function);
  }
}

}  // namespace

std::unique_ptr<JitFunction> read_function(const Evaluation& in, const ast::FunctionDef& node,
                                           std::string qualified_name) {
  auto function = std::make_unique<JitFunction>();
  function->node = &node;
  function->module = &in.module;
  function->name = node.name;
  function->qualified_name = std::move(qualified_name);
  add_parameters(node.args->posonlyargs, ParameterKind::positional_only, in.module, *function);
  add_parameters(node.args->args, ParameterKind::ordinary, in.module, *function);
  const ast::ExprList& defaults = node.args->defaults;
  const std::size_t first = function->parameters.size() - std::min(defaults.size(), function->parameters.size());
  for (std::size_t i = first; i < function->parameters.size(); ++i)
    function->parameters[i].default_value = defaults[i - first].get();
  const std::size_t positional = function->parameters.size();
  add_parameters(node.args->kwonlyargs, ParameterKind::keyword_only, in.module, *function);
  for (std::size_t i = positional; i < function->parameters.size(); ++i)
    function->parameters[i].default_value = node.args->kw_defaults[i - positional].get();
  bool is_jit = false;
  read_decorators(in, node, *function, is_jit);
  function->is_plain_python = !is_jit;
  return function;
}

Value plain_function(const JitFunction& function) {
  const ast::FunctionDef& node = *function.node;
  if (has_decorator(node.decorator_list, {"extern", "builtin"}))
    return unknown("a function made with @extern or @builtin, which is not supported yet");
  OpaqueValue plain{fmt::format("the plain Python function '{}'", node.name)};
  if (is_callable_at_module_level(node)) plain.function = &function;
  return plain;
}

Value make_function(const Evaluation& in, const ast::FunctionDef& node, std::string qualified_name) {
  std::unique_ptr<JitFunction> function = read_function(in, node, std::move(qualified_name));
  if (in.locals != nullptr) function->captured = std::make_shared<const Scope>(*in.locals);
  const JitFunction* raw = in.modules.keep(std::move(function));
  return raw->is_plain_python ? plain_function(*raw) : Value(raw);
}

}  // namespace lockstep::frontend
