#include "frontend/kernel_expressions.h"

#include <array>

namespace lockstep::frontend {

std::string_view called(const ast::Call& call) {
  if (const auto* attribute = call.func->as<ast::Attribute>()) return attribute->attr;
  const auto* name = call.func->as<ast::Name>();
  return name == nullptr ? std::string_view() : std::string_view(name->id);
}

const ast::Expr& stripped(const ast::Expr& expr) {
  constexpr std::array<std::string_view, 5> kHints = {"multiple_of", "max_contiguous", "max_constancy", "cast", "advance"};
  constexpr std::array<std::string_view, 4> kMethods = {"to", "cast", "expand_dims", "reshape"};
  if (const auto* subscript = expr.as<ast::Subscript>()) return stripped(*subscript->value);
  const auto* call = expr.as<ast::Call>();
  if (call == nullptr) return expr;
  const auto* method = call->func->as<ast::Attribute>();
  if (method == nullptr) return expr;
  const auto* space = method->value->as<ast::Name>();
  const bool is_of_module = space != nullptr && (space->id == "tl" || space->id == "triton");
  if (is_of_module) return holds(kHints, method->attr) && !call->args.empty() ? stripped(*call->args.front()) : expr;
  return holds(kMethods, method->attr) ? stripped(*method->value) : expr;
}

bool is_binary(const ast::Expr& expr, std::initializer_list<ast::BinaryOperator> ops) {
  const auto* binary = expr.as<ast::BinOp>();
  return binary != nullptr && std::find(ops.begin(), ops.end(), binary->op) != ops.end();
}

const ast::FunctionDef* function_of_module(const ast::Module& module, std::string_view name) {
  for (const ast::StmtPtr& statement : module.body) {
    const auto* function = statement->as<ast::FunctionDef>();
    if (function != nullptr && function->name == name) return function;
  }
  return nullptr;
}

}  // namespace lockstep::frontend
