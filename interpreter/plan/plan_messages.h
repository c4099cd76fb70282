// PlanMessages: reports about ops at planning, each with its place in the source and in the calls around it. Every
// function returns false, for hooks to pass on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/module.h"
#include "support/diagnostics/diagnostic.h"
#include "support/target_profile.h"

namespace lockstep::interpreter {

class PlanMessages {
 public:
  PlanMessages(const ir::Module& module, DiagnosticSink& sink) : module_(module), sink_(sink) {}

  /// `what` ("on tensor<4xf8> is") is not supported yet for the op.
  bool unsupported(const ir::Op& op, const std::string& what);
  /// The op is not supported yet; `reason` may be empty.
  bool unsupported_op(const ir::Op& op, std::string_view reason);
  bool error(const ir::Op& op, const std::string& message);
  /// True if the profile has arithmetic of the kind; else LS1904.
  bool admits(const ir::Op& op, ScalarKind kind, const TargetProfile& profile);
  bool has_errors() const { return sink_.has_errors(); }

  /// Calls that are planned in place, the innermost last.
  void enter(const ir::Op& call) { calls_.push_back(&call); }
  void leave() { calls_.pop_back(); }
  /// The op's location, with the calls around it.
  Location location_of(const ir::Op& op) const;

 private:
  void report_at(const ir::Op& op, Diagnostic diagnostic);

  const ir::Module& module_;
  DiagnosticSink& sink_;
  std::vector<const ir::Op*> calls_;
};

}  // namespace lockstep::interpreter
