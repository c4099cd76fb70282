// Integer divisions and remainders that have no result: by zero (LS503), and the lowest number by -1 (LS505). An
// element whose lane is masked off later counts, as the GPU divides it, too; what the quotient becomes is not followed.
#include <algorithm>

#include "checkers/checkers.h"
#include "checkers/execution.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::checkers {

namespace {

bool is_signed_division(const ir::Op& op) {
  switch (op.def().opcode) {
    case ir::Opcode::arith_divsi:
    case ir::Opcode::arith_remsi:
    case ir::Opcode::arith_ceildivsi:
    case ir::Opcode::arith_floordivsi: return true;
    default: return false;
  }
}

bool is_division(const ir::Op& op) {
  switch (op.def().opcode) {
    case ir::Opcode::arith_divui:
    case ir::Opcode::arith_remui:
    case ir::Opcode::arith_ceildivui: return true;
    default: return is_signed_division(op);
  }
}

bool has_division(const ir::Op& op) {
  if (is_division(op)) return true;
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      if (std::any_of(block->ops().begin(), block->ops().end(), [](const auto& inner) { return has_division(*inner); }))
        return true;
    }
  }
  return false;
}

}  // namespace

Checker::Needs DivisionChecker::needs(const LaunchContext& context) const {
  Needs needs;
  needs.steps = has_division(context.function);
  needs.any_thread = true;
  return needs;
}

Checker::Wish DivisionChecker::wish(const ir::Op& op) const { return {is_division(op), false}; }

void DivisionChecker::before(Execution& run) {
  const ir::Value &dividend = *run.op().operand(0), &divisor = *run.op().operand(1);
  const std::int64_t count = run.count(divisor);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t by = run.integer(divisor, i);
    const bool overflows = is_signed_division(run.op()) && by == -1 &&
                           run.integer(dividend, i) == interpreter::lowest_of(run.kind(dividend));
    if (by != 0 && !overflows) continue;
    Finding finding =
        by == 0
            ? run.finding("LS503", "integer division by zero: " + std::to_string(run.integer(dividend, i)) + " by 0")
            : run.finding("LS505", "division without a result: " + std::to_string(run.integer(dividend, i)) + " by -1");
    finding.lane = position_of(i, run.shape(divisor));
    run.report(std::move(finding));
    return;
  }
}

}  // namespace lockstep::checkers
