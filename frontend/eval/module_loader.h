// Python modules as far as a kernel needs them: the jit functions, constants, aliases and imports at module level,
// found by reading the statements in order without running Python. What cannot be known (a call of a library, a
// condition on the machine) becomes an opaque value that is an error only when a kernel uses it. Imports are followed
// when something asks for their names, in the file's own folder, then on the search path, packages included; each file
// is read once. Does not evaluate
// decorators beyond finding the jit function below them. Source: Triton 3.6 runtime/jit (facts), Python import rules.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/eval/python_class.h"
#include "frontend/lowering/scope.h"
#include "frontend/python_ast.h"
#include "frontend/semantics/value.h"
#include "support/diagnostic.h"

namespace lockstep::frontend {

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
  bool is_constexpr_function = false;
  bool is_plain_python = false;      // undecorated: only code that runs at compile time calls it
  bool is_method_of_tensor = false;  // prelude functions that tensors have as methods
};

class ModuleLoader;

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
  /// Imports that nothing has asked for are Value::pending_import().
  const Scope& globals() const { return globals_; }
  const std::vector<std::unique_ptr<JitFunction>>& functions() const { return functions_; }
  /// The jit function bound to this name, also through an alias; null if there is none.
  const JitFunction* find_function(std::string_view name) const;
  bool is_prelude() const { return is_prelude_; }
  /// Whether the global was made with tl.constexpr(...) or given by --global: only these numbers may be used in
  /// kernels.
  bool is_constexpr_global(std::string_view name) const;

 private:
  friend class ModuleLoader;
  friend class ModuleEvaluator;
  std::string name_;
  std::string package_;
  SourceFilePtr file_;
  std::unique_ptr<ast::Module> tree_;
  ModuleLoader* loader_ = nullptr;
  mutable Scope globals_;  // imports are followed when they are asked for
  std::vector<std::unique_ptr<JitFunction>> functions_;
  std::vector<std::unique_ptr<JitFunction>> plain_functions_;  // Python's own, for calls at module level
  std::set<std::string, std::less<>> rebound_globals_;
  bool is_prelude_ = false;
};

class ModuleLoader {
 public:
  /// `capability`: of the GPU that modules are told they run on, 10 * major + minor.
  ModuleLoader(std::vector<std::string> search_path, std::map<std::string, ConstantValue> globals, DiagnosticSink& sink,
               int capability = 90);
  ~ModuleLoader();
  /// The file of the request; `source`: its text where there is no such file. Null: diagnosed.
  const PythonModule* load_main(const std::string& path, std::optional<std::string> source = std::nullopt);
  /// "helpers", "pkg.mod". Null if it is not on the search path or does not parse (not diagnosed: an import is an error
  /// only if used).
  const PythonModule* import(const std::string& dotted_name);
  /// Built-in library written in Triton's language: "triton.language.standard", "triton.language.random".
  const PythonModule& prelude(const std::string& name);
  /// What an import binds; opaque if the module is not to be found or lacks the name.
  Value follow(const PendingImport& import);
  /// Value of a default expression or a decorator's argument, in its module's globals. Opaque if it cannot be known.
  Value evaluate(const ast::Expr& expression, const PythonModule& module);
  /// callee(arguments), at module level. Opaque if it cannot be known.
  Value call(const Value& callee, const std::vector<Value>& arguments, const PythonModule& module);
  /// Attribute of a built-in namespace ("triton.language", "load"); nullopt if it has none.
  std::optional<Value> namespace_attribute(const std::string& space, const std::string& attribute);
  /// hasattr() of Triton 3.6: what newer versions added is not there, though it can be used.
  bool namespace_has(const std::string& space, const std::string& attribute);
  const std::map<std::string, ConstantValue>& request_globals() const { return globals_; }
  DiagnosticSink& sink() { return sink_; }
  /// Keeps a function that a call made (a closure), or a class, for as long as the loader lives.
  const JitFunction* keep(std::unique_ptr<JitFunction> function);
  const PythonClass* keep(std::unique_ptr<PythonClass> type);
  int capability() const { return capability_; }

 private:
  PythonModule* parse(std::string name, std::string package, SourceFilePtr file, DiagnosticSink& sink);
  std::vector<std::string> search_path_;
  std::map<std::string, ConstantValue> globals_;
  DiagnosticSink& sink_;
  int capability_;
  std::map<std::string, std::unique_ptr<PythonModule>> modules_;  // null while or after a failed load
  std::vector<std::unique_ptr<PythonModule>> failed_;
  std::vector<std::unique_ptr<JitFunction>> made_functions_;
  std::vector<std::unique_ptr<PythonClass>> made_classes_;
};

}  // namespace lockstep::frontend
