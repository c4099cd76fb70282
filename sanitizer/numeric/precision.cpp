// Digits that a kernel loses silently: sums in f16 or bf16 (LS604), products of f32 in tf32 (LS605), operators that
// round an operand to f16 or bf16 for the other one's sake (LS606), and differences a - b * b in which what is left was
// rounding (LS607, the variance as E[x^2] - E[x]^2). All warnings, with what was measured against f64. Kernels without
// such an op have no steps.
#include <algorithm>
#include <cmath>

#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/numeric/float_births.h"
#include "sanitizer/numeric/precision.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

using ir::Opcode;

namespace {

constexpr double kMaxUlps = 2;         // of a sum; one rounding is half of one
constexpr int kMinLostBits = 12;       // of a difference
constexpr double kMaxError = 0x1p-10;  // relative, of a difference

}  // namespace

PrecisionChecker::PrecisionChecker() = default;
PrecisionChecker::~PrecisionChecker() = default;

Checker::Requirements PrecisionChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  const std::lock_guard lock(mutex_);
  if (ops_ == nullptr) ops_ = std::make_unique<PrecisionOps>(context.module, context.function);
  needs.steps = !ops_->sums.empty() || !ops_->casts.empty() || !ops_->differences.empty();
  if (!ops_->products.empty()) needs.touches = interpreter::AccessTracking::writes;
  return needs;
}

Checker::Interest PrecisionChecker::wish(const ir::Op& op) const {
  if (ops_ == nullptr || ir::is_control_flow(op)) return {};
  const bool is_sum = ops_->sums.contains(&op), is_difference = ops_->differences.contains(&op);
  return {is_sum || is_difference || ops_->casts.contains(&op) || ops_->shadowed.contains(&op),
          is_sum || is_difference};
}

void PrecisionChecker::begin(const LaunchContext& context) {
  ops_ = std::make_unique<PrecisionOps>(context.module, context.function);
}

void PrecisionChecker::before(Execution& run) {
  const ir::Op& op = run.op();
  if (op.result_count() == 0 || op.operand_count() == 0) return;
  if (op.def().effects == ir::Effects::pure) {
    carry_shadow(run);
  } else {
    run.state(*op.result()) = nullptr;
  }
  if (ops_->casts.contains(&op)) look_at_cast(run);
  if (!ops_->sums.contains(&op) && !ops_->differences.contains(&op)) return;
  operands_.clear();
  for (const ir::Value* operand : op.operands()) operands_.push_back(TracedOperand(run, *operand).actual);
}

void PrecisionChecker::after(Execution& run) {
  if (ops_->sums.contains(&run.op())) look_at_sum(run);
  if (ops_->differences.contains(&run.op())) look_at_difference(run);
}

/// The largest addend of a reduction: a small sum of large numbers is not judged by its own unit. nullopt: not a
/// reduction.
std::optional<double> PrecisionChecker::largest_addend() const {
  if (operands_.size() != 1) return std::nullopt;
  double largest = 0;
  for (const double addend : operands_[0]) largest = std::max(largest, std::isfinite(addend) ? std::abs(addend) : 0.0);
  return largest;
}

void PrecisionChecker::look_at_sum(Execution& run) {
  const auto* exact = run.state_as<FloatTrace>(*run.op().result());
  if (exact == nullptr) return;
  const ScalarKind kind = run.kind(*run.op().result());
  Sum& sum = sums_[&run.op()];
  if (!sum.is_open || sum.program != run.program()) close(sum);
  sum.is_open = true;
  sum.program = run.program();
  double worst = 0;
  const std::vector<double> values = run.numbers(*run.op().result());
  const auto largest = largest_addend();
  for (std::size_t i = 0; i < exact->lanes.size(); ++i) {
    const double value = values[i], right = exact->lanes[i].exact;
    if (!std::isfinite(value) || !std::isfinite(right) || value == right) continue;
    double ulps = ulps_between(kind, value, right);
    if (largest) ulps = std::min(ulps, ulps_between(kind, *largest + std::abs(value - right), *largest));
    if (ulps <= worst) continue;
    worst = ulps;
    if (ulps <= kMaxUlps) continue;
    Finding finding = run.finding(
        FindingCode::LS604,
        "sum in " + std::string(spelling(kind)) + ": " + number_text(value) + " where " + number_text(right) +
            " is right, " + number_text(std::round(ulps)) + " ulp" +
            (right == 0 ? std::string() : ", relative error " + power_text(std::abs(value - right) / std::abs(right))));
    finding.lane = position_of(static_cast<std::int64_t>(i), run.op().result()->type().shape());
    finding.hint = "sum in f32: use .to(tl.float32) before, or a tl.float32 accumulator in a loop";
    sum.now = std::move(finding);
  }
  sum.ulps_now = worst;
}

/// A loop's sum counts with its value at the end of the program.
void PrecisionChecker::close(Sum& sum) {
  if (sum.is_open && sum.ulps_now > kMaxUlps && sum.ulps_now > sum.ulps) {
    sum.ulps = sum.ulps_now;
    sum.worst = sum.now;
  }
  sum.is_open = false;
}

void PrecisionChecker::look_at_cast(Execution& run) {
  const ir::Op& op = run.op();
  const ScalarKind to = *op.result()->type().element().scalar_kind(), from = run.kind(*op.operand(0));
  const std::int64_t count = run.count(*op.operand(0));
  const std::vector<double> numbers = is_float(from) ? run.numbers(*op.operand(0)) : std::vector<double>();
  std::optional<Finding> finding;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value =
        is_float(from) ? numbers[static_cast<std::size_t>(i)] : static_cast<double>(run.integer(*op.operand(0), i));
    const double rounded = decode_float(to, encode_float(to, value));
    if (!std::isfinite(value) || rounded == value) continue;
    if (finding) {
      ++finding->count;
      continue;
    }
    finding = run.finding(FindingCode::LS606, "implicit cast " + std::string(spelling(from)) + " -> " +
                                       std::string(spelling(to)) + ": " + number_text(value) + " becomes " +
                                       number_text(rounded));
    finding->lane = position_of(i, run.shape(*op.operand(0)));
    finding->hint = "the operator takes its type from the other operand: convert that one with .to(tl.float32)";
  }
  if (finding) run.report(std::move(*finding));
}

void PrecisionChecker::look_at_difference(Execution& run) {
  const auto* exact = run.state_as<FloatTrace>(*run.op().result());
  if (exact == nullptr || operands_.size() != 2) return;
  std::optional<Finding> finding;
  for (std::size_t i = 0; i < exact->lanes.size(); ++i) {
    const double right = exact->lanes[i].exact, value = run.number(*run.op().result(), static_cast<std::int64_t>(i));
    const double largest = std::max(std::abs(operands_[0][i]), std::abs(operands_[1][i]));
    if (!std::isfinite(value) || !std::isfinite(right) || !(largest > 0) || value == right) continue;
    const double left = std::max(std::abs(right), std::ldexp(largest, -40));
    const double lost = std::log2(largest / left);
    if (lost < kMinLostBits || std::abs(value - right) / left <= kMaxError) continue;
    if (finding) {
      ++finding->count;
      continue;
    }
    finding =
        run.finding(FindingCode::LS607, "cancellation: " + std::to_string(static_cast<int>(lost)) + " bits lost, " +
                                 number_text(operands_[0][i]) + " - " + number_text(operands_[1][i]) + " = " +
                                 number_text(value) + " where " + number_text(right) + " is right");
    finding->lane = position_of(static_cast<std::int64_t>(i), run.op().result()->type().shape());
    finding->hint = "subtract the mean first and sum the squares of what is left";
  }
  if (finding) run.report(std::move(*finding));
}

bool PrecisionChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  for (auto& [op, sum] : sums_) {
    close(sum);
    if (sum.worst) report.findings.add(std::move(*sum.worst));
  }
  for (Finding& finding : rounded_products(context, ops_->products)) report.findings.add(std::move(finding));
  return true;
}

}  // namespace lockstep::sanitizer
