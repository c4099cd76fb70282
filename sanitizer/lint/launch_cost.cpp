#include "sanitizer/lint/launch_cost.h"

#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/op_kinds.h"
#include "sanitizer/core/lone_run.h"

namespace lockstep::sanitizer {

std::unique_ptr<const LaunchCost> LaunchCost::count(const LaunchContext& context) {
  std::unique_ptr<LaunchCost> made(new LaunchCost(context));
  const auto report = run_alone(*made, context, true);
  return report && report->outcome == interpreter::Outcome::completed ? std::move(made) : nullptr;
}

Checker::Requirements LaunchCost::needs(const LaunchContext&) const {
  Requirements needs;
  needs.steps = true;
  return needs;
}

Checker::Interest LaunchCost::wish(const ir::Op& op) const { return {!ir::is_control_flow(op), false}; }

void LaunchCost::before(Execution& run) {
  const auto [place, is_new] = places_.try_emplace(&run.op(), ops_.size());
  if (is_new) ops_.push_back({&run.op(), 0, {}, {}});
  Op& op = ops_[place->second];
  ++op.executions;
  if (interpreter::touches_memory(run.op())) {
    const std::vector<ByteRun> runs = runs_of(run.lanes());
    sanitizer::count(op.traffic, run, runs);
    roofline_.count_access(runs);
  } else if (is_arithmetic(run.op()) && !run.is_once()) {
    const Flops flops = flops_of(run);
    op.flops += flops;
    roofline_.count_arithmetic(flops);
  }
}

}  // namespace lockstep::sanitizer
