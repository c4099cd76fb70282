// Runs the statements of one Python module in order and binds its globals. After an unknown condition, the bindings
// that both sides agree on remain. Reports no diagnostics. Bounded: loops run only over known values.
#pragma once

#include <string>

#include "frontend/eval/evaluate_expression.h"

namespace lockstep::frontend {

class ModuleRunner {
 public:
  ModuleRunner(Modules& modules, PythonModule& module)
      : modules_(modules), module_(module), in_{modules, module, nullptr, false} {}
  void run(const ast::Body& body);

 private:
  void run(const ast::Stmt& node);
  void define_function(const ast::FunctionDef& node);
  void import_modules(const ast::Import& node);
  void import_from(const ast::ImportFrom& node);
  void bind_star(const Value& source);
  std::string absolute_name(const ast::ImportFrom& node) const;
  void assign(const ast::Expr& target, const Value& value);
  void run_expression(const ast::Expr& node);
  void run_for(const ast::For& node);
  /// Binds a changed container to the name that reached it. If that is not a plain name, or other names hold the
  /// container too, they become unknown.
  void replace(const ast::Expr& container, const Value& changed);
  void forget(const ast::Expr& container);
  void run_if(const ast::If& node);
  /// Runs both bodies separately, if it is unknown which of them Python would run: common bindings stay, functions and
  /// modules of only one body stay, other names become unknown.
  void run_either(const ast::Body& first, const ast::Body& second);
  /// Runs `body` for names without a binding, or with an unknown one if `body` has a function or module for them (an
  /// except clause).
  void run_for_missing(const ast::Body& body);
  void bind(const std::string& name, Value value);
  Scope& globals() { return module_.globals_; }

  Modules& modules_;
  PythonModule& module_;
  Evaluation in_;
  int missing_only_ = 0;  // > 0: names with known values keep them
};

}  // namespace lockstep::frontend
