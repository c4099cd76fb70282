// Reads the statements of one Python module in order and binds its globals. An expression it cannot know is an
// OpaqueValue that says why. Never reports diagnostics: using an unknown value is what may be an error. Bounded: loops
// run only over values that are known.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/eval/module_loader.h"

namespace lockstep::frontend {

/// A value that is only known when Python runs; `what` completes "... is <what>".
inline Value unknown(std::string what = "a value that is only known when Python runs") {
  return OpaqueValue{std::move(what)};
}

class ModuleEvaluator {
 public:
  using Keywords = std::vector<std::pair<std::string, Value>>;
  ModuleEvaluator(ModuleLoader& loader, PythonModule& module) : loader_(loader), module_(module), writable_(&module) {}
  /// For expressions inside a function: `locals` are looked up first. Only evaluate() may be called.
  ModuleEvaluator(ModuleLoader& loader, const PythonModule& module, const Scope* locals)
      : loader_(loader), module_(module), locals_(locals) {}
  void run(const ast::Body& body);
  Value evaluate(const ast::Expr& node);
  /// A function that is defined inside a class or a function; it sees the locals, and the loader keeps it.
  Value make_function(const ast::FunctionDef& node, std::string qualified_name);
  /// The call of a Python function, lambda or class; opaque if it is not known what it gives.
  Value call_value(const Value& callee, const std::vector<Value>& arguments, const Keywords& keywords);
  /// What `import module` and `from module import name` would give; opaque if the module is not to be found.
  Value imported(const std::string& module, const std::string& name = {}) { return loader_.follow({module, name}); }

 private:
  void run(const ast::Stmt& node);
  void define_function(const ast::FunctionDef& node);
  std::unique_ptr<JitFunction> read_function(const ast::FunctionDef& node, std::string qualified_name);
  static Value plain_function(const JitFunction& function);
  Value define_class(const ast::ClassDef& node);
  static bool is_named_tuple_call(const ast::Call& node);
  Value named_tuple_class(const ast::Call& node);
  Value named_tuple_fields(const ast::Expr& node);
  void read_decorators(const ast::FunctionDef& node, JitFunction& function, bool& is_jit);
  void read_launch_decorator(const ast::Call& call, JitFunction& function);
  void read_jit_arguments(const ast::Call& call, JitFunction& function);
  void import_modules(const ast::Import& node);
  void import_from(const ast::ImportFrom& node);
  void bind_star(const Value& source);
  std::string absolute_name(const ast::ImportFrom& node) const;
  void assign(const ast::Expr& target, const Value& value);
  void run_expression(const ast::Expr& node);
  void run_for(const ast::For& node);
  /// Binds what a container has become to the name it was reached by. Where that is no plain name, or other names have
  /// the container too, they become unknown.
  void replace(const ast::Expr& container, const Value& changed);
  void forget(const ast::Expr& container);
  void run_if(const ast::If& node);
  /// Runs both bodies apart, where it is not known which of them Python would run: what they agree on stays, functions
  /// and modules that only one of them binds stay, other names become unknown.
  void run_either(const ast::Body& first, const ast::Body& second);
  /// Runs `body` for the names that nothing has bound so far, or that are bound to something unknown where `body` has a
  /// function or module (an except clause).
  void run_for_missing(const ast::Body& body);
  void bind(const std::string& name, Value value);

  Value dispatch(const ast::Expr& node);
  Value evaluate_name(const ast::Name& node);
  Value evaluate_attribute(const ast::Attribute& node);
  Value evaluate_binary(const ast::BinOp& node);
  Value evaluate_compare(const ast::Compare& node);
  Value evaluate_bool(const ast::BoolOp& node);
  Value evaluate_subscript(const ast::Subscript& node);
  Value evaluate_call(const ast::Call& node);
  Value evaluate_reflection(const std::string& name, const std::vector<Value>& arguments);
  Value evaluate_isinstance(const std::vector<Value>& arguments);
  Value evaluate_sequence(const ast::ExprList& elements);
  Value evaluate_dict(const ast::Dict& node);
  Value evaluate_lambda(const ast::Lambda& node);
  Value evaluate_comparator(const ast::Expr& node, ast::CompareOperator op);

  using RoundVisitor = std::function<std::optional<Value>(ModuleEvaluator&)>;
  std::optional<Value> go_through(const ast::Generators& generators, std::size_t first, Scope& scope,
                                  const RoundVisitor& visit);
  static bool unpack(const ast::Expr& target, const Value& value, Scope& scope);
  template <class Comprehension>
  Value evaluate_comprehension(const Comprehension& node);
  Value evaluate_comprehension(const ast::DictComp& node);
  Value call_for_each(bool is_filter, const std::vector<Value>& arguments);
  Value call_method(const BoundMethod& method, const std::vector<Value>& arguments, const Keywords& keywords);
  Value call_host(const std::string& name, const std::vector<Value>& arguments);
  Value call_lambda(const LambdaValue& lambda, const std::vector<Value>& arguments, const Keywords& keywords);
  Value evaluate_joined_string(const ast::JoinedStr& node);
  Scope& globals() { return writable_->globals_; }

  ModuleLoader& loader_;
  const PythonModule& module_;
  PythonModule* writable_ = nullptr;
  const Scope* locals_ = nullptr;
  bool is_comprehension_ = false;
  int missing_only_ = 0;  // > 0: names with known values keep them
};

/// An attribute of a tensor's type, a field or method of a named tuple or aggregate, a function of a class.
std::optional<Value> member_of(const Value& owner, const std::string& name);
/// "triton.language" for the modules that Lockstep itself provides; "" for others.
std::string builtin_namespace(const std::string& dotted_name);

}  // namespace lockstep::frontend
