// DebugLaunch: what `lockstep debug` and `lockstep dap` debug: a PreparedLaunch made into the setup of a debugger's
// session. It owns everything that the session refers to, so it must outlive the session. Not here: the debugger.
#pragma once

#include <memory>
#include <string>

#include "debugger/launch/made_again.h"
#include "debugger/session/session.h"
#include "driver/launch/prepared_launch.h"
#include "sanitizer/core/check_options.h"

namespace lockstep::debugger {

class DebugLaunch {
 public:
  DebugLaunch(const driver::LaunchSpec& options, DiagnosticSink& sink) : sink_(sink), session_(options, sink) {}

  /// Reads, compiles, makes the tensors. False: reported in the sink. `history`: "512MiB"; empty: that default.
  bool prepare(const std::string& history = "");
  /// Precondition: prepare(). The caller may set `output` and `request.print`.
  Session::Setup setup();
  const driver::PreparedLaunch& session() const { return session_; }

 private:
  std::optional<sanitizer::CheckOptions> checks(const std::string& checkers, DiagnosticSink& sink) const;
  void follow_schedule(const sanitizer::CheckOptions& checks);
  Scope::Found reference(std::string_view name) const;
  std::optional<Report> checked_run(const std::atomic<bool>& stop);
  std::vector<ComparedOutput> compare_outputs() const;

  DiagnosticSink& sink_;
  driver::PreparedLaunch session_;
  Engine::Options engine_;
  std::unique_ptr<MadeAgain> questions_;
  // The launch under checkers: the same launch again, from its own memory. Its findings refer to its module.
  std::unique_ptr<DiagnosticSink> checked_sink_;
  std::unique_ptr<driver::PreparedLaunch> checked_;
};

}  // namespace lockstep::debugger
