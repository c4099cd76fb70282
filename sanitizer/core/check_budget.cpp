#include "sanitizer/core/check_budget.h"

#include <algorithm>
#include <thread>

#include "interpreter/access/access_lanes.h"
#include "ir/op_def.h"
#include "sanitizer/lint/op_counts.h"

namespace lockstep::sanitizer {

namespace {

/// A launch is examined if that takes less than kCheap seconds, or less than twice the plain launch.
constexpr double kCheap = 0.2, kTimesPlain = 2;
/// A kernel's first launch may take longer.
constexpr double kFirstLaunch = 1;
/// Seconds that examining a kernel's launches may cost: launches of new kinds, launches like earlier ones, and for both
/// a share of the kernel's total time.
constexpr double kNewKinds = 1, kAlike = 0.01, kShare = 0.1;
/// Slowdown of steps against a plain run on one thread, where only the plain run's time is known.
constexpr double kStepsOverPlain = 30;
/// Slowdown of a plain launch that records what its programs touch.
constexpr double kRangesOverPlain = 1.3;

/// Seconds for an execution of an op, for each of its lanes, for each lane that accesses memory (steps record it), and
/// for each product of a matrix product.
struct Rates {
  double execution, lane, access, product;
};
constexpr Rates kPlain{60e-9, 0.3e-9, 0.5e-9, 0.02e-9}, kStepped{300e-9, 10e-9, 150e-9, 0.2e-9};

struct Work {
  double executions = 0, lanes = 0, accesses = 0, products = 0;
  double seconds(const Rates& rates) const {
    return executions * rates.execution + lanes * rates.lane + accesses * rates.access + products * rates.product;
  }
};

double lanes_of(const ir::Op& op) {
  std::int64_t most = 1;
  for (const ir::Value* operand : op.operands()) most = std::max(most, operand->type().element_count());
  for (std::size_t i = 0; i < op.result_count(); ++i) most = std::max(most, op.result(i)->type().element_count());
  return static_cast<double>(most);
}

double products_of(const ir::Op& op) {
  if (op.def().defined_if != ir::Definedness::row_by_column || op.result_count() == 0) return 0;
  const auto shape = op.operand(0)->type().shape();
  return shape.empty() ? 0
                       : static_cast<double>(op.result()->type().element_count()) * static_cast<double>(shape.back());
}

}  // namespace

LaunchEstimate estimate_launch(const LaunchContext& context) {
  LaunchEstimate made;
  Work work;
  for_each_count(context, [&](const ir::Op& op, const OpCount& count) {
    const auto times = static_cast<double>(count.times);
    made.is_exact &= count.is_exact;
    work.executions += times;
    work.lanes += times * lanes_of(op);
    work.products += times * products_of(op);
    if (interpreter::touches_memory(op)) work.accesses += times * lanes_of(op);
  });
  const auto programs = static_cast<double>(context.request.programs());
  const unsigned given = context.request.threads;
  const double threads = given != 0 ? given : std::max(1u, std::thread::hardware_concurrency());
  made.stepped = work.seconds(kStepped);
  made.plain = work.seconds(kPlain) / std::clamp(programs, 1.0, threads);
  return made;
}

double CheckBudget::modelled(const Kind& kind, Look look) const {
  switch (look) {
    case Look::text: return kind.estimate.plain;
    case Look::ranges: return kind.estimate.plain * kRangesOverPlain + kind.copy_seconds;
    case Look::steps: return kind.estimate.stepped + kind.copy_seconds;
  }
  return 0;
}

/// Uses the time of launches like it; else the estimate from the text, scaled by how it compared with the kernel's
/// other launches.
double CheckBudget::expected(const Kind& kind, Look look) const {
  const auto i = static_cast<std::size_t>(look);
  if (kind.seconds[i] >= 0) return kind.seconds[i];
  const double known = modelled(kind, look);
  return modelled_[i] > 0 ? known * measured_[i] / modelled_[i] : known;
}

/// What looking costs of a launch: at least what passed around its programs, however long a plain launch once took while
/// the machine was busy. A guessed plain time buys nothing.
double CheckBudget::extra(const Kind& kind, double seconds, double around) {
  return std::max(around, seconds - std::max(0.0, kind.seconds[0]));
}

double CheckBudget::limit(double plain, double seconds_left) const {
  const double most = std::max(has_looked_ ? kCheap : kFirstLaunch, kTimesPlain * plain);
  return seconds_left > 0 ? std::min(most, seconds_left / 4) : most;
}

bool CheckBudget::may_spend(const Kind& kind, double extra) const {
  const bool is_new = kind.seconds[1] < 0 && kind.seconds[2] < 0;
  return spent_ + extra <= (is_new ? kNewKinds : kAlike) + kShare * total_;
}

bool CheckBudget::may_step_later(const Kind& kind, const Wanted& wanted) const {
  const double plain = kind.seconds[0];
  if (plain >= 0 && plain * kStepsOverPlain > limit(plain, wanted.seconds_left)) return false;
  return !has_looked_ || kind.has_findings || wanted.is_one_of_many || may_spend(kind, 0);
}

CheckBudget::Decision CheckBudget::decide(const LaunchKey& key, const Wanted& wanted,
                                          const std::function<LaunchEstimate()>& estimate) {
  const std::lock_guard lock(mutex_);
  auto found = kinds_.find(key);
  if (found == kinds_.end()) {
    if (kinds_.size() >= kMostKinds) kinds_.clear();
    found = kinds_.emplace(key, Kind{}).first;
    found->second.estimate = estimate();
    found->second.copy_seconds = wanted.copy_seconds;
  }
  const Kind& kind = found->second;
  const bool knows_steps = kind.estimate.is_exact || kind.seconds[2] >= 0;
  Decision made;
  made.steps_later = wanted.steps && !knows_steps && may_step_later(kind, wanted);
  for (const Look look : {Look::steps, Look::ranges}) {
    if (!(look == Look::steps ? wanted.steps && knows_steps : wanted.ranges)) continue;
    const double cost = expected(kind, look);
    if (cost > limit(expected(kind, Look::text), wanted.seconds_left)) continue;
    made.look = look;
    if (!has_looked_ || kind.has_findings || wanted.is_one_of_many) return made;
    if (may_spend(kind, extra(kind, cost, kind.around[static_cast<std::size_t>(look)]))) return made;
  }
  made.look = Look::text;
  return made;
}

bool CheckBudget::may_step_again(const LaunchKey& key, double first_seconds, double seconds_left) const {
  const std::lock_guard lock(mutex_);
  const auto found = kinds_.find(key);
  if (found == kinds_.end()) return false;
  const Kind& kind = found->second;
  const bool knows_steps = kind.estimate.is_exact || kind.seconds[2] >= 0;
  const double cost = knows_steps ? expected(kind, Look::steps) : first_seconds * kStepsOverPlain;
  return cost <= limit(knows_steps ? expected(kind, Look::text) : first_seconds, seconds_left);
}

void CheckBudget::note(const LaunchKey& key, Look look, const Spent& spent, bool has_findings) {
  const std::lock_guard lock(mutex_);
  const auto found = kinds_.find(key);
  if (found == kinds_.end()) return;
  Kind& kind = found->second;
  const auto i = static_cast<std::size_t>(look);
  const double seconds = spent.seconds, around = std::max(0.0, seconds - spent.programs);
  const bool is_first = kind.seconds[i] < 0;
  total_ += seconds;
  measured_[i] += seconds;
  modelled_[i] += modelled(kind, look);
  if (look == Look::text) {
    if (kind.seconds[0] < 0) {  // what was charged was not all for looking
      const double plain = static_cast<double>(kind.charged_looks) * seconds;
      spent_ -= std::min(kind.charged, plain);
      kind.charged = 0;
      kind.charged_looks = 0;
    }
  } else {
    has_looked_ = true;
    kind.has_findings = has_findings;
    const double charge = extra(kind, seconds, around);
    spent_ += charge;
    if (kind.seconds[0] < 0) {
      kind.charged += charge;
      ++kind.charged_looks;
    }
  }
  kind.seconds[i] = is_first ? seconds : std::min(kind.seconds[i], seconds);
  kind.around[i] = is_first ? around : std::min(kind.around[i], around);
}

bool CheckBudget::was_looked_at(const LaunchKey& key, Look look) const {
  const std::lock_guard lock(mutex_);
  const auto found = kinds_.find(key);
  if (found == kinds_.end()) return false;
  for (std::size_t i = static_cast<std::size_t>(look); i < kLooks; ++i) {
    if (found->second.seconds[i] >= 0 && i != 0) return true;
  }
  return false;
}

}  // namespace lockstep::sanitizer
