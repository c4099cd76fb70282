// The additions of @triton.autotune and @triton.heuristics to a launch: evaluates their configurations and lambdas with
// the known facts of the arguments. Does not measure or prune: it calls neither `prune_configs_by` nor hooks. Source:
// documentation of Triton 3.6 (triton.autotune, triton.heuristics, triton.Config).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/eval/python_module.h"
#include "frontend/requests.h"

namespace lockstep::frontend {

class Tuner {
 public:
  Tuner(Modules& modules, const JitFunction& kernel, const TuningRequest& request, DiagnosticSink& sink);
  std::optional<Tuning> tune();
  KernelTuning describe();

 private:
  bool choose_config(const LaunchDecorator& decorator);
  bool run_heuristics(const LaunchDecorator& decorator);
  bool take(const std::string& name, const Value& value, const ast::Expr& where);
  /// The decorator's argument by keyword, or the first one without. Null: there is none.
  static const ast::Expr* argument_of(const ast::Call& call, std::string_view keyword);
  void fail(std::string message, std::string hint, const ast::Expr& where);
  bool is_given(const std::string& name) const { return request_.arguments.contains(name); }
  void set_argument(const std::string& name, Value value);
  static Value value_of(const LaunchArgument& argument);

  Modules& modules_;
  const JitFunction& kernel_;
  const TuningRequest& request_;
  DiagnosticSink& sink_;
  std::vector<DictEntry> arguments_;  // what heuristics are called with
  Tuning tuning_;
};

}  // namespace lockstep::frontend
