#include "sanitizer/lint/op_counts.h"

#include <algorithm>

#include "ir/op_def.h"

namespace lockstep::sanitizer {

namespace {

constexpr Wide kMost = Wide{1} << 62, kGuessedTurns = 16;
constexpr int kMostNestedCalls = 16;

Wide product(Wide a, Wide b) { return a != 0 && b > kMost / a ? kMost : a * b; }

class Counting {
 public:
  Counting(const LaunchContext& context, const std::function<void(const ir::Op&, const OpCount&)>& visit)
      : context_(context), ranges_(context, context.effects, false), visit_(visit) {}

  void run() {
    Wide programs = 1;
    for (const std::int64_t extent : context_.request.grid) programs = product(programs, std::max<Wide>(extent, 0));
    if (!context_.request.only.empty()) programs = static_cast<Wide>(context_.request.only.size());
    visit_function(context_.function, {programs, true});
  }

 private:
  /// All programs enter the first block, once; the analysis does not follow where they go from there.
  void visit_function(const ir::Op& function, OpCount count) {
    if (function.regions().empty()) return;
    for (const auto& block : function.region().blocks()) {
      visit_block(*block, count);
      count.is_exact = false;
    }
  }

  void visit_block(const ir::Block& block, const OpCount& count) {
    for (const auto& op : block.ops()) visit_op(*op, count);
  }

  void visit_regions(const ir::Op& op, const OpCount& count) {
    for (const auto& region : op.regions()) {
      for (const auto& block : region->blocks()) visit_block(*block, count);
    }
  }

  void visit_op(const ir::Op& op, const OpCount& count) {
    if (count.times == 0) return;
    visit_(op, count);
    switch (op.def().control) {
      case ir::Control::counted_loop: return visit_regions(op, turns_of(op, count));
      case ir::Control::open_loop: return visit_regions(op, {product(count.times, kGuessedTurns), false});
      case ir::Control::choice: return visit_if(op, count);
      case ir::Control::call: return visit_callee(op, count);
      default: return;
    }
  }

  void visit_if(const ir::Op& op, const OpCount& count) {
    const Range condition = ranges_.of(*op.operand(0));
    for (std::size_t i = 0; i < op.regions().size(); ++i) {
      const bool is_taken = (condition.low != 0) == (i == 0);
      const OpCount inner = condition.is_one() ? OpCount{is_taken ? count.times : 0, count.is_exact}
                                               : OpCount{count.times, false};
      for (const auto& block : op.regions()[i]->blocks()) visit_block(*block, inner);
    }
  }

  void visit_callee(const ir::Op& call, const OpCount& count) {
    const ir::Attribute callee = call.attribute("callee");
    if (!callee || calls_ >= kMostNestedCalls) return;
    ++calls_;
    for (const ir::Op* function : context_.module.functions()) {
      if (ir::symbol_name(*function) == callee->text) visit_function(*function, {count.times, false});
    }
    --calls_;
  }

  OpCount turns_of(const ir::Op& loop, const OpCount& count) const {
    const Range lower = ranges_.of(*loop.operand(0)), upper = ranges_.of(*loop.operand(1)),
                step = ranges_.of(*loop.operand(2));
    const bool is_unsigned = static_cast<bool>(loop.attribute("unsignedCmp"));  // bounds are known with their signs
    if (is_unsigned || !lower.is_one() || !upper.is_one() || !step.is_one() || step.low <= 0)
      return {product(count.times, kGuessedTurns), false};
    const Wide turns = upper.low <= lower.low ? 0 : (upper.low - lower.low + step.low - 1) / step.low;
    const auto kind = loop.operand(0)->type().scalar_kind();
    const bool may_wrap =
        turns != 0 && counter_may_wrap(lower, upper, step, full_range(kind.value_or(ScalarKind::i64)));
    return {product(count.times, turns), count.is_exact && !may_wrap};
  }

  const LaunchContext& context_;
  const ValueRanges ranges_;
  const std::function<void(const ir::Op&, const OpCount&)>& visit_;
  int calls_ = 0;
};

}  // namespace

void for_each_count(const LaunchContext& context, const std::function<void(const ir::Op&, const OpCount&)>& visit) {
  Counting(context, visit).run();
}

}  // namespace lockstep::sanitizer
