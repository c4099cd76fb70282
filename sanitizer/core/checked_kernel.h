// CheckedKernel: a kernel made ready to run, and to run under checkers. A launch for which no checker needs anything is
// the plain launch and costs as much. Results are the same bytes with and without checkers. Invariant: several threads
// may launch it at once, on address spaces of their own. It keeps references into the module, which must outlive it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "findings/code_coverage.h"
#include "interpreter/launch/prepared.h"
#include "sanitizer/core/check_budget.h"
#include "sanitizer/core/checker.h"
#include "sanitizer/core/needs_cache.h"

namespace lockstep::sanitizer {

class CheckedKernel {
 public:
  /// As PreparedKernel::make.
  static std::unique_ptr<const CheckedKernel> make(const ir::Module& module, const ir::Op& function,
                                                   const TargetProfile& profile, DiagnosticSink& sink);
  ~CheckedKernel();

  /// As PreparedKernel::launch, with the checkers' findings among the report's. `coverage`: what of the kernel the
  /// launch has shown is added there; null: nobody asks, and it costs nothing. `missed`: which checkers did not look at
  /// this launch; the report's ChecksRun::asked are the others.
  std::optional<interpreter::LaunchReport> launch(const interpreter::RunRequest& request, const CheckOptions& options,
                                                  DiagnosticSink& sink, CodeCoverage* coverage = nullptr,
                                                  NotLookedFor* missed = nullptr) const;
  /// chosen_schedule() of a launch.
  std::uint64_t schedule_of(const interpreter::RunRequest& request, const CheckOptions& options) const;
  bool needs_all_storages() const { return plain_->needs_all_storages(); }
  const ir::Op& function() const { return plain_->function(); }

 private:
  struct Stepped;
  class Attempt;
  CheckedKernel(const ir::Module& module, const ir::Op& function, const TargetProfile& profile);
  /// The kernel with steps for these checkers (bits as in CheckOptions), and for coverage. Null: diagnosed.
  const Stepped* stepped(std::uint32_t checkers, bool covers, DiagnosticSink& sink) const;

  const ir::Module& module_;
  const ir::Op& function_;
  TargetProfile profile_;
  std::unique_ptr<const interpreter::PreparedKernel> plain_;
  std::vector<std::unique_ptr<const Checker>> prototypes_;  // one a row
  mutable NeedsCache needs_;
  mutable CheckBudget budget_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::uint32_t, bool>, std::unique_ptr<const Stepped>> stepped_;
};

/// Makes and launches. nullopt: diagnosed in `sink`.
std::optional<interpreter::LaunchReport> launch_checked(const interpreter::LaunchRequest& request,
                                                        const CheckOptions& options, DiagnosticSink& sink,
                                                        CodeCoverage* coverage = nullptr,
                                                        NotLookedFor* missed = nullptr);

}  // namespace lockstep::sanitizer
