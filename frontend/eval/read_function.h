// Function definitions of a module: parameters, and what their decorators say.
#pragma once

#include <memory>
#include <string>

#include "frontend/eval/evaluate_expression.h"

namespace lockstep::frontend {

std::unique_ptr<JitFunction> read_function(const Evaluation& in, const ast::FunctionDef& node,
                                           std::string qualified_name);
/// What the name of an undecorated function stands for: only code that runs at compile time calls it.
Value plain_function(const JitFunction& function);
/// A function that is defined inside a class or a function; it sees the locals, and `in.modules` keeps it.
Value make_function(const Evaluation& in, const ast::FunctionDef& node, std::string qualified_name);

}  // namespace lockstep::frontend
