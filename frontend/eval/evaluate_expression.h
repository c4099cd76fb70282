// The value of an expression of module-level code, or of a function that runs at compile time. An unknown value is an
// OpaqueValue with the reason. Reports no diagnostics: only the use of an unknown value may be an error.
#pragma once

#include "frontend/eval/python_module.h"

namespace lockstep::frontend {

/// Where an expression stands.
struct Evaluation {
  Modules& modules;
  const PythonModule& module;
  const Scope* locals = nullptr;  // looked up first; null: at module level
  bool is_comprehension = false;
};

Value evaluate_expression(const Evaluation& in, const ast::Expr& node);
/// A tuple of the elements' values, `*elements` spread out.
Value evaluate_sequence(const Evaluation& in, const ast::ExprList& elements);

}  // namespace lockstep::frontend
