// Operators. Not here: their meaning on tensors (semantics/semantics.h).
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

/// False, and reported, if Triton would look for the operator in the constexpr around a tensor. `right`: null for unary
/// operators.
bool has_operators(LoweringContext& in, std::string_view symbol, const Value& left, const Value& right);
/// Operators on an aggregate are its methods.
Value call_operator_method(LoweringContext& in, const Value& owner, const std::string& name,
                           std::vector<Value> arguments);
Value lower_binary(LoweringContext& in, ast::BinaryOperator op, const Value& left, const Value& right);
Value lower_compare(LoweringContext& in, const ast::Compare& node);
Value lower_bool_op(LoweringContext& in, const ast::BoolOp& node);
Value lower_unary(LoweringContext& in, const ast::UnaryOp& node);

}  // namespace lockstep::frontend
