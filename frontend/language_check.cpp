#include "frontend/language_check.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "frontend/builtins/builtins.h"
#include "frontend/error_codes.h"
#include "frontend/eval/kernel_names.h"
#include "frontend/eval/module_loader.h"
#include "frontend/eval/namespaces.h"
#include "frontend/eval/request_value.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

using Names = std::set<std::string, std::less<>>;

void collect_target(const ast::Expr& target, Names& names) {
  if (const auto* name = target.as<ast::Name>()) names.insert(name->id);
  if (const auto* tuple = target.as<ast::Tuple>()) {
    for (const ast::ExprPtr& element : tuple->elts) collect_target(*element, names);
  }
}

/// Every name that the statements bind, anywhere.
void collect_names(const ast::Body& body, Names& names) {
  for (const ast::StmtPtr& statement : body) {
    if (const auto* assign = statement->as<ast::Assign>()) {
      for (const ast::ExprPtr& target : assign->targets) collect_target(*target, names);
    } else if (const auto* annotated = statement->as<ast::AnnAssign>()) {
      collect_target(*annotated->target, names);
    } else if (const auto* augmented = statement->as<ast::AugAssign>()) {
      collect_target(*augmented->target, names);
    } else if (const auto* branch = statement->as<ast::If>()) {
      collect_names(branch->body, names);
      collect_names(branch->orelse, names);
    } else if (const auto* loop = statement->as<ast::For>()) {
      collect_target(*loop->target, names);
      collect_names(loop->body, names);
      collect_names(loop->orelse, names);
    } else if (const auto* repeat = statement->as<ast::While>()) {
      collect_names(repeat->body, names);
      collect_names(repeat->orelse, names);
    } else if (const auto* with = statement->as<ast::With>()) {
      collect_names(with->body, names);
    }
  }
}

class FunctionCheck {
 public:
  FunctionCheck(Modules& modules, const JitFunction& function) : modules_(modules), function_(function) {
    for (const Parameter& parameter : function.parameters) locals_.insert(parameter.name);
    collect_names(function.node->body, locals_);
  }
  std::vector<Diagnostic> run() {
    check(function_.node->body);
    return std::move(problems_);
  }

 private:
  void check(const ast::Body& body);
  void check(const ast::Stmt& node);
  void check_if(const ast::If& node);
  void check_for(const ast::For& node);
  /// The expression's value, if it does not depend on locals; invalid otherwise.
  Value check(const ast::Expr& node);
  Value check_name(const ast::Name& node);
  Value check_attribute(const ast::Attribute& node);
  void check_call(const ast::Call& node);
  void check_arguments(const ast::Call& node, const JitFunction& callee);
  void check_arguments(const ast::Call& node, const Builtin& callee);
  void check_parts(const ast::Expr& node);
  void check_comprehension(const ast::ListComp& node);
  /// The truth of a condition over module-level constants; nullopt otherwise.
  std::optional<bool> decided(const ast::Expr& node);
  bool uses_locals(const ast::Expr& node) const;
  void unsupported_node(const ast::Node& node);
  void report(Severity severity, DiagnosticCode code, std::string message, const ast::Node& where,
              std::string hint = {}) {
    problems_.push_back({severity,
                         code,
                         std::move(message),
                         {function_.module->file(), where.range},
                         {},
                         std::move(hint)});
  }

  Modules& modules_;
  const JitFunction& function_;
  Names locals_;
  int undecided_ = 0;  // > 0: under a condition that depends on parameters
  std::vector<Diagnostic> problems_;
};

void FunctionCheck::unsupported_node(const ast::Node& node) {
  report(Severity::error, codes::kUnsupportedNode,
         fmt::format("unsupported AST node type: {}", ast::kind_name(node.kind)), node,
         std::string(advice_for(node.kind)));
}

void FunctionCheck::check(const ast::Body& body) {
  for (const ast::StmtPtr& statement : body) {
    check(*statement);
    if (statement->is<ast::Return>()) return;  // what follows is not compiled
  }
}

void FunctionCheck::check(const ast::Stmt& node) {
  if (node.is<ast::Pass>()) return;
  // Its purpose is to stop an unwanted compilation.
  if (node.is<ast::Raise>() && undecided_ > 0) return;
  if (const auto* branch = node.as<ast::If>()) return check_if(*branch);
  if (const auto* loop = node.as<ast::For>()) return check_for(*loop);
  if (const auto* assign = node.as<ast::Assign>()) return static_cast<void>(check(*assign->value));
  if (const auto* augmented = node.as<ast::AugAssign>()) return static_cast<void>(check(*augmented->value));
  if (const auto* expression = node.as<ast::ExprStmt>()) return static_cast<void>(check(*expression->value));
  if (const auto* annotated = node.as<ast::AnnAssign>()) {
    if (annotated->value) check(*annotated->value);
  } else if (const auto* returned = node.as<ast::Return>()) {
    if (returned->value) check(*returned->value);
  } else if (const auto* repeat = node.as<ast::While>()) {
    check(*repeat->test);
    check(repeat->body);
  } else if (const auto* assertion = node.as<ast::Assert>()) {
    check(*assertion->test);
  } else {
    unsupported_node(node);
  }
}

void FunctionCheck::check_if(const ast::If& node) {
  check(*node.test);
  const std::optional<bool> taken = decided(*node.test);
  if (!taken) ++undecided_;
  if (taken.value_or(true)) check(node.body);
  if (!taken.value_or(false)) check(node.orelse);
  if (!taken) --undecided_;
}

void FunctionCheck::check_for(const ast::For& node) {
  const auto* call = node.iter->as<ast::Call>();
  const Value iterator = call != nullptr ? check(*call->func) : Value();
  const std::string kind = iterator.host_function() != nullptr ? iterator.host_function()->name : "";
  if (kind != "range" && kind != "tl.range" && kind != "tl.static_range")
    report(Severity::error, codes::kControlFlow, "only `range`, `tl.range` and `tl.static_range` can be iterated over",
           *node.iter, "to go through a tuple, index it in a tl.static_range loop");
  if (call != nullptr) check_parts(*node.iter);
  check(node.body);
}

bool FunctionCheck::uses_locals(const ast::Expr& node) const {
  if (const auto* name = node.as<ast::Name>()) return locals_.contains(name->id);
  if (const auto* attribute = node.as<ast::Attribute>()) return uses_locals(*attribute->value);
  if (node.is<ast::Constant>()) return false;
  const auto any = [&](const ast::ExprList& list) {
    return std::any_of(list.begin(), list.end(), [&](const ast::ExprPtr& part) { return uses_locals(*part); });
  };
  if (const auto* operation = node.as<ast::BoolOp>()) return any(operation->values);
  if (const auto* unary = node.as<ast::UnaryOp>()) return uses_locals(*unary->operand);
  if (const auto* compare = node.as<ast::Compare>()) return uses_locals(*compare->left) || any(compare->comparators);
  if (const auto* binary = node.as<ast::BinOp>()) return uses_locals(*binary->left) || uses_locals(*binary->right);
  if (const auto* tuple = node.as<ast::Tuple>()) return any(tuple->elts);
  if (const auto* call = node.as<ast::Call>())
    return uses_locals(*call->func) || any(call->args) || !call->keywords.empty();
  return true;
}

std::optional<bool> FunctionCheck::decided(const ast::Expr& node) {
  // As in Python, `and` and `or` stop at a known outcome.
  if (const auto* operation = node.as<ast::BoolOp>()) {
    const bool stops_at = operation->op == ast::BoolOperator::Or;
    bool all_known = true;
    for (const ast::ExprPtr& part : operation->values) {
      const std::optional<bool> value = decided(*part);
      if (value && *value == stops_at) return stops_at;
      all_known = all_known && value;
    }
    return all_known ? std::optional(!stops_at) : std::nullopt;
  }
  if (uses_locals(node)) return std::nullopt;
  const Value value = modules_.evaluate(node, *function_.module);
  return value.constant() != nullptr || value.elements() != nullptr ? truth(value) : std::nullopt;
}

Value FunctionCheck::check(const ast::Expr& node) {
  switch (node.kind) {
    case ast::Kind::Name: return check_name(*node.as<ast::Name>());
    case ast::Kind::Attribute: return check_attribute(*node.as<ast::Attribute>());
    case ast::Kind::Call: check_call(*node.as<ast::Call>()); return {};
    case ast::Kind::ListComp: check_comprehension(*node.as<ast::ListComp>()); return {};
    case ast::Kind::IfExp: {
      const auto& choice = *node.as<ast::IfExp>();
      check(*choice.test);
      const std::optional<bool> taken = decided(*choice.test);
      if (taken.value_or(true)) check(*choice.body);
      if (!taken.value_or(false)) check(*choice.orelse);
      return {};
    }
    case ast::Kind::Constant: return {};
    default: check_parts(node); return {};
  }
}

/// Checks the operands of an expression without a rule of its own.
void FunctionCheck::check_parts(const ast::Expr& node) {
  const auto all = [&](const ast::ExprList& list) {
    for (const ast::ExprPtr& part : list) check(*part);
  };
  if (const auto* binary = node.as<ast::BinOp>()) return check(*binary->left), static_cast<void>(check(*binary->right));
  if (const auto* compare = node.as<ast::Compare>()) return check(*compare->left), all(compare->comparators);
  if (const auto* operation = node.as<ast::BoolOp>()) return all(operation->values);
  if (const auto* unary = node.as<ast::UnaryOp>()) return static_cast<void>(check(*unary->operand));
  if (const auto* tuple = node.as<ast::Tuple>()) return all(tuple->elts);
  if (const auto* list = node.as<ast::List>()) return all(list->elts);
  if (const auto* text = node.as<ast::JoinedStr>()) return all(text->values);
  if (const auto* part = node.as<ast::FormattedValue>()) return static_cast<void>(check(*part->value));
  if (const auto* starred = node.as<ast::Starred>()) return static_cast<void>(check(*starred->value));
  if (const auto* subscript = node.as<ast::Subscript>())
    return check(*subscript->value), static_cast<void>(check(*subscript->slice));
  if (const auto* slice = node.as<ast::Slice>()) {
    for (const ast::ExprPtr* bound : {&slice->lower, &slice->upper, &slice->step}) {
      if (*bound) check(**bound);
    }
    return;
  }
  if (const auto* call = node.as<ast::Call>()) {
    all(call->args);
    for (const auto& keyword : call->keywords) check(*keyword->value);
    return;
  }
  unsupported_node(node);
}

void FunctionCheck::check_comprehension(const ast::ListComp& node) {
  const Names outer = locals_;
  for (const auto& generator : node.generators) {
    check(*generator->iter);
    collect_target(*generator->target, locals_);
    for (const ast::ExprPtr& condition : generator->ifs) check(*condition);
  }
  check(*node.elt);
  locals_ = outer;
}

Value FunctionCheck::check_name(const ast::Name& node) {
  if (locals_.contains(node.id)) return {};
  if (const Value* captured = function_.captured != nullptr ? function_.captured->find(node.id) : nullptr)
    return *captured;
  if (const Value* global = function_.module->find(node.id)) {
    const auto problem = problem_of_global(node.id, *global, function_.module->is_constexpr_global(node.id));
    if (!problem) return *global;
    report(problem->is_unsupported ? Severity::unsupported : Severity::error, problem->code, problem->message, node,
           problem->hint);
    return {};
  }
  if (is_kernel_builtin(node.id)) return HostFunction{node.id};
  if (const std::string_view name = builtin_behind(node.id); !name.empty()) return find_builtin(name);
  report(Severity::error, codes::kUndefinedName, fmt::format("name '{}' is not defined", node.id), node);
  return {};
}

Value FunctionCheck::check_attribute(const ast::Attribute& node) {
  const Value owner = check(*node.value);
  if (owner.space() != nullptr) {
    if (std::optional<Value> value = namespace_attribute(modules_, owner.space()->name, node.attr)) return *value;
  } else if (const PythonModule* module = owner.module()) {
    if (const Value* held = module->find(node.attr)) {
      const std::string name = module->name() + "." + node.attr;
      const auto problem = problem_of_global(name, *held, module->is_constexpr_global(node.attr));
      if (!problem) return *held;
      report(problem->is_unsupported ? Severity::unsupported : Severity::error, problem->code, problem->message, node,
             problem->hint);
      return {};
    }
    if (const PythonModule* child = modules_.import(module->name() + "." + node.attr)) return Value(child);
  } else {
    return {};  // of a value that types decide about
  }
  report(Severity::error, codes::kAttribute, fmt::format("{} has no attribute '{}'", describe(owner), node.attr), node);
  return {};
}

void FunctionCheck::check_call(const ast::Call& node) {
  const Value callee = check(*node.func);
  check_parts(node);
  if (const Builtin* builtin = callee.builtin()) return check_arguments(node, *builtin);
  if (const JitFunction* function = callee.jit()) return check_arguments(node, *function);
  if (const NamespaceValue* space = callee.space())
    return report(Severity::unsupported, codes::kUnsupportedBuiltin,
                  fmt::format("{} is not supported yet", space->name), node);
  if (callee.opaque() == nullptr && callee.module() == nullptr && callee.lambda() == nullptr) return;
  report(Severity::error, codes::kPythonFunction, fmt::format("{} cannot be called from a kernel", describe(callee)),
         *node.func, "decorate it with @triton.jit, or @triton.constexpr_function if it computes with constants only");
}

bool has_stars(const ast::Call& node) {
  return std::any_of(node.args.begin(), node.args.end(),
                     [](const auto& arg) { return arg->template is<ast::Starred>(); }) ||
         std::any_of(node.keywords.begin(), node.keywords.end(), [](const auto& keyword) { return !keyword->arg; });
}

void FunctionCheck::check_arguments(const ast::Call& node, const JitFunction& callee) {
  if (has_stars(node) || callee.node->args->vararg || callee.node->args->kwarg) return;
  if (node.args.size() > callee.parameters.size())
    return report(
        Severity::error, codes::kArguments,
        fmt::format("{}() takes {} arguments, {} are given", callee.name, callee.parameters.size(), node.args.size()),
        node);
  Names given;
  for (std::size_t i = 0; i < node.args.size(); ++i) given.insert(callee.parameters[i].name);
  for (const auto& keyword : node.keywords) {
    const bool is_known = std::any_of(callee.parameters.begin(), callee.parameters.end(),
                                      [&](const Parameter& parameter) { return parameter.name == *keyword->arg; });
    if (!is_known)
      report(Severity::error, codes::kArguments, fmt::format("{}() has no parameter '{}'", callee.name, *keyword->arg),
             *keyword);
    given.insert(*keyword->arg);
  }
  for (const Parameter& parameter : callee.parameters) {
    if (parameter.default_value == nullptr && !given.contains(parameter.name))
      report(Severity::error, codes::kArguments,
             fmt::format("{}() is missing the argument '{}'", callee.name, parameter.name), node);
  }
}

void FunctionCheck::check_arguments(const ast::Call& node, const Builtin& callee) {
  if (callee.lower == nullptr)
    return report(Severity::unsupported, codes::kUnsupportedBuiltin,
                  fmt::format("{} is not supported yet", full_name(callee)), node);
  if (has_stars(node)) return;
  const std::vector<SignatureParameter> parameters = parse_signature(callee.signature);
  for (const auto& keyword : node.keywords) {
    const bool is_known = std::any_of(parameters.begin(), parameters.end(),
                                      [&](const auto& parameter) { return parameter.name == *keyword->arg; });
    if (!is_known)
      report(Severity::error, codes::kArguments,
             fmt::format("{}() has no parameter '{}'", full_name(callee), *keyword->arg), *keyword);
  }
}

}  // namespace

std::optional<std::vector<CheckedFunction>> check_language(const LanguageRequest& request, DiagnosticSink& sink) {
  ModuleLoader loader(request.search_path, request.globals, sink, capability_of(request.target));
  const PythonModule* module = loader.load_main(request.path);
  if (module == nullptr) return std::nullopt;
  std::vector<CheckedFunction> checked;
  for (const auto& function : module->functions()) {
    if (function->is_constexpr_function) continue;
    const std::uint32_t line = module->file()->position(function->node->range.begin).line;
    checked.push_back({function->name, line, FunctionCheck(loader, *function).run()});
  }
  return checked;
}

}  // namespace lockstep::frontend
