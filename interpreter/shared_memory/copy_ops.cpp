#include "interpreter/shared_memory/copy_ops.h"

#include <string>

#include "interpreter/access/load_store.h"
#include "interpreter/evaluators/buffer_steps.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/shared_steps.h"
#include "interpreter/shared_memory/buffer_ops.h"

namespace lockstep::interpreter {

namespace {

// ---- copies by threads ----

struct AsyncCopy {
  ViewAccess to;
  Access from;
};

/// Operands: the pointers, the view, perhaps a mask.
const Step* step_async_copy(Machine& machine, const Step* step) {
  const auto& copy = *static_cast<const AsyncCopy*>(step->record);
  const View view = view_at(machine, step, step->operand[1], copy.to.places);
  if (view.storage == kNoSlot) return machine.finish(step);
  Lanes lanes;
  lanes.pointer = &machine.slots[step->operand[0]];
  if (copy.from.mask >= 0) lanes.mask = &machine.slots[step->operand[2]];
  const Temporary value(machine, load_tile(machine, step, copy.from, lanes));
  BlockState& state = block_state(machine, copy.to.block);
  check_plain_access(machine, step, state, view, copy.to.places, true);
  write_view(machine, view, copy.to.places, *value);
  UnderWay operation;
  operation.is_write = true;
  operation.site = step->site;
  operation.view = view;
  operation.places = &copy.to.places;
  operation.number = state.group[queue_index(Queue::copies)];
  begin_operation(state, operation);
  return machine.finish(step);
}

struct GroupStep {
  Slot block = kNoSlot;
  Queue queue = Queue::copies;
  std::uint64_t pending = 0;
};

const Step* step_commit(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const GroupStep*>(step->record);
  ++block_state(machine, record.block).group[queue_index(record.queue)];
  return step + 1;
}

const Step* step_wait_for_groups(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const GroupStep*>(step->record);
  BlockState& state = block_state(machine, record.block);
  const std::uint64_t committed = state.group[queue_index(record.queue)] - 1;
  if (committed >= record.pending) end_operations(state, record.queue, committed - record.pending);
  return step + 1;
}

void append_group_step(PlanBuilder& builder, const ir::Op& op, StepFunction run, Queue queue, std::int64_t pending) {
  for (std::size_t i = 0; i < op.result_count(); ++i) builder.bind_constant(op.result(i), uniform_tile(0));
  Step& step = builder.append_bare(run, op);
  step.record = builder.record(GroupStep{block_slot(builder), queue, static_cast<std::uint64_t>(pending)});
}

// ---- copies of blocks ----


/// Operands: the tile that came, the view, the barrier.
const Step* step_deliver(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const ViewAccess*>(step->record);
  const View view = view_at(machine, step, step->operand[1], access.places);
  const View at = view_at(machine, step, step->operand[2]);
  if (view.storage == kNoSlot || at.storage == kNoSlot) return machine.finish(step);
  BlockState& state = block_state(machine, access.block);
  check_plain_access(machine, step, state, view, access.places, true);
  write_view(machine, view, access.places, machine.slots[step->operand[0]]);
  Barrier* barrier = find_barrier(state, at);
  if (barrier == nullptr) {
    report_at(machine, step, FindingCode::LS901, "uses a barrier that was not made with ttng.init_barrier");
    return machine.finish(step);
  }
  UnderWay operation;
  operation.queue = Queue::barrier;
  operation.is_write = true;
  operation.site = step->site;
  operation.view = view;
  operation.places = &access.places;
  operation.number = barrier->phase;
  operation.barrier = at.storage;
  operation.barrier_byte = at.base;
  begin_operation(state, operation);
  arrive(*barrier, 0, access.places.tile->bytes());
  return machine.finish(step);
}

/// Operand 0: the view. A copy from it has begun, a group of its own.
const Step* step_note_store(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const ViewAccess*>(step->record);
  BlockState& state = block_state(machine, access.block);
  UnderWay operation;
  operation.queue = Queue::stores;
  operation.site = step->site;
  operation.view = unpack(machine.slots[step->operand[0]].base);
  operation.places = &access.places;
  operation.number = state.group[queue_index(Queue::stores)]++;
  if (operation.view.storage != kNoSlot) begin_operation(state, operation);
  return step + 1;
}

const Step* step_jump_unless_set(Machine& machine, const Step* step) {
  return (machine.slots[step->operand[0]].base & 1) != 0 ? step + 1 : step->target;
}

using PlanWrite = bool (*)(PlanBuilder&, const ir::Op&, const TileType&, Slot);

bool plan_copy_out(PlanBuilder& builder, const ir::Op& op, PlanWrite write) {
  const ir::Value* source = op.operand_group(2)[0];
  const Slot view = builder.slot_of(source);
  const Slot value = plan_view_load(builder, op, source->type(), view);
  if (value == kNoSlot || !write(builder, op, *builder.type(value), value)) return false;
  const ViewAccess* access = plan_view_access(builder, op, source->type());
  if (access == nullptr) return false;
  Step& note = builder.append_bare(step_note_store, op);
  note.operand[0] = view;
  note.operand_count = 1;
  note.record = access;
  return true;
}

}  // namespace

bool evaluate_async_copy(PlanBuilder& builder, const ir::Op& op) {
  AsyncCopy copy;
  copy.to.block = block_slot(builder);
  const ir::Value* mask = op.operand_or_null(2);
  if (!plan_places(builder, op, op.operand(1)->type(), copy.to.places)) return false;
  builder.bind_constant(op.result(), uniform_tile(0));
  Step& step = builder.append_bare(step_async_copy, op);
  step.operand = {builder.operand(op, 0), builder.operand(op, 1), kNoSlot, kNoSlot};
  step.operand_count = 2;
  step.dies = builder.dies_at(op.operand(0), op) ? 1 : 0;
  if (step.operand[0] == kNoSlot || step.operand[1] == kNoSlot) return false;
  copy.from.pointer = builder.type(step.operand[0]);
  copy.from.set_value(*copy.to.places.tile);
  if (mask != nullptr) {
    step.operand[2] = builder.slot_of(mask);
    step.operand_count = 3;
    if (builder.dies_at(mask, op)) step.dies |= 4;
    copy.from.mask = 2;
    copy.from.mask_type = builder.type(step.operand[2]);
  }
  step.type = copy.to.places.tile;
  step.record = builder.record(std::move(copy));
  return true;
}

bool evaluate_commit_group(PlanBuilder& builder, const ir::Op& op) {
  append_group_step(builder, op, step_commit, Queue::copies, 0);
  return true;
}

bool evaluate_async_wait(PlanBuilder& builder, const ir::Op& op) {
  append_group_step(builder, op, step_wait_for_groups, Queue::copies, op.integer_attribute("num", 0));
  return true;
}

bool evaluate_store_wait(PlanBuilder& builder, const ir::Op& op) {
  append_group_step(builder, op, step_wait_for_groups, Queue::stores, op.integer_attribute("pendings", 0));
  return true;
}

bool evaluate_tma_load(PlanBuilder& builder, const ir::Op& op) {
  if (op.attribute("multicast")) return builder.unsupported(op, "copies to several blocks of a cluster are");
  if (!op.operand_group(2).empty()) return builder.unsupported(op, "copies of image patches are");
  const ir::Value* target = op.operand_group(4)[0];
  const ViewAccess* access = plan_view_access(builder, op, target->type());
  if (access == nullptr) return false;
  const PlanBuilder::Label end = builder.new_label();
  Step& skip = builder.append_bare(step_jump_unless_set, op);
  skip.operand[0] = builder.slot_of(op.operand_group(5)[0]);
  skip.operand_count = 1;
  builder.set_target(skip, end);
  const Slot value = builder.new_slot(access->places.tile);
  if (!plan_descriptor_read(builder, op, *access->places.tile, value)) return false;
  Step& deliver = builder.append_bare(step_deliver, op);
  deliver.operand = {value, builder.slot_of(target), builder.slot_of(op.operand_group(3)[0]), kNoSlot};
  deliver.operand_count = 3;
  deliver.dies = 1;
  deliver.record = access;
  builder.place(end);
  return true;
}

bool evaluate_tma_store(PlanBuilder& builder, const ir::Op& op) {
  return plan_copy_out(builder, op, plan_descriptor_write);
}

bool evaluate_tma_reduce(PlanBuilder& builder, const ir::Op& op) {
  return plan_copy_out(builder, op, plan_descriptor_update);
}

}  // namespace lockstep::interpreter
