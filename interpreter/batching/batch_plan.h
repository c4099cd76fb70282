// Batch plan: the plan of a rewritten function (batch_rewrite.h), made by the ordinary PlanBuilder, with steps of its
// own between those of the ops: demands (all programs agree on a scalar), guards (an address or mask is not dense,
// which would be slower than programs one by one) and orders (stores of several ops leave memory as programs in order
// would). Invariant: if one of them does not hold, the batch ends before a wrong effect can stay.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "interpreter/batching/batch_rewrite.h"
#include "interpreter/plan/plan.h"
#include "support/target_profile.h"

namespace lockstep::interpreter {

struct BatchPlan {
  std::unique_ptr<BatchFunction> function;
  std::unique_ptr<const Plan> plan;
  std::vector<Slot> kept;  // of the plan, for BatchFunction::kept
};

/// Null if the function cannot be rewritten or planned.
std::unique_ptr<const BatchPlan> plan_batch(const ir::Op& function, const BatchAnalysis& analysis,
                                            std::uint32_t programs, const TargetProfile& profile, const Tuning& tuning);

/// True for guards and orders: they read their operands, write nothing, and may end the batch. No store may move before
/// one.
bool is_batch_check(StepFunction run);

/// The batch plans of one kernel, by size, made on a launch's first demand. Any thread.
class BatchPlans {
 public:
  /// Once, before the first launch.
  void prepare(const ir::Op& function, const TargetProfile& profile, const Tuning& tuning) {
    prepare(analyse_for_batch(function), profile, tuning);
  }
  void prepare(BatchAnalysis analysis, const TargetProfile& profile, const Tuning& tuning);
  /// The plan for rows of `programs` programs along x, at most `most` of them in a batch; null: they run one by one.
  /// `function`: as given to prepare.
  const BatchPlan* plan_for(const ir::Op& function, std::int64_t programs, std::int64_t most) const;

 private:
  static constexpr std::size_t kSizes = 11;  // 1, 2, 4, ... 1024
  struct Entry {
    bool is_tried = false;
    std::unique_ptr<const BatchPlan> made;
  };

  TargetProfile profile_;
  Tuning tuning_;
  BatchAnalysis analysis_;
  std::uint32_t most_ = 0;
  mutable std::mutex mutex_;
  mutable std::array<Entry, kSizes> plans_;
};

}  // namespace lockstep::interpreter
