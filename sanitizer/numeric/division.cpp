// Integer operations without a result: division and remainder by zero (LS503), shifts by the width of the type or more
// (LS504), the lowest number divided by -1 and floats that no integer of the type holds (LS505). What comes of them is
// followed: where it reaches memory, an address or a branch it is an error, else a warning for scalars and silent for
// lanes of tiles. Launches whose ranges show
// that none can happen have no steps.
#include <algorithm>
#include <cmath>

#include "interpreter/batching/effects.h"
#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/lanes/lane_values.h"
#include "sanitizer/numeric/float_births.h"
#include "sanitizer/undef/lane_taint.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

namespace {

bool is_integer_division(const ir::Op& op) {
  return ir::is_division(op.def().arithmetic) && op.def().numbers != ir::Numbers::floats;
}

/// The floats whose integer part the kind holds lie strictly between these.
NumberRange convertible(const ir::Op& op) {
  const ScalarKind kind = op.result()->type().element().scalar_kind().value_or(ScalarKind::i64);
  const int width = bit_width(kind);
  if (op.def().numbers == ir::Numbers::without_sign) return {-1, std::ldexp(1.0, width), false};
  return {-std::ldexp(1.0, width - 1) - 1, std::ldexp(1.0, width - 1), false};
}

/// The same for doubles, where -2^63 - 1 does not exist.
bool is_convertible(const NumberRange& range, double value) {
  return value > range.low ? value < range.high : value == range.low && value == -0x1p63;
}

bool may_fail(const ir::Op& op, const ValueRanges& ranges) {
  if (ir::converts_to_integer(op)) {
    const NumberRange given = ranges.number(*op.operand(0)), admitted = convertible(op);
    return given.may_be_nan || !is_convertible(admitted, given.low) || !is_convertible(admitted, given.high);
  }
  const Range by = ranges.of(*op.operand(1));
  const ScalarKind kind = op.result()->type().element().scalar_kind().value_or(ScalarKind::i64);
  if (ir::is_shift(op)) return by.low < 0 || by.high >= bit_width(kind);
  if (by.contains(0)) return true;
  return op.def().numbers == ir::Numbers::with_sign && by.contains(-1) &&
         ranges.of(*op.operand(0)).contains(full_range(kind).low);
}

/// Lanes of one execution without a result, all with one code.
struct Failure {
  FindingCode code = FindingCode::none;
  std::string message;
  std::vector<std::int64_t> lanes;
};

void note_lane(std::vector<Failure>& failures, FindingCode code, std::int64_t lane, std::string message) {
  for (Failure& known : failures) {
    if (known.code == code) return known.lanes.push_back(lane);
  }
  failures.push_back({code, std::move(message), {lane}});
}

std::vector<Failure> failed_divisions(Execution& run) {
  std::vector<Failure> failures;
  const ir::Op& op = run.op();
  const bool is_signed = op.def().numbers == ir::Numbers::with_sign;
  const auto quick = quick_range(run, *op.operand(1));
  if (quick && !quick->contains(0) && !(is_signed && quick->contains(-1))) return failures;
  const std::vector<std::int64_t> divisors = read_integers(run, *op.operand(1));
  const std::int64_t lowest = interpreter::lowest_of(run.kind(*op.operand(0)));
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    if (divisors[i] != 0 && (divisors[i] != -1 || !is_signed)) continue;
    const auto lane = static_cast<std::int64_t>(i);
    const std::int64_t dividend = run.integer(*op.operand(0), lane);
    if (divisors[i] == 0) {
      note_lane(failures, FindingCode::LS503, lane, "integer division by zero: " + std::to_string(dividend) + " by 0");
    } else if (dividend == lowest) {
      note_lane(failures, FindingCode::LS505, lane, "division without a result: " + std::to_string(dividend) + " by -1");
    }
  }
  return failures;
}

std::vector<Failure> failed_shifts(Execution& run) {
  std::vector<Failure> failures;
  const ir::Op& op = run.op();
  const ScalarKind kind = run.kind(*op.operand(0));
  const Range admitted{0, bit_width(kind) - 1};
  const auto quick = quick_range(run, *op.operand(1));
  if (quick && quick->is_within(admitted)) return failures;
  const std::vector<std::int64_t> amounts = read_integers(run, *op.operand(1));
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (admitted.contains(amounts[i])) continue;
    note_lane(failures, FindingCode::LS504, static_cast<std::int64_t>(i),
              "shift by " + std::to_string(amounts[i]) + " of " + std::string(spelling(kind)));
  }
  return failures;
}

std::vector<Failure> failed_conversions(Execution& run) {
  std::vector<Failure> failures;
  const ir::Op& op = run.op();
  const NumberRange admitted = convertible(op);
  const std::string target(spelling(*op.result()->type().element().scalar_kind()));
  const std::int64_t count = run.count(*op.operand(0));
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = run.number(*op.operand(0), i);
    if (is_convertible(admitted, value)) continue;
    note_lane(failures, FindingCode::LS505, i, "conversion without a result: " + number_text(value) + " -> " + target);
  }
  return failures;
}

}  // namespace

struct UndefinedChecker::Known {
  Known(const UndefinedChecker& checker, const LaunchContext& context) : effects(context.effects) {
    for_each_op(context.module, context.function, [&](const ir::Op& op) {
      if (!checker.looks_at(op)) return;
      candidates.push_back(&op);
      flow.seed(op);
    });
    flow.close();
  }
  std::vector<const ir::Op*> candidates;
  MarkFlow flow;
  interpreter::MemoryEffects effects;
};

UndefinedChecker::UndefinedChecker() = default;
UndefinedChecker::~UndefinedChecker() = default;

bool DivisionChecker::looks_at(const ir::Op& op) const {
  return is_integer_division(op) || ir::is_shift(op);
}
bool ConversionChecker::looks_at(const ir::Op& op) const { return ir::converts_to_integer(op); }

Checker::Requirements UndefinedChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  const std::lock_guard lock(mutex_);
  if (known_ == nullptr) known_ = std::make_unique<Known>(*this, context);
  if (known_->candidates.empty()) return needs;
  const auto some_may_fail = [&](const ValueRanges& ranges) {
    return std::any_of(known_->candidates.begin(), known_->candidates.end(),
                       [&](const ir::Op* op) { return may_fail(*op, ranges); });
  };
  // Reads arrays only where the answer depends on them.
  if (!some_may_fail(ValueRanges(context, known_->effects, false))) return needs;
  const ValueRanges ranges(context, known_->effects);
  needs.steps = some_may_fail(ranges);
  needs.reads_memory = ranges.uses_memory();
  return needs;
}

Checker::Interest UndefinedChecker::wish(const ir::Op& op) const {
  return {looks_at(op) || (known_ != nullptr && known_->flow.contains(op)), false};
}

void UndefinedChecker::before(Execution& run) {
  const ir::Op& op = run.op();
  if (is_end(op)) {
    for (const MarkEnd& end : find_ends(run)) faults_.reach(run, end);
  }
  if (ir::is_control_flow(op)) return;
  carry_marks(run);
  if (!looks_at(op)) return;
  const std::vector<Failure> failures = ir::converts_to_integer(op) ? failed_conversions(run)
                                        : ir::is_shift(op)          ? failed_shifts(run)
                                                                    : failed_divisions(run);
  for (const Failure& failure : failures) {
    Finding finding = run.finding(failure.code, failure.message);
    finding.lane = position_of(failure.lanes.front(), run.shape(*op.operand(0)));
    finding.count = failure.lanes.size();
    add_marks(run, *op.result(), failure.lanes, faults_.note(run, std::move(finding)));
  }
}

bool UndefinedChecker::end(const LaunchContext&, interpreter::LaunchReport& report) {
  faults_.report_rest(report.findings);
  return true;
}

}  // namespace lockstep::sanitizer
