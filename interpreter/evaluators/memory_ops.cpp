#include "interpreter/evaluators/memory_ops.h"

#include <cstring>

#include "interpreter/access/access_step.h"
#include "interpreter/access/load_store.h"
#include "interpreter/batching/effects.h"
#include "interpreter/evaluators/block_pointer.h"
#include "interpreter/fusion/joined_dots.h"
#include "interpreter/plan/plan_builder.h"
#include "ir/interfaces/op_kinds.h"

namespace lockstep::interpreter {

namespace {

const Step* step_load_scalar(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  const Tile& pointer = machine.slots[step->operand[0]];
  const std::uint64_t end = pointer.base + static_cast<std::uint64_t>(access.bytes);
  if (!is_plainly_inside(machine, pointer.provenance, pointer.base, end)) return step_load_tile(machine, step);
  std::uint64_t bits = 0;
  std::memcpy(&bits, pointer.data(), static_cast<std::size_t>(access.bytes));
  if (access.value->kind == ScalarKind::i1) bits = bits != 0 ? 1 : 0;
  machine.bytes_read += static_cast<std::uint64_t>(access.bytes);
  if (is_logged(machine, pointer.provenance)) note_run(machine, pointer.base, end, false);
  Tile& out = machine.slots[step->result];
  set_uniform(out, bits);
  if (access.is_observed) observe_tile(machine, step, access, pointer, out);
  return step + 1;
}

const Step* step_store_scalar(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  const Tile& pointer = machine.slots[step->operand[0]];
  const std::uint64_t end = pointer.base + static_cast<std::uint64_t>(access.bytes);
  if (!is_plainly_inside(machine, pointer.provenance, pointer.base, end)) return step_store_tile(machine, step);
  if (is_logged(machine, pointer.provenance)) note_run(machine, pointer.base, end, true);
  std::memcpy(pointer.data(), &machine.slots[step->operand[1]].base, static_cast<std::size_t>(access.bytes));
  machine.bytes_written += static_cast<std::uint64_t>(access.bytes);
  if (machine.launch.is_ordered) machine.note_change_of(pointer.base, step);
  return step + 1;
}

/// Types of the access from the step's slots. `value`: loaded or stored.
Access access_of(PlanBuilder& builder, const Step& step, const TileType* value) {
  Access access;
  access.pointer = builder.type(step.operand[0]);
  access.set_value(*value);
  return access;
}

/// The innermost loop around `op` that is not around `value`'s op; null: none.
const ir::Op* loop_between(const ir::Op& op, const ir::Value& value) {
  for (const ir::Op* at = op.parent_op(); at != nullptr && at->block() != nullptr; at = at->parent_op()) {
    const bool is_loop = ir::is_loop(*at);
    if (is_loop) return at->block() == value.defining_op()->block() ? at : nullptr;
  }
  return nullptr;
}

/// Whether `value` is what the loop around `op` carries.
bool is_carried_by_loop(const ir::Value& value, const ir::Op& op) {
  return value.owner_block() != nullptr && value.owner_block() == op.block() && ir::is_loop(*op.parent_op());
}

/// By the row alone: not a library function.
bool is_elementwise(const ir::Op& op) {
  return op.def().loops != nullptr && op.def().batching == ir::BatchingRule::elementwise;
}

/// Whether an element-wise op in a loop after the load reads it together with a value of the loop.
bool is_read_again(const ir::Op& load) {
  const ir::Value& value = *load.result(0);
  for (const ir::Use& use : value.uses()) {
    const ir::Op& user = *use.user;
    const ir::Op* loop = loop_between(user, value);
    if (loop == nullptr || !is_elementwise(user)) continue;
    for (const ir::Value* other : user.operands()) {
      const ir::Op* made_by = other->defining_op();
      if (made_by == nullptr || made_by->parent_op() == loop) return true;
    }
  }
  return false;
}

/// Whether a product alone reads what is loaded, and in another form: small elements are widened or paired.
bool feeds_product(PlanBuilder& builder, const ir::Op& load, const TileType& type) {
  if (!builder.tuning().fuses || builder.keeps_all() || builder.is_instrumented()) return false;
  return type.rank() == 2 && type.element_bytes < 4 && is_factor_alone(*load.result());
}

}  // namespace

bool evaluate_load(PlanBuilder& builder, const ir::Op& op) {
  if (op.operand(0)->type().element().pointee().is_tensor()) return evaluate_block_load(builder, op);
  Step* step = builder.append_with_result(step_load_tile, op);
  if (step == nullptr) return false;
  Access access = access_of(builder, *step, step->type);
  if (op.operand_count() > 1) {
    access.mask = 1;
    access.mask_type = builder.type(step->operand[1]);
  }
  if (op.operand_count() > 2) access.other = 2;
  access.is_observed = is_volatile_load(op) || is_in_open_loop(op);
  access.is_read_again = step->type->rank() > 1 && is_read_again(op);
  access.feeds_product = !access.is_observed && feeds_product(builder, op, *step->type);
  access.moves_on = is_carried_by_loop(*op.operand(0), op);
  if (!access.is_read_again)
    step->run = step->type->is_scalar() && access.mask < 0 ? step_load_scalar : load_step(access);
  step->record = builder.record(access);
  return true;
}

bool evaluate_store(PlanBuilder& builder, const ir::Op& op) {
  if (op.operand(0)->type().element().pointee().is_tensor()) return evaluate_block_store(builder, op);
  Step& step = builder.append(step_store_tile, op);
  for (std::size_t i = 0; i < step.operand_count; ++i) {
    if (step.operand[i] == kNoSlot) return false;
  }
  Access access = access_of(builder, step, builder.type(step.operand[1]));
  access.is_write = true;
  if (op.operand_count() > 2) {
    access.mask = 2;
    access.mask_type = builder.type(step.operand[2]);
  }
  step.run = access.value->is_scalar() && access.mask < 0 ? step_store_scalar : store_step(access);
  step.record = builder.record(access);
  return true;
}

}  // namespace lockstep::interpreter
