// DebugLaunch: what `lockstep debug` and `lockstep dap` debug: a RunSession made into the setup of a debugger's
// session. It keeps everything that the session names, so it must outlive it. Not here: the debugger.
#pragma once

#include <memory>
#include <string>

#include "sanitizer/core/check_options.h"
#include "cli/run_questions.h"
#include "cli/run_session.h"
#include "debugger/session/session.h"

namespace lockstep::cli {

class DebugLaunch {
 public:
  DebugLaunch(const RunOptions& options, DiagnosticSink& sink) : sink_(sink), session_(options, sink) {}

  /// Reads, compiles, makes the tensors. False: reported in the sink. `history`: "512MiB"; empty: that.
  bool prepare(const std::string& history = "");
  /// Precondition: prepare(). The caller may set `output` and `request.print`.
  debugger::Session::Setup setup();
  const RunSession& session() const { return session_; }

 private:
  std::optional<sanitizer::CheckOptions> checks(const std::string& checkers, DiagnosticSink& sink) const;
  void follow_schedule(const sanitizer::CheckOptions& checks);
  debugger::Scope::Found reference(std::string_view name) const;
  std::optional<Report> checked_run(const std::atomic<bool>& stop);
  std::vector<debugger::ComparedOutput> compare_outputs() const;

  DiagnosticSink& sink_;
  RunSession session_;
  debugger::Engine::Options engine_;
  std::unique_ptr<RunQuestions> questions_;
  // The launch under checkers: the same once more, from its own memory. Its findings name its module.
  std::unique_ptr<DiagnosticSink> checked_sink_;
  std::unique_ptr<RunSession> checked_;
};

}  // namespace lockstep::cli
