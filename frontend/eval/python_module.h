// A Python module as far as a kernel needs it: its globals and the functions that it defines. ModuleRunner reads it,
// ModuleLoader finds it; this header has what all users of a module need.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/eval/python_class.h"
#include "frontend/lowering/scope.h"
#include "frontend/python_ast.h"
#include "frontend/semantics/value.h"
#include "support/constant_value.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::frontend {

using NamedValues = std::vector<std::pair<std::string, Value>>;

/// How Python binds a parameter. Triton's code generator gives values to the names of ordinary parameters only.
enum class ParameterKind : std::uint8_t { ordinary, positional_only, keyword_only };

struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::ordinary;
  const ast::Expr* annotation = nullptr;     // or null
  const ast::Expr* default_value = nullptr;  // or null
  bool is_constexpr = false;
  std::string type_annotation;  // "fp32", "*kfp16": forces the type; "" if none
  bool do_not_specialize = false;
  bool do_not_specialize_on_alignment = false;
  SourceRange range;
};

/// @triton.autotune(...) or @triton.heuristics(...) of a kernel.
struct LaunchDecorator {
  bool is_autotune = false;
  const ast::Call* call = nullptr;
};

/// A function under @triton.jit (or @triton.constexpr_function, which runs at compile time).
struct JitFunction {
  const ast::FunctionDef* node = nullptr;
  const PythonModule* module = nullptr;
  std::string name;
  std::string qualified_name;  // within the module: "Class.method", "outer.<locals>.inner"
  std::vector<Parameter> parameters;
  std::shared_ptr<const Scope> captured;           // the locals of the function that defines it; null at module level
  std::vector<LaunchDecorator> launch_decorators;  // the outermost first
  bool noinline = false;
  bool is_gluon = false;  // @gluon.jit
  bool is_constexpr_function = false;
  bool is_plain_python = false;      // undecorated: only code that runs at compile time calls it
  bool is_method_of_tensor = false;  // prelude functions that tensors have as methods
};

class Modules;

class PythonModule {
 public:
  PythonModule(std::string name, std::string package, SourceFilePtr file)
      : name_(std::move(name)), package_(std::move(package)), file_(std::move(file)) {}
  const std::string& name() const { return name_; }
  /// The package that relative imports start from; "" at top level.
  const std::string& package() const { return package_; }
  const SourceFilePtr& file() const { return file_; }
  /// The value of a global; follows the import that binds it. Null if there is none.
  const Value* find(std::string_view global) const;
  /// Imports without a request are Value::pending_import().
  const Scope& globals() const { return globals_; }
  const std::vector<std::unique_ptr<JitFunction>>& functions() const { return functions_; }
  /// The jit function bound to this name, also through an alias; null if there is none.
  const JitFunction* find_function(std::string_view name) const;
  bool is_prelude() const { return is_prelude_; }
  /// Whether the global was made with tl.constexpr(...) or given by --global: only these numbers may be used in
  /// kernels.
  bool is_constexpr_global(std::string_view name) const;
  /// Whether a function of the module rebinds the global, so that its value is not known.
  bool is_rebound(std::string_view global) const { return rebound_globals_.contains(global); }

 private:
  friend class ModuleLoader;
  friend class ModuleRunner;
  std::string name_;
  std::string package_;
  SourceFilePtr file_;
  std::unique_ptr<ast::Module> tree_;
  Modules* modules_ = nullptr;
  mutable Scope globals_;  // imports are followed when they are asked for
  std::vector<std::unique_ptr<JitFunction>> functions_;
  std::vector<std::unique_ptr<JitFunction>> plain_functions_;  // Python's own, for calls at module level
  std::set<std::string, std::less<>> rebound_globals_;
  bool is_prelude_ = false;
};

/// The interface of a module's code to the modules of its compile, and to their code.
class Modules {
 public:
  virtual ~Modules() = default;
  /// "helpers", "pkg.mod". Null if it is not on the search path or does not parse (without a diagnostic: an import is
  /// an error only if used).
  virtual const PythonModule* import(const std::string& dotted_name) = 0;
  /// Built-in library written in Triton's language: "triton.language.standard", "triton.language.random".
  virtual const PythonModule& prelude(const std::string& name) = 0;
  /// The value that an import binds; opaque if the module is missing or lacks the name.
  virtual Value follow(const PendingImport& import) = 0;
  /// Value of a default expression, a decorator's argument or a lambda's body, in its module's globals, below `locals`.
  /// Opaque if it is unknown.
  virtual Value evaluate(const ast::Expr& expression, const PythonModule& module, const Scope* locals = nullptr) = 0;
  /// constexpr_function.h has both.
  virtual ValueResult run_function(const JitFunction& function, const std::vector<Value>& positional,
                                   const NamedValues& keywords) = 0;
  virtual ValueResult construct(const PythonClass& type, const std::vector<Value>& positional,
                                const NamedValues& keywords) = 0;
  /// Keeps a function that a call made (a closure), or a class, for the lifetime of the modules.
  virtual const JitFunction* keep(std::unique_ptr<JitFunction> function) = 0;
  virtual const PythonClass* keep(std::unique_ptr<PythonClass> type) = 0;
  virtual const std::map<std::string, ConstantValue>& request_globals() const = 0;
  /// The GPU that modules see: 10 * major + minor.
  virtual int capability() const = 0;
};

/// The value of a global during a circular import.
bool is_circle(const Value& value);

}  // namespace lockstep::frontend
