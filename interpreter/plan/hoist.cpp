#include "interpreter/plan/hoist.h"

#include <algorithm>

#include "interpreter/plan/plan_builder.h"
#include "ir/analysis/nesting.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

namespace {

bool hoist_from(PlanBuilder& builder, const ir::Block& block, const ir::Op& loop) {
  const auto is_outside = [&](const ir::Value* value) {
    const ir::Op* made_by = value->defining_op();
    return !ir::is_inside(*value, loop) || (made_by != nullptr && builder.is_planned_ahead(*made_by));
  };
  for (const auto& op : block.ops()) {
    if (builder.is_planned_ahead(*op)) continue;
    if (ir::is_loop(*op)) {
      for (const auto& region : op->regions()) {
        for (const auto& inner : region->blocks()) {
          if (!hoist_from(builder, *inner, loop)) return false;
        }
      }
      continue;
    }
    if (!is_pure(*op) || !std::all_of(op->operands().begin(), op->operands().end(), is_outside)) continue;
    if (!builder.plan_ahead(*op)) return false;
  }
  return true;
}

}  // namespace

bool hoist_invariants(PlanBuilder& builder, const ir::Op& loop) {
  if (!builder.tuning().hoists) return true;
  for (const auto& region : loop.regions()) {
    for (const auto& block : region->blocks()) {
      if (!hoist_from(builder, *block, loop)) return false;
    }
  }
  return true;
}

}  // namespace lockstep::interpreter
