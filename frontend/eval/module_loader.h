// Python modules as far as a kernel needs them: the jit functions, constants, aliases and imports at module level,
// found by reading the statements in order without running Python. An unknown value (a call of a library, a condition
// on the machine) becomes an opaque value, which is an error only when a kernel uses it. Imports are followed on
// demand, in the file's own folder, then on the search path, packages included; each file is read once. Does not
// evaluate
// decorators beyond finding the jit function below them. Source: Triton 3.6 runtime/jit (facts), Python import rules.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/eval/python_module.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::frontend {

class ModuleLoader final : public Modules {
 public:
  /// `capability`: of the GPU that modules see, 10 * major + minor.
  ModuleLoader(std::vector<std::string> search_path, std::map<std::string, ConstantValue> globals, DiagnosticSink& sink,
               int capability = 90);
  ~ModuleLoader() override;
  /// The file of the request; `source`: its text where there is no such file. Null: diagnosed.
  const PythonModule* load_main(const std::string& path, std::optional<std::string> source = std::nullopt);

  const PythonModule* import(const std::string& dotted_name) override;
  const PythonModule& prelude(const std::string& name) override;
  Value follow(const PendingImport& import) override;
  Value evaluate(const ast::Expr& expression, const PythonModule& module, const Scope* locals = nullptr) override;
  ValueResult run_function(const JitFunction& function, const std::vector<Value>& positional,
                           const NamedValues& keywords) override;
  ValueResult construct(const PythonClass& type, const std::vector<Value>& positional,
                        const NamedValues& keywords) override;
  const JitFunction* keep(std::unique_ptr<JitFunction> function) override;
  const PythonClass* keep(std::unique_ptr<PythonClass> type) override;
  const std::map<std::string, ConstantValue>& request_globals() const override { return globals_; }
  int capability() const override { return capability_; }
  DiagnosticSink& sink() { return sink_; }

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
