#include "interpreter/profile/profile_advice.h"

#include <algorithm>
#include <string>

#include "interpreter/fusion/fused_group.h"
#include "interpreter/fusion/row_copy.h"
#include "interpreter/fusion/summed_products.h"
#include "interpreter/launch/machine.h"
#include "interpreter/profile/user_place.h"
#include "interpreter/scheduler/execution_mode.h"

namespace lockstep::interpreter {

namespace {

/// Roughly, against an addition.
std::uint32_t weight_of(std::string_view op) {
  if (op == "math.absf" || op == "math.absi" || op == "math.fma") return 1;
  if (op.starts_with("math.") || op == "tt.extern_elementwise") return 8;
  if (op.starts_with("arith.div") || op.starts_with("arith.rem") || op == "tt.precise_divf" || op == "tt.precise_sqrt")
    return 4;
  return op == "tt.store" ? 2 : 1;
}

void add_group(const Plan& plan, std::uint32_t index, const FusedGroup& group, std::vector<StepPart>& parts) {
  const auto add = [&](std::uint32_t site) {
    parts.push_back({index, site, weight_of(plan.sites[site].op->spelling())});
  };
  for (const Step& load : group.loads) add(load.site);
  for (const FusedGroup::FusedOp& op : group.ops) add(op.site);
  for (const FusedGroup::Store& store : group.stores) add(store.step->site);
}

}  // namespace

std::vector<StepPart> parts_of_plan(const Plan& plan) {
  std::vector<StepPart> parts = plan.parts;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    const auto index = static_cast<std::uint32_t>(i);
    if (step.run == step_fused_group) add_group(plan, index, *static_cast<const FusedGroup*>(step.record), parts);
    const auto add_both = [&](const Step& a, const Step& b) {
      for (const Step* part : {&a, &b}) parts.push_back({index, part->site, 1});
    };
    if (step.run == step_copy_rows) {
      const auto& copy = *static_cast<const RowCopy*>(step.record);
      add_both(copy.load, copy.store);
    } else if (step.run == step_sum_products) {
      const auto& joined = *static_cast<const SummedProducts*>(step.record);
      add_both(joined.product, joined.sum);
    }
  }
  std::stable_sort(parts.begin(), parts.end(), [](const StepPart& a, const StepPart& b) { return a.step < b.step; });
  return parts;
}

const TileType* fused_group_type(const Step& step) {
  return step.run == step_fused_group ? static_cast<const FusedGroup*>(step.record)->type : nullptr;
}

std::vector<ProfileAdvice> advice_on(const Launch& launch, const ExecutionMode& mode) {
  std::vector<ProfileAdvice> advice;
  if (launch.is_ordered) {
    ProfileAdvice& order = advice.emplace_back();
    order.kind = ProfileAdvice::Kind::order;
    constexpr std::string_view kOverlap = "programs touched the same memory, here or in an earlier launch";
    order.text = "programs ran one after the other: " + std::string(mode.in_order ? mode.reason : kOverlap);
  }
  const std::uint64_t failed = launch.failed_batches, whole = launch.batches;
  if (failed != 0 && launch.plan_of_batches != nullptr) {
    const Site& site = launch.plan_of_batches->sites[launch.failed_at];
    std::string library;
    ProfileAdvice& batches = advice.emplace_back();
    batches.kind = ProfileAdvice::Kind::batches;
    batches.place = user_place(site.location, library);
    batches.text = std::to_string(failed) + " of " + std::to_string(failed + whole) +
                   " batches of programs had to run one by one, the last because of this " +
                   std::string(site.op->spelling());
  }
  return advice;
}

}  // namespace lockstep::interpreter
