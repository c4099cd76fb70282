// Facts of expressions in a kernel's text, without types: the called function, the operand inside subscripts and casts.
// For readers that guess (kernel_reading.h); the front end proper uses types.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>

#include "frontend/python_ast.h"

namespace lockstep::frontend {

template <typename Range>
bool holds(const Range& all, std::string_view one) {
  return std::find(std::begin(all), std::end(all), one) != std::end(all);
}

/// "load" of tl.load(...), "cdiv" of cdiv(...).
std::string_view called(const ast::Call& call);
/// x of x[:, None], x.to(tl.int64), tl.multiple_of(x, 16).
const ast::Expr& stripped(const ast::Expr& expr);
bool is_binary(const ast::Expr& expr, std::initializer_list<ast::BinaryOperator> ops);
/// Null: the module has no such function.
const ast::FunctionDef* function_of_module(const ast::Module& module, std::string_view name);

}  // namespace lockstep::frontend
