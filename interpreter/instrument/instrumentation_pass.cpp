#include "interpreter/instrument/instrumentation_pass.h"

#include <algorithm>

#include "ir/analysis/nesting.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/walk.h"

namespace lockstep::interpreter {

namespace {

using Values = std::vector<const ir::Value*>;

Values arguments_from(const ir::Block& block, std::size_t first) {
  Values values;
  for (std::size_t i = first; i < block.arguments().size(); ++i) values.push_back(block.argument(i));
  return values;
}

Values results_of(const ir::Op& op) {
  Values values;
  for (std::size_t i = 0; i < op.result_count(); ++i) values.push_back(op.result(i));
  return values;
}

Values operands_from(const ir::Op& op, std::size_t first) {
  return {op.operands().begin() + static_cast<std::ptrdiff_t>(first), op.operands().end()};
}

}  // namespace

std::vector<const ir::Value*> captured_values(const ir::Op& op) {
  Values found;
  ir::walk(op, [&](const ir::Op& inner) {
    if (&inner == &op) return;
    for (const ir::Value* value : inner.operands()) {
      if (!ir::is_inside(*value, op) && std::find(found.begin(), found.end(), value) == found.end())
        found.push_back(value);
    }
  });
  return found;
}

void InstrumentationPass::instrument(PlanBuilder& builder) {
  builder.instrument(
      [this, &builder](const ir::Op& op) {
        if (!builder.is_in_sub_region()) before(builder, op);
        return false;
      },
      [this, &builder](const ir::Op& op) {
        if (!builder.is_in_sub_region()) after(builder, op);
      },
      [this](const ir::Op& op) { return is_watched(op); });
}

void InstrumentationPass::before(PlanBuilder& builder, const ir::Op& op) {
  before_any(builder, op);
  switch (op.def().control) {
    case ir::Control::choice:
    case ir::Control::counted_loop:
    case ir::Control::open_loop: return begin_structured(builder, op);
    case ir::Control::yield:
    case ir::Control::condition: return yield(builder, op);
    case ir::Control::jump:
    case ir::Control::conditional_jump: return begin_branch(builder, op);
    case ir::Control::call: return call(builder, op);
    case ir::Control::function_return:
      if (!calls_.empty()) move(builder, op, {operands_from(op, 0), results_of(*calls_.back())}, nullptr);
      return;
    default: return before_op(builder, op);
  }
}

void InstrumentationPass::after(PlanBuilder& builder, const ir::Op& op) {
  if (ir::is_call(op)) calls_.pop_back();
  after_op(builder, op);
}

namespace {

/// The structured op that one of the edges leaves.
const ir::Op* left_by(const std::vector<ir::RegionEdge>& edges) {
  const auto found = std::find_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.left != nullptr; });
  return found != edges.end() ? found->left : nullptr;
}

Values deciding(const ir::Op& op) {
  return {op.operands().begin(), op.operands().begin() + static_cast<std::ptrdiff_t>(ir::deciding_operands(op))};
}

}  // namespace

InstrumentationPass::ValueEdges InstrumentationPass::along(const std::vector<ir::RegionEdge>& edges) {
  ValueEdges values;
  for (const ir::RegionEdge& edge : edges) {
    for (std::size_t i = 0; i < edge.count; ++i) {
      values.from.push_back(edge.source(i));
      values.to.push_back(edge.target(i));
    }
  }
  return values;
}

void InstrumentationPass::begin_structured(PlanBuilder& builder, const ir::Op& op) {
  decide(builder, op, deciding(op), &op);
  if (ir::is_choice(op)) return;
  const auto edges = ir::successor_edges(op);
  move(builder, op, along(edges), left_by(edges));
}

/// The terminator of a block of scf.if, scf.for or scf.while.
void InstrumentationPass::yield(PlanBuilder& builder, const ir::Op& op) {
  if (ir::is_loop_condition(op)) decide(builder, op, deciding(op), op.parent_op());
  const auto edges = ir::successor_edges(op);
  move(builder, op, along(edges), left_by(edges));
}

void InstrumentationPass::begin_branch(PlanBuilder& builder, const ir::Op& op) {
  const bool has_condition = ir::is_conditional_jump(op);
  if (has_condition) decide(builder, op, {op.operand(0)}, nullptr);
  std::array<ValueEdges, 2> sides;
  for (std::size_t side = 0; side < op.successors().size() && side < 2; ++side) {
    const std::vector<ir::Value*> from = op.successor_arguments(side);
    const ir::Block& to = *op.successors()[side].block;
    sides[side] = {{from.begin(), from.end()}, arguments_from(to, 0)};
  }
  branch(builder, op, has_condition ? builder.operand(op, 0) : kNoSlot, sides);
}

void InstrumentationPass::call(PlanBuilder& builder, const ir::Op& op) {
  calls_.push_back(&op);
  const ir::Attribute callee = op.attribute("callee");
  const ir::Op* function = callee ? builder.find_function(callee->text) : nullptr;
  if (function == nullptr || function->region().empty()) return;
  move(builder, op, {operands_from(op, 0), arguments_from(function->region().front(), 0)}, nullptr);
}

}  // namespace lockstep::interpreter
