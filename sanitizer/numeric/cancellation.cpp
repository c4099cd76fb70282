// LS607 wherever digits cancel: every float is followed beside its f64 twin (float_trace.h), and what is stored is held
// against it. A warning where an output's largest error, over the whole launch, is more than a thousandth of its
// largest number, and sums or differences that lost 12 bits or more brought it. What rounds on purpose starts anew with
// the number that it has: casts to smaller formats, floor, ceil. So compensated sums and split operands are silent,
// because what they store is right. Not here: differences a - b * b, whatever becomes of them (precision.cpp).
#include <algorithm>
#include <cmath>

#include "interpreter/access/access_lanes.h"
#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/walk.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/numeric/float_trace.h"

namespace lockstep::sanitizer {

namespace {

constexpr int kFewestLostBits = 12;
constexpr double kMostLoss = 0x1p-10;  // of an output's largest number

bool rounds_on_purpose(const ir::Op& op) {
  const ir::Arithmetic what = op.def().arithmetic;
  return what == ir::Arithmetic::floor || what == ir::Arithmetic::ceiling || ir::narrows_float(op);
}

bool may_cancel(const ir::Op& op) {
  return ir::is_float_sum(op) || ir::is_float_difference(op) || ir::is_matrix_product(op) ||
         op.def().arithmetic == ir::Arithmetic::fused_product;
}

}  // namespace

Checker::Requirements CancellationChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  ir::walk(context.module.op(),
           [&](const ir::Op& op) { needs.steps |= may_cancel(op) && is_float_value(*op.result()); });
  return needs;
}

Checker::Interest CancellationChecker::wish(const ir::Op& op) const {
  if (ir::is_control_flow(op)) return {};
  if (interpreter::touches_memory(op)) return {true, false};
  if (op.def().effects != ir::Effects::pure || op.operand_count() == 0) return {};
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (is_float_value(*op.result(i))) return {true, true};
  }
  return {};
}

void CancellationChecker::before(Execution& run) {
  const ir::Op& op = run.op();
  if (interpreter::touches_memory(op)) return look_at_access(run);
  coming_.clear();
  operands_.clear();
  if (rounds_on_purpose(op)) return;
  for (const ir::Value* operand : op.operands()) operands_.emplace_back(run, *operand);
  const ComingLanes lanes(op, operands_);
  for (std::size_t r = 0; r < op.result_count(); ++r) coming_.push_back(lanes.result(r));
}

void CancellationChecker::after(Execution& run) {
  const ir::Op& op = run.op();
  if (interpreter::touches_memory(op)) return;
  for (std::size_t r = 0; r < op.result_count(); ++r) {
    run.state(*op.result(r)) = nullptr;
    if (r >= coming_.size() || coming_[r].empty()) continue;
    auto trace = std::make_shared<FloatTrace>();
    trace->lanes.reserve(coming_[r].size());
    for (std::size_t i = 0; i < coming_[r].size(); ++i) {
      const auto lane = static_cast<std::int64_t>(i);
      const double value = run.number(*op.result(r), lane);
      const ComingLane& coming = coming_[r][i];
      const TracedNumber number = coming.settled(value, {number_of(op), 0, 0}, kFewestLostBits);
      if (number.blame.bits != 0 && number.blame.execution == number_of(op)) note(run, coming, number, lane, value);
      trace->lanes.push_back(number);
    }
    run.state(*op.result(r)) = std::move(trace);
  }
}

std::uint32_t CancellationChecker::number_of(const ir::Op& op) {
  return numbers_.try_emplace(&op, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
}

/// Shows the op's execution that lost most.
void CancellationChecker::note(Execution& run, const ComingLane& coming, const TracedNumber& number, std::int64_t lane,
                               double value) {
  Site& site = sites_[number.blame.execution];
  const double error = std::fabs(value - number.exact);
  if (!std::isfinite(error) || error <= site.error) return;
  site.error = error;
  Finding finding = run.finding(FindingCode::LS607, "cancellation: " + std::to_string(number.blame.bits) + " bits lost, " +
                                             ComingLanes(run.op(), operands_).text(lane) + " = " + digits(value) +
                                             " where " + digits(coming.from_exact) + " is right");
  if (run.op().result()->type().is_tensor()) finding.lane = position_of(lane, run.op().result()->type().shape());
  site.finding = std::move(finding);
}

void CancellationChecker::look_at_access(Execution& run) {
  const ir::Op& op = run.op();
  for (std::size_t i = 0; i < op.result_count(); ++i) run.state(*op.result(i)) = nullptr;
  if (run.lanes().kind() == interpreter::TouchKind::load) {
    if (op.result_count() == 1) run.state(*op.result()) = memory_.load(run);
    return;
  }
  Output& output = outputs_[&op];
  output.location = run.location();
  std::optional<TracedOperand> stored;
  if (op.operand_count() > 1 && is_float_value(*op.operand(1))) stored.emplace(run, *op.operand(1));
  memory_.store(run, [&](std::int64_t lane, std::uint64_t, const std::optional<TracedNumber>& number) {
    if (!number || !stored || !std::isfinite(number->exact)) return;
    output.largest = std::max(output.largest, std::fabs(stored->exact(static_cast<std::size_t>(lane))));
    const double error =
        std::fabs(stored->actual[static_cast<std::size_t>(lane)] - stored->exact(static_cast<std::size_t>(lane)));
    if (!std::isfinite(error) || stored->number(static_cast<std::size_t>(lane)).blame.bits == 0) return;
    double& worst = output.errors[stored->number(static_cast<std::size_t>(lane)).blame.execution];
    worst = std::max(worst, error);
  });
}

bool CancellationChecker::end(const LaunchContext&, interpreter::LaunchReport& report) {
  for (const auto& [op, output] : outputs_) {
    for (const auto& [number, error] : output.errors) {
      Site& site = sites_[number];
      if (!(error > kMostLoss * output.largest) || !site.finding) continue;
      site.finding->notes.push_back(
          {"an error of " + digits(error) + " among numbers up to " + digits(output.largest) + " is stored here",
           output.location});
      site.is_stored = true;
    }
  }
  for (auto& [number, site] : sites_) {
    if (!site.is_stored) continue;
    site.finding->hint = "transform the difference so that smaller numbers are subtracted, or subtract in f64";
    report.findings.add(std::move(*site.finding));
  }
  return true;
}

}  // namespace lockstep::sanitizer
