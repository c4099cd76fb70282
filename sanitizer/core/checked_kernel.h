// CheckedKernel: a kernel that is ready to run, with or without checkers. A launch that no checker needs anything from
// is a plain launch and costs the same. The results have the same bytes with and without checkers. Invariant: several
// threads may launch it at once, on address spaces of their own. It keeps references into the module, which must
// outlive it.
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

  /// As PreparedKernel::launch; the report also has the checkers' findings. `coverage`: the launch adds its coverage of
  /// the kernel; null: none requested, at no cost. `missed`: which checkers did not examine this launch; the report's
  /// ChecksRun::asked has the others.
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
  bool places_are_fixed() const;

  const ir::Module& module_;
  const ir::Op& function_;
  TargetProfile profile_;
  std::unique_ptr<const interpreter::PreparedKernel> plain_;
  std::vector<std::unique_ptr<const Checker>> prototypes_;  // one a row
  mutable NeedsCache needs_;
  mutable CheckBudget budget_;
  mutable std::once_flag places_known_;
  mutable bool places_are_fixed_ = false;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::uint32_t, bool>, std::unique_ptr<const Stepped>> stepped_;
};

/// Prepares a kernel and launches it. nullopt: diagnosed in `sink`.
std::optional<interpreter::LaunchReport> launch_checked(const interpreter::LaunchRequest& request,
                                                        const CheckOptions& options, DiagnosticSink& sink,
                                                        CodeCoverage* coverage = nullptr,
                                                        NotLookedFor* missed = nullptr);

}  // namespace lockstep::sanitizer
