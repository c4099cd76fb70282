// Function definitions of a module: parameters and decorators.
#pragma once

#include <memory>
#include <string>

#include "frontend/eval/evaluate_expression.h"

namespace lockstep::frontend {

std::unique_ptr<JitFunction> read_function(const Evaluation& in, const ast::FunctionDef& node,
                                           std::string qualified_name);
/// The value of an undecorated function's name: only compile-time code calls it.
Value plain_function(const JitFunction& function);
/// A function defined inside a class or a function; it sees the locals, and `in.modules` keeps it.
Value make_function(const Evaluation& in, const ast::FunctionDef& node, std::string qualified_name);

}  // namespace lockstep::frontend
