// ExactLaunch: a whole launch beside itself in f64, so that its results can be held against an expectation as they
// would be without rounding: of tf32, of small formats, of sums. Invariant: control flow, addresses and integers are
// the launch's own; what went through an op that has no shadow keeps the rounding that it has by then. Not here: which
// op rounds (error_origin.h).
#pragma once

#include "sanitizer/numeric/float_trace.h"
#include "sanitizer/triage/expectation.h"

namespace lockstep::sanitizer {

class ExactLaunch : public Checker {
 public:
  /// What follows is of one launch; `context` must outlive this.
  explicit ExactLaunch(const LaunchContext& context) : context_(context) {}

  /// Makes the launch from memory as it is, on one thread. Afterwards the elements of these views that float stores
  /// made are what f64 has, rounded once to their format. false: it did not complete, and memory is anything.
  bool run(const std::vector<Expectation>& results);

  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void before(Execution& run) override;

 private:
  void look_at_access(Execution& run);

  const LaunchContext& context_;
  TracedMemory memory_;
};

}  // namespace lockstep::sanitizer
