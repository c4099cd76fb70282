// Where a NaN or an infinity is born and where it goes (LS601, LS602, LS603). The launch first runs as usual. Only if
// one of its float outputs then holds a NaN or an infinity does it run again with steps, which find the origins and
// follow them to memory, to an address or to a branch. A value that goes nowhere (a lane that is masked off, the side
// of a tl.where that is not taken) is not reported.
#include <algorithm>
#include <cmath>

#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/memory/value_ranges.h"
#include "sanitizer/numeric/exact_math.h"
#include "sanitizer/numeric/float_births.h"
#include "sanitizer/numeric/float_scan.h"

namespace lockstep::sanitizer {

using ir::Opcode;

struct FloatChecker::Known {
  explicit Known(const LaunchContext& context) {
    for_each_op(context.module, context.function, [&](const ir::Op& op) {
      if (!may_give_birth(op)) return;
      has_births = true;
      flow.seed(op);
    });
    flow.close();
  }
  MarkFlow flow;
  bool has_births = false;
};

FloatChecker::FloatChecker() = default;
FloatChecker::~FloatChecker() = default;

Checker::Requirements FloatChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  const std::lock_guard lock(mutex_);
  if (known_ == nullptr) known_ = std::make_unique<Known>(context);
  if (!known_->has_births) return needs;
  needs.touches = interpreter::AccessTracking::writes;
  needs.may_suspect = true;
  return needs;
}

Checker::Interest FloatChecker::wish(const ir::Op& op) const {
  if (known_ == nullptr) return {};
  const bool is_born = may_give_birth(op);
  const bool is_flow = known_->flow.contains(op);
  const bool is_filtered = op.result_count() != 0 && is_float_value(*op.result()) && !ir::is_control_flow(op);
  return {is_born || is_flow, (is_born || is_flow) && is_filtered};
}

void FloatChecker::before(Execution& run) {
  is_stepped_ = true;
  const ir::Op& op = run.op();
  if (is_end(op)) {
    for (const MarkEnd& end : find_ends(run, false)) faults_.reach(run, end);
  }
  if (ir::is_control_flow(op)) return;
  carry_marks(run);
  if (may_give_birth(op)) operands_.emplace(run);
}

void FloatChecker::after(Execution& run) {
  const ir::Op& op = run.op();
  const ir::Value& result = *op.result();
  if (const auto* marks = run.state_as<TaintSet>(result)) {
    // Only values that are still NaN or infinite carry the mark on.
    auto kept = std::make_shared<TaintSet>(*marks);
    bool any = false;
    for (std::size_t i = 0; i < kept->lanes.size(); ++i) {
      if (kept->lanes[i] != 0 && std::isfinite(run.number(result, static_cast<std::int64_t>(i)))) kept->lanes[i] = 0;
      any |= kept->lanes[i] != 0;
    }
    run.state(result) = any ? std::move(kept) : nullptr;
  }
  if (!may_give_birth(op) || !operands_) return;
  for (const FloatBirth& birth : operands_->births(run)) {
    Finding finding = run.finding(birth.code, birth.message);
    finding.lane = position_of(birth.lanes.front(), run.shape(result));
    add_marks(run, result, birth.lanes, faults_.note(run, std::move(finding)));
  }
  operands_.reset();
}

bool FloatChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  if (is_stepped_ || report.outcome != interpreter::Outcome::completed) return true;
  FloatScan scan;
  for (const interpreter::Argument& argument : context.request.arguments) {
    if (argument.kind == interpreter::Argument::Kind::scalar) continue;
    scan.add_written(context.request.memory->view(argument.view), report.touched.get());
  }
  return !scan.finds_special(report.threads);
}

}  // namespace lockstep::sanitizer
