// Integers that are stored (or lead to an address or a branch) after they wrapped outside of address arithmetic
// (LS502), after a division that Python rounds otherwise (LS506), or as a sum over lanes that a type of 8 or 16 bits
// does not hold (LS507). All warnings: the IR's integers have no sign and hashes wrap on purpose, so arithmetic that
// meets shifts, logical ops or unsigned ones is left alone. Launches whose ranges show that none can happen have no
// steps.
#include <cstring>
#include <unordered_set>

#include "interpreter/batching/effects.h"
#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/lanes/lane_values.h"
#include "sanitizer/memory/address_chain.h"
#include "sanitizer/undef/lane_taint.h"

namespace lockstep::sanitizer {

namespace {

/// Ops typical of hashes and bit tricks: not on truth values, nor on what is extended from them.
bool reads_bits(const ir::Op& op) {
  constexpr std::int64_t kFirstUnsigned = 6;
  if (ir::is_bitwise(op)) return !op.result()->type().element().is_integer(1);
  if (ir::extends_without_sign(op)) return !op.operand(0)->type().element().is_integer(1);
  if (ir::is_integer_comparison(op)) return op.integer_attribute("predicate", 0) >= kFirstUnsigned;
  return op.def().reads_bits;
}

bool is_linear(const ir::Op& op) {
  return is_wrapping_op(op) || ir::moves_lanes(op) || ir::is_selection(op) ||
         ir::is_yield(op) || ir::is_counted_loop(op);
}

/// An odd constant beyond 16 bits: the factor of a generator of random numbers.
bool is_mixing_factor(const ir::Value& value) {
  const ir::Op* op = value.defining_op();
  while (op != nullptr && ir::moves_lanes(*op)) op = op->operand(0)->defining_op();
  if (op == nullptr || !ir::is_constant(*op)) return false;
  const ir::Attribute constant = op->attribute("value");
  std::int64_t number = constant.is_integer() ? constant->integer : 0;
  if (constant.is_dense() && constant->is_splat && constant->data.size() == 4) {
    std::int32_t narrow = 0;
    std::memcpy(&narrow, constant->data.data(), sizeof narrow);
    number = narrow;
  }
  return (number & 1) != 0 && (number > 65536 || number < -65536);
}

/// Integers that meet bit tricks somewhere along sums, products and copies.
ir::ValueSlice mixed_values(const ir::Module& module, const ir::Op& function) {
  ir::ValueSlice mixed;
  for_each_op(module, function, [&](const ir::Op& op) {
    const bool is_product = ir::is_integer_product(op);
    const bool mixes = is_product && (is_mixing_factor(*op.operand(0)) || is_mixing_factor(*op.operand(1)));
    if (!mixes && !reads_bits(op)) return;
    mixed.add_results(op);
    mixed.add_operands(op);
  });
  while (const ir::Value* value = mixed.next()) {
    for (const ir::Use& use : value->uses()) {
      if (!is_linear(*use.user)) continue;
      mixed.add_results(*use.user);
      const ir::Op* loop = use.user->parent_op();
      if (ir::is_yield(*use.user) && loop != nullptr && ir::is_counted_loop(*loop)) mixed.add_outgoing(use);
    }
    const ir::Op* made = value->defining_op();
    if (made != nullptr && is_wrapping_op(*made)) mixed.add_operands(*made);
  }
  return mixed;
}

/// Rounds toward zero, where Python rounds down.
bool is_python_division(const ir::Op& op) {
  return ir::computes(op, ir::Arithmetic::quotient, ir::Numbers::with_sign) ||
         ir::computes(op, ir::Arithmetic::remainder, ir::Numbers::with_sign);
}

/// A sum over lanes of 8 or 16 bits.
bool is_small_sum(const ir::Op& op) {
  if (!ir::folds_lines(op) || op.operand_count() != 1 || op.regions().empty()) return false;
  const ir::Type element = op.operand(0)->type().element();
  if (!element.is_integer(8) && !element.is_integer(16)) return false;
  const auto& ops = op.region().front().ops();
  return ops.size() == 2 && ir::is_integer_sum(*ops.front());
}

}  // namespace

struct WrappingChecker::Known {
  explicit Known(const LaunchContext& context) : effects(context.effects) {
    const AddressChain chain(context.module, context.function);
    const auto mixed = mixed_values(context.module, context.function);
    for_each_op(context.module, context.function, [&](const ir::Op& op) {
      const bool is_flag = op.result_count() != 0 && op.result()->type().element().is_integer(1);
      const bool wraps =
          is_wrapping_op(op) && !is_flag && !chain.contains(*op.result()) && !mixed.contains(*op.result());
      const bool divides = is_python_division(op) && !is_flag;
      if (!wraps && !divides && !is_small_sum(op)) return;
      candidates.insert(&op);
      flow.seed(op);
    });
    flow.close();
  }
  std::unordered_set<const ir::Op*> candidates;
  MarkFlow flow;
  interpreter::MemoryEffects effects;
};

WrappingChecker::WrappingChecker() = default;
WrappingChecker::~WrappingChecker() = default;

Checker::Requirements WrappingChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  const std::lock_guard lock(mutex_);
  if (known_ == nullptr) known_ = std::make_unique<Known>(context);
  if (known_->candidates.empty()) return needs;
  const ValueRanges ranges(context, known_->effects);
  for (const ir::Op* op : known_->candidates) {
    if (is_wrapping_op(*op)) {
      needs.steps = needs.steps || ranges.may_wrap(*op);
    } else if (is_small_sum(*op)) {
      const Range lane = ranges.of(*op->operand(0));
      const std::int64_t count = op->operand(0)->type().element_count();
      const auto kind = op->operand(0)->type().element().scalar_kind();
      needs.steps = needs.steps || !Range{lane.low * count, lane.high * count}.is_within(full_range(*kind));
    } else {
      needs.steps = needs.steps || ranges.of(*op->operand(0)).low < 0 || ranges.of(*op->operand(1)).low < 0;
    }
  }
  return needs;
}

Checker::Interest WrappingChecker::wish(const ir::Op& op) const {
  return {known_ != nullptr && (known_->candidates.contains(&op) || known_->flow.contains(op)), false};
}

void WrappingChecker::begin(const LaunchContext& context) { known_ = std::make_unique<Known>(context); }

void WrappingChecker::before(Execution& run) {
  const ir::Op& op = run.op();
  if (is_end(op)) {
    for (const MarkEnd& end : find_ends(run, false)) faults_.reach(run, end);
  }
  if (ir::is_control_flow(op)) return;
  carry_marks(run);
  if (!known_->candidates.contains(&op)) return;
  if (is_wrapping_op(op)) return look_at_arithmetic(run);
  if (is_python_division(op)) return look_at_division(run);
  if (is_small_sum(op)) look_at_sum(run);
}

void WrappingChecker::note(Execution& run, FindingCode code, std::string message,
                           const std::vector<std::int64_t>& lanes, std::string hint) {
  Finding finding = run.finding(code, std::move(message));
  const ir::Value& result = *run.op().result();
  finding.lane = position_of(lanes.front(), result.type().shape());
  finding.hint = std::move(hint);
  add_marks(run, result, lanes, faults_.note(run, std::move(finding)));
}

}  // namespace lockstep::sanitizer
