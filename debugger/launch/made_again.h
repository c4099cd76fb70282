// MadeAgain: a launch of the command line as a whole: runs it again from its texts or its capsule; compares it with
// --expect and with the capsule's recording, which it judges by the legal bounds on a GPU and, if there is one, by the
// GPU's own values. Not here: comparing, searching, counting (debugger/launch_queries).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "debugger/launch_queries/remade_launch.h"
#include "driver/launch/prepared_launch.h"
#include "gpu_diff/bisect.h"
#include "gpu_diff/judge.h"

namespace lockstep::debugger {

class MadeAgain : public RemadeLaunch {
 public:
  /// The session must be prepared and outlive this; the debugger uses its memory.
  explicit MadeAgain(driver::PreparedLaunch& session);

  /// A runner of kernels with probes, and its name. Without it, the first GPU of this machine, if there is one.
  struct Probes {
    gpu_diff::ProbeRun run;
    std::string device;
  };
  void use_probes(Probes probes) { probes_ = std::move(probes); }
  std::vector<ComparedOutput> compared_outputs() const override { return compared_; }
  Expected<Json, Problem> prove(const std::vector<std::string>& words) override;
  void set_compared_outputs(std::vector<ComparedOutput> compared) { compared_ = std::move(compared); }

 private:
  class Judged;

  Done once_more(const Act& act) override;
  Expected<References, Problem> references() const override;
  std::optional<bool> is_like(const driver::Manifest& other) const override;
  Expected<std::shared_ptr<const Verdicts>, Problem> verdicts(const References& references, bool are_own) override;
  Expected<sanitizer::CheckOptions, Problem> lint_options() const override;
  Expected<bool, Problem> ask_gpu(std::size_t tensor, std::int64_t element, const enclosure::Interval& bounds,
                                  const interpreter::LaunchRequest& launch, Culprit& culprit) const override;
  std::optional<Probes> probes() const;

  driver::PreparedLaunch& session_;
  std::optional<Probes> probes_;
  std::shared_ptr<const Verdicts> own_verdicts_;
  std::vector<ComparedOutput> compared_;
};

}  // namespace lockstep::debugger
