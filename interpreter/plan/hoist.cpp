// Loop-invariant work, done once per loop. Ops of a loop's body, and of the bodies of loops that run inside it, are
// planned before the loop when they are pure and everything they read is made outside of it. Invariant: a hoisted value
// lives until its slot is written again, so no step in the loop may take it over. Branches inside the body keep their
// ops: what is not taken costs nothing there.
#include <algorithm>

#include "interpreter/plan/plan_builder.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

namespace {

bool is_in_loop(const ir::Value* value, const ir::Op& loop) {
  const ir::Op* at = value->defining_op();
  const ir::Block* block = at != nullptr ? at->block() : value->owner_block();
  for (at = block->parent_op(); at != nullptr; at = at->parent_op()) {
    if (at == &loop) return true;
  }
  return false;
}

}  // namespace

bool PlanBuilder::hoist_from(const ir::Block& block, const ir::Op& loop) {
  const auto is_outside = [&](const ir::Value* value) {
    const ir::Op* made_by = value->defining_op();
    return !is_in_loop(value, loop) || (made_by != nullptr && hoisted_.contains(made_by));
  };
  for (const auto& op : block.ops()) {
    if (hoisted_.contains(op.get())) continue;
    if (ir::is_loop(*op)) {
      for (const auto& region : op->regions()) {
        for (const auto& inner : region->blocks()) {
          if (!hoist_from(*inner, loop)) return false;
        }
      }
      continue;
    }
    if (!is_pure(*op) || !std::all_of(op->operands().begin(), op->operands().end(), is_outside)) continue;
    if (!plan_op(*op)) return false;
    hoisted_.insert(op.get());
    for (std::size_t i = 0; i < op->result_count(); ++i) kept_.insert(slot_of(op->result(i)));
  }
  return true;
}

bool PlanBuilder::hoist_invariants(const ir::Op& loop) {
  if (!tuning_.hoists) return true;
  for (const auto& region : loop.regions()) {
    for (const auto& block : region->blocks()) {
      if (!hoist_from(*block, loop)) return false;
    }
  }
  return true;
}

}  // namespace lockstep::interpreter
