// LaunchQuestions: a debugged launch asked as a whole (debugger/session/whole_launch.h): compared with what was
// recorded or expected, searched for the op that made an element wrong, counted. Every answer but `diff`'s comparison
// comes from the launch made once more on memory of its own. What costs a launch is kept for the next time. Not here:
// moving, texts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkers/error_origin.h"
#include "checkers/launch_cost.h"
#include "cli/run_session.h"
#include "debugger/session/whole_launch.h"
#include "differential/bisect.h"
#include "differential/judge.h"

namespace lockstep::cli {

class LaunchQuestions : public debugger::WholeLaunch {
 public:
  /// The session must be prepared and outlive this; its memory is what is debugged.
  explicit LaunchQuestions(RunSession& session) : session_(session), kernel_(session.request()) {}

  /// What runs a kernel with probes, and its name. Without them the first GPU of this machine does, if there is one.
  struct Probes {
    differential::ProbeRun run;
    std::string device;
  };
  void use_probes(Probes probes) { probes_ = std::move(probes); }

  Expected<debugger::DiffReport, debugger::Problem> diff(const debugger::DiffRequest& request) override;
  Expected<debugger::Culprit, debugger::Problem> bisect(const debugger::BisectRequest& request) override;
  Expected<Report, debugger::Problem> lint() override;
  Expected<debugger::LaunchCost, debugger::Problem> cost(std::string_view gpu) override;

 private:
  /// The launch on memory of its own, of the kernel that is debugged.
  struct Copy {
    Copy(const RunOptions& options, const interpreter::LaunchRequest& of) : session(options, sink), kernel(of) {}
    interpreter::LaunchRequest request();
    checkers::LaunchContext context(const interpreter::LaunchRequest& of, const checkers::CheckOptions& options) const {
      return {*of.module, *of.function, of, of.profile, options, effects};
    }
    DiagnosticSink sink;
    RunSession session;
    const interpreter::LaunchRequest& kernel;
    interpreter::MemoryEffects effects;
  };
  Expected<std::unique_ptr<Copy>, debugger::Problem> copy(bool keeps_expectations = false) const;

  /// What a tensor of the launch is held against.
  struct Reference {
    std::size_t tensor = 0;    // of session_.tensors()
    std::string title;         // "what a GPU left"
    std::string bytes;         // C order
    bool is_recorded = false;  // by this launch's capsule
    const Expectation* expectation = nullptr;
  };
  struct References {
    std::string remark;
    std::vector<Reference> tensors;
    bool are_recorded = false;  // of a launch like this one: legal or not
  };
  // launch_questions_diff.cpp
  Expected<References, debugger::Problem> own_references() const;
  Expected<References, debugger::Problem> references_of(const std::string& path) const;
  /// Of what was recorded (or of another capsule of the same launch: not kept).
  Expected<const differential::Judgement*, debugger::Problem> judged();
  Expected<differential::Judgement, debugger::Problem> judge(const References& references) const;
  static bool add_verdict(const differential::Judgement& judgement, std::size_t tensor, debugger::TensorDifference& to);
  Expected<debugger::TensorDifference, debugger::Problem> compare_now(const Reference& reference,
                                                                      const debugger::DiffRequest& request) const;
  const memory_model::View& view_of(std::size_t tensor) const {
    return session_.memory().view(session_.tensors()[tensor].view);
  }

  // launch_questions_bisect.cpp
  struct Suspect;
  Expected<Suspect, debugger::Problem> suspect_of(const debugger::BisectRequest& request, const References& references,
                                                  const memory_model::AddressSpace& memory);
  Expected<std::optional<std::int64_t>, debugger::Problem> worst_outside(const Reference& reference);
  std::optional<compare::TensorEnclosure> legal(const Suspect& suspect) const;
  const char* recorded_bytes(const Suspect& suspect) const;
  bool is_proven_wrong(const Suspect& suspect) const;
  std::string values_text(const Suspect& suspect, double got, const checkers::Origin& origin) const;
  std::optional<Probes> probes() const;
  Expected<bool, debugger::Problem> ask_gpu(const Suspect& suspect, const interpreter::LaunchRequest& launch,
                                            debugger::Culprit& culprit) const;
  Expected<bool, debugger::Problem> find_repair(const Suspect& suspect, const checkers::Origin& origin,
                                                debugger::Culprit& culprit) const;
  Expected<std::monostate, debugger::Problem> blame(const Suspect& suspect, double got, const checkers::Origin& origin,
                                                    debugger::Culprit& culprit) const;

  RunSession& session_;
  const interpreter::LaunchRequest kernel_;
  std::optional<Probes> probes_;
  std::optional<differential::Judgement> judgement_;
  std::unique_ptr<const checkers::LaunchCost> cost_;
  std::optional<Report> lints_;
};

/// The first error of a sink, as a person's text is answered.
debugger::Problem problem_of(const DiagnosticSink& sink);
debugger::Problem problem_of(const Status& status);

}  // namespace lockstep::cli
