// Operators on tensors, compile-time values and aggregates.
#include "frontend/lowering/lower_operator.h"

#include <array>

#include <fmt/format.h>

#include "frontend/eval/python_class.h"
#include "frontend/host/host_operators.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

/// The method that Triton calls for an operator, by the name of its syntax node; "" if there is none.
std::string operator_method(std::string_view node) {
  constexpr std::array<std::array<std::string_view, 2>, 18> kMethods{{
      {"Add", "__add__"},
      {"Sub", "__sub__"},
      {"Mult", "__mul__"},
      {"Div", "__truediv__"},
      {"FloorDiv", "__floordiv__"},
      {"Mod", "__mod__"},
      {"Pow", "__pow__"},
      {"LShift", "__lshift__"},
      {"RShift", "__rshift__"},
      {"BitAnd", "__and__"},
      {"BitOr", "__or__"},
      {"BitXor", "__xor__"},
      {"Eq", "__eq__"},
      {"NotEq", "__ne__"},
      {"Lt", "__lt__"},
      {"LtE", "__le__"},
      {"Gt", "__gt__"},
      {"GtE", "__ge__"},
  }};
  for (const auto& [name, method] : kMethods) {
    if (name == node) return std::string(method);
  }
  return {};
}

}  // namespace

bool has_operators(LoweringContext& in, std::string_view symbol, const Value& left, const Value& right) {
  const auto is_plain = [](const Value& value) { return value.tensor() != nullptr && !value.is_wrapped_tensor(); };
  if (is_plain(left) || is_plain(right)) return true;
  const Value& wrapped = left.is_wrapped_tensor() ? left : right;
  in.report.error(
      codes::kOperandTypes,
      fmt::format("no operand of '{}' is a plain tensor: {} was annotated tl.constexpr", symbol, describe(wrapped)),
      std::string(kLeaveAnnotationOut));
  return false;
}

Value call_operator_method(LoweringContext& in, const Value& owner, const std::string& name,
                           std::vector<Value> arguments) {
  const PythonClass& type = *owner.aggregate()->type;
  const JitFunction* method = type.find_function(name);
  if (method == nullptr) {
    in.report.error(codes::kAttribute, fmt::format("the aggregate '{}' has no method '{}'", type.name, name));
    return {};
  }
  arguments.insert(arguments.begin(), owner);
  return in.call_function(*method, std::move(arguments), {});
}

Value lower_binary(LoweringContext& in, ast::BinaryOperator op, const Value& left, const Value& right) {
  if (left.is_invalid() || right.is_invalid()) return {};
  if (left.aggregate() != nullptr && right.aggregate() != nullptr)
    return call_operator_method(in, left, operator_method(ast::operator_name(op)), {right});
  if (left.tensor() != nullptr || right.tensor() != nullptr) {
    if (!has_operators(in, ast::operator_symbol(op), left, right)) return {};
    const bool is_shift = op == ast::BinaryOperator::LShift || op == ast::BinaryOperator::RShift;
    if (is_shift && right.is_wrapped_tensor()) {  // Triton compares a compile-time distance with the width at once
      in.report.error(
          codes::kOperandTypes,
          fmt::format("'{}' by {}, which was annotated tl.constexpr", ast::operator_symbol(op), describe(right)),
          std::string(kLeaveAnnotationOut));
      return {};
    }
    const Value& other = left.tensor() != nullptr ? right : left;
    if (other.tensor() == nullptr && !other.is_number()) {
      in.report.error(codes::kOperandTypes, fmt::format("unsupported operands for {}: {} and {}",
                                                        ast::operator_symbol(op), describe(left), describe(right)));
      return {};
    }
    return semantics::arithmetic(in.builder, op, left, right);
  }
  const ValueResult result = apply_host(op, left, right);
  if (result) return *result;
  in.report.error(codes::kConstantExpression, result.error());
  return {};
}

Value lower_compare(LoweringContext& in, const ast::Compare& node) {
  if (node.ops.size() != 1) {
    in.report.error(codes::kUnsupportedNode, "simultaneous multiple comparison is not supported",
                    "write (a < b) & (b < c)");
    return {};
  }
  const Value left = in.visit(*node.left);
  const Value right = in.visit(*node.comparators.front());
  if (left.is_invalid() || right.is_invalid()) return {};
  const ast::CompareOperator op = node.ops.front();
  const bool is_identity = op == ast::CompareOperator::Is || op == ast::CompareOperator::IsNot;
  if (!is_identity && (op == ast::CompareOperator::In || op == ast::CompareOperator::NotIn)) {
    in.report.error(codes::kUnsupportedNode,
                    fmt::format("AST comparison operator '{}' is not (currently) implemented", ast::operator_name(op)),
                    "compare with == and or");
    return {};
  }
  if (!is_identity && left.aggregate() != nullptr && right.aggregate() != nullptr)
    return call_operator_method(in, left, operator_method(ast::operator_name(op)), {right});
  if (!is_identity && (left.tensor() != nullptr || right.tensor() != nullptr)) {
    if (!has_operators(in, ast::operator_symbol(op), left, right)) return {};
    return semantics::compare(in.builder, op, left, right);
  }
  const ValueResult result = compare_host(op, left, right);
  if (result) return *result;
  in.report.error(codes::kConstantExpression, result.error());
  return {};
}

Value lower_bool_op(LoweringContext& in, const ast::BoolOp& node) {
  std::vector<Value> tensors;
  Value last;
  for (const ast::ExprPtr& operand : node.values) {
    last = in.visit(*operand);
    if (last.is_invalid()) return {};
    if (last.tensor() != nullptr) {
      tensors.push_back(last);
      continue;
    }
    const std::optional<bool> value = truth(last);
    if (!value) {
      in.report.error(codes::kOperandTypes, fmt::format("{} has no truth value", describe(last)));
      return {};
    }
    if (*value == (node.op == ast::BoolOperator::Or)) return last;  // decides the result: nothing else is evaluated
  }
  if (tensors.empty()) return last;
  while (tensors.size() > 1) {
    const Value right = tensors.back();
    tensors.pop_back();
    tensors.back() = semantics::logical(in.builder, node.op, *tensors.back().tensor(), *right.tensor());
    if (tensors.back().is_invalid()) return {};
  }
  return tensors.front();
}

Value lower_unary(LoweringContext& in, const ast::UnaryOp& node) {
  const Value operand = in.visit(*node.operand);
  if (operand.is_invalid()) return {};
  if (const Tensor* tensor = operand.tensor()) {
    const bool has_operator = node.op == ast::UnaryOperator::Not ||
                              has_operators(in, ast::operator_symbol(node.op), operand, Value::raw_none());
    if (!has_operator) return {};
    switch (node.op) {
      case ast::UnaryOperator::USub: return semantics::minus(in.builder, *tensor);
      case ast::UnaryOperator::Invert: return semantics::invert(in.builder, *tensor);
      case ast::UnaryOperator::Not: return semantics::logical_not(in.builder, *tensor);
      case ast::UnaryOperator::UAdd: break;
    }
    in.report.error(codes::kOperandTypes, "tensors have no unary +", "leave it out");
    return {};
  }
  const ValueResult result = apply_host(node.op, operand);
  if (result) return *result;
  in.report.error(codes::kConstantExpression, result.error());
  return {};
}

}  // namespace lockstep::frontend
