#include "sanitizer/triage/error_origin.h"

#include <algorithm>
#include <cmath>

#include "interpreter/access/access_lanes.h"
#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/core/lone_run.h"
#include "sanitizer/numeric/exact_math.h"

namespace lockstep::sanitizer {

using interpreter::TouchKind;

namespace {

constexpr std::size_t kMaxPrograms = 64;  // that add to one element
constexpr int kMinBits = 8;               // that cancel, to count as the origin
bool stores(const Execution& run) { return run.op().def().effects != ir::Effects::read; }

}  // namespace

ErrorOrigin::ErrorOrigin(const LaunchContext& context, const StorageBytes& before, std::uint64_t address)
    : context_(context), before_(before), address_(address) {}
ErrorOrigin::~ErrorOrigin() = default;

Checker::Requirements ErrorOrigin::needs(const LaunchContext&) const {
  Requirements needs;
  needs.steps = true;
  return needs;
}

Checker::Interest ErrorOrigin::wish(const ir::Op& op) const {
  if (ir::is_control_flow(op)) return {};
  if (interpreter::touches_memory(op)) return {true, false};
  if (pass_ == Pass::find_stores || op.def().effects != ir::Effects::pure || op.operand_count() == 0) return {};
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (is_float_value(*op.result(i))) return {true, true};
  }
  return {};
}

std::optional<Origin> ErrorOrigin::trace(double got) {
  if (!run_pass(Pass::find_stores)) return std::nullopt;
  if (programs_.empty()) return origin_;
  if (!run_pass(Pass::trace)) return std::nullopt;
  if (!element_ || has_more_programs_) return origin_;
  origin_.exact = element_->exact;
  wanted_ = element_->blame;
  if (wanted_.execution == 0) return origin_;
  origin_.cancelled_bits = wanted_.bits;
  rounding_ = executed_[wanted_.execution - 1];
  if (!run_pass(Pass::capture)) return std::nullopt;
  const double whole = got - *origin_.exact;
  if (element_ && wanted_.bits == 0 && whole != 0) {
    const double share = (element_->exact - *origin_.exact) / whole;
    if (std::isfinite(share)) origin_.share = share;
  }
  return origin_;
}

bool ErrorOrigin::run_pass(Pass pass) {
  pass_ = pass;
  execution_ = 0;
  executed_.clear();
  times_.clear();
  memory_.clear();
  element_.reset();
  before_.put_back();
  const auto report = run_alone(*this, context_, false);
  return report && report->outcome == interpreter::Outcome::completed;
}

bool ErrorOrigin::is_traced(Execution& run) const { return run.is_once() || programs_.contains(run.program()); }

void ErrorOrigin::before(Execution& run) {
  const ir::Op& op = run.op();
  if (interpreter::touches_memory(op)) {
    if (pass_ == Pass::find_stores) return find_store(run);
    return look_at_access(run);
  }
  coming_.clear();
  operands_.clear();
  if (!is_traced(run)) return;
  for (const ir::Value* operand : op.operands()) operands_.emplace_back(run, *operand);
  const ComingLanes lanes(op, operands_);
  for (std::size_t r = 0; r < op.result_count(); ++r) coming_.push_back(lanes.result(r));
}

void ErrorOrigin::after(Execution& run) {
  const ir::Op& op = run.op();
  if (interpreter::touches_memory(op)) return;
  if (is_traced(run)) {
    ++execution_;
    executed_.push_back(&op);
    if (pass_ == Pass::capture && &op == rounding_) ++times_[{&op, run.program()}];
  }
  for (std::size_t r = 0; r < op.result_count(); ++r) {
    run.state(*op.result(r)) = nullptr;
    if (r >= coming_.size() || coming_[r].empty()) {
      origin_.is_partial |= std::any_of(operands_.begin(), operands_.end(),
                                        [](const TracedOperand& operand) { return operand.is_off(); });
      continue;
    }
    auto trace = std::make_shared<FloatTrace>();
    trace->lanes.reserve(coming_[r].size());
    for (std::size_t i = 0; i < coming_[r].size(); ++i) {
      const auto lane = static_cast<std::int64_t>(i);
      trace->lanes.push_back(finish_lane(run, coming_[r][i], lane, run.number(*op.result(r), lane)));
    }
    origin_.lanes += coming_[r].size();
    run.state(*op.result(r)) = std::move(trace);
  }
}

TracedNumber ErrorOrigin::finish_lane(Execution& run, const ComingLane& lane, std::int64_t number, double value) {
  TracedNumber made = lane.settled(value, {execution_, static_cast<std::uint32_t>(number), 0}, kMinBits);
  if (pass_ != Pass::capture) return made;
  if (execution_ == wanted_.execution && static_cast<std::uint32_t>(number) == wanted_.lane)
    capture(run, lane, number, value);
  const double rounding = value - lane.from_actual;
  if (&run.op() == rounding_ && std::isfinite(rounding)) made.exact += rounding;
  return made;
}

void ErrorOrigin::capture(Execution& run, const ComingLane& lane, std::int64_t number, double value) {
  const ir::Op& op = run.op();
  const ComingLanes lanes(op, operands_);
  const double right = wanted_.bits > 0 ? lane.from_exact : lane.from_actual;
  Finding finding =
      run.finding(FindingCode::LS608, lanes.text(number) + " = " + digits(value) + " where " + digits(right) + " is right");
  if (op.result()->type().is_tensor()) finding.lane = position_of(number, op.result()->type().shape());
  const ScalarKind kind = run.kind(*op.result());
  origin_.is_small = kind != ScalarKind::f32 && kind != ScalarKind::f64;
  origin_.is_tf32 = ir::is_matrix_product(op) && op.integer_attribute("inputPrecision", 2) == 0 &&
                    run.kind(*op.operand(0)) == ScalarKind::f32;
  origin_.birth = std::move(finding);
  origin_.birth_at = run.is_once() ? OpExecution{&op, origin_.store_at.program, 1}
                                   : OpExecution{&op, run.program(), times_[{&op, run.program()}]};
}

void ErrorOrigin::find_store(Execution& run) {
  if (!stores(run)) return;
  const std::uint64_t times = ++times_[{&run.op(), run.program()}];
  if (run.lanes().active() == 0) return;
  bool is_hit = false;
  run.lanes().for_each_run([&](std::uint64_t address, std::int64_t bytes) {
    is_hit |= address_ >= address && address_ < address + static_cast<std::uint64_t>(bytes);
  });
  if (!is_hit) return;
  if (programs_.size() < kMaxPrograms || programs_.contains(run.program())) {
    programs_.insert(run.program());
  } else {
    has_more_programs_ = true;
  }
  Finding store = run.finding(FindingCode::LS608, "");
  if (!run.lanes().shape().empty()) {
    for (std::int64_t i = 0; i < run.lanes().count(); ++i) {
      if (run.lanes().is_on(i) && run.lanes().address(i) == address_) store.lane = position_of(i, run.lanes().shape());
    }
  }
  origin_.store = std::move(store);
  origin_.store_at = {&run.op(), run.program(), times};
}

void ErrorOrigin::look_at_access(Execution& run) {
  const ir::Op& op = run.op();
  for (std::size_t i = 0; i < op.result_count(); ++i) run.state(*op.result(i)) = nullptr;
  if (!is_traced(run)) return;
  if (run.lanes().kind() == TouchKind::load) {
    if (op.result_count() == 1) run.state(*op.result()) = memory_.load(run);
    return;
  }
  memory_.store(run, [&](std::int64_t, std::uint64_t address, const std::optional<TracedNumber>& number) {
    if (address == address_) element_ = number;
  });
}

}  // namespace lockstep::sanitizer
