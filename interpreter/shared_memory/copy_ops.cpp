#include "interpreter/shared_memory/copy_ops.h"

#include <string>
#include <utility>
#include <vector>

#include "interpreter/access/load_store.h"
#include "interpreter/evaluators/buffer_steps.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/shared_steps.h"
#include "interpreter/shared_memory/block_slot.h"
#include "interpreter/shared_memory/barriers.h"
#include "interpreter/shared_memory/buffer_ops.h"
#include "interpreter/shared_memory/flights.h"
#include "interpreter/shared_memory/groups.h"
#include "interpreter/shared_memory/plan_places.h"
#include "interpreter/shared_memory/touches.h"

namespace lockstep::interpreter {

namespace {

// ---- copies by threads ----

struct AsyncCopy : FlightKind {
  ViewAccess to;
  Access from;
};

bool complete_async_copy(Machine& machine, const FlightKind& kind, const Flight& flight, Tile* tiles) {
  write_view(machine, flight.views[0], static_cast<const AsyncCopy&>(kind).to.places, tiles[0]);
  return true;
}

/// Operands: the pointers, the view, perhaps a mask.
const Step* step_async_copy(Machine& machine, const Step* step) {
  const auto& copy = *static_cast<const AsyncCopy*>(step->record);
  const View view = view_at(machine, step, step->operand[1], copy.to.places);
  if (view.storage == kNoSlot) return machine.finish(step);
  Lanes lanes;
  lanes.pointer = &machine.slots[step->operand[0]];
  if (copy.from.mask >= 0) lanes.mask = &machine.slots[step->operand[2]];
  const Tile value = load_tile(machine, step, copy.from, lanes);
  BlockState& state = block_state(machine, copy.block);
  Flight flight;
  flight.kind = &copy;
  flight.step = step;
  flight.number = current_group(state).filling[queue_index(Queue::copies)];
  flight.views[0] = view;
  Touch touch = touch_in(copy.to, view, true);
  touch.queue = Queue::copies;
  touch.number = flight.number;
  flight.own.add(add_touch(machine, step, state, touch));
  if (!issue(machine, flight, {value})) return nullptr;
  return go_on(machine, copy.block, machine.finish(step));
}

struct GroupStep {
  Slot block = kNoSlot;
  Queue queue = Queue::copies;
  std::uint64_t pending = 0;
};

const Step* step_commit(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const GroupStep*>(step->record);
  ++current_group(block_state(machine, record.block)).filling[queue_index(record.queue)];
  return step + 1;
}

const Step* step_wait_for_groups(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const GroupStep*>(step->record);
  if (!wait_for_queue(machine, record.block, record.queue, record.pending)) return nullptr;
  return go_on(machine, record.block, step + 1);
}

void append_group_step(PlanBuilder& builder, const ir::Op& op, StepFunction run, Queue queue, std::int64_t pending) {
  for (std::size_t i = 0; i < op.result_count(); ++i) builder.bind_constant(op.result(i), uniform_tile(0));
  Step& step = builder.append_bare(run, op);
  step.record = builder.record(GroupStep{block_slot(builder), queue, static_cast<std::uint64_t>(pending)});
}

// ---- copies of blocks ----

struct Delivery : FlightKind {
  ViewAccess to;
  std::int64_t bytes = 0;    // of the descriptor's block
  std::int64_t counted = 0;  // at the barrier, which is a word in each block of a cluster: what that block holds
};

bool complete_delivery(Machine& machine, const FlightKind& kind, const Flight& flight, Tile* tiles) {
  const auto& delivery = static_cast<const Delivery&>(kind);
  const ViewPlaces& places = delivery.to.places;
  if (delivery.bytes == places.tile->bytes()) {
    write_view(machine, flight.views[0], places, tiles[0]);
  } else {  // LS420 has said so
    const View& view = flight.views[0];
    for_each_run(view, places, [&](std::int64_t begin, std::int64_t end) {
      mark_written(machine, view.storage, begin, end - begin);
    });
  }
  Arrival arrival;
  arrival.bytes = delivery.counted;
  arrival.group = flight.group;
  arrival.sight = sight_after(flight);
  arrive_at(machine, flight.step, kind.block, flight.barrier, arrival);
  return true;
}

/// Operands: the tile that came, the view, the barrier.
const Step* step_deliver(Machine& machine, const Step* step) {
  const auto& delivery = *static_cast<const Delivery*>(step->record);
  Tile& come = machine.slots[step->operand[0]];
  const View view = view_at(machine, step, step->operand[1], delivery.to.places);
  const View at = view_at(machine, step, step->operand[2]);
  if (view.storage == kNoSlot || at.storage == kNoSlot) return machine.finish(step);
  BlockState& state = block_state(machine, delivery.block);
  const Barrier* barrier = find_barrier(state, at);
  if (barrier == nullptr) {
    report_no_barrier(machine, step, at);
    return machine.finish(step);
  }
  if (delivery.bytes != delivery.to.places.tile->bytes())
    report_at(machine, step, FindingCode::LS420,
              "the descriptor's block has " + std::to_string(delivery.bytes) + " bytes, and the buffer " +
                  std::to_string(delivery.to.places.tile->bytes()) + ": the copy writes another number of bytes",
              {{"the buffer is made here", site_of_storage(machine, view.storage)}},
              "give the buffer the shape of the descriptor's block, and expect its bytes");
  Flight flight;
  flight.kind = &delivery;
  flight.step = step;
  flight.queue = Queue::barrier;
  flight.number = barrier->phase;
  flight.views[0] = view;
  flight.barrier = at;
  Touch touch = touch_in(delivery.to, view, true);
  touch.queue = Queue::barrier;
  touch.number = barrier->phase;
  touch.is_proxied = true;
  touch.needs_fence = false;
  touch.barrier = at.storage;
  touch.barrier_byte = at.base;
  flight.own.add(add_touch(machine, step, state, touch));
  const Tile value = come;
  come.buffer = nullptr;
  if (!issue(machine, flight, {value})) return nullptr;
  return go_on(machine, delivery.block, step + 1);
}

/// A copy from a buffer: its steps run when it completes, on the descriptor and the coordinates of its issue.
struct CopyOut : FlightKind {
  ViewAccess from;
  Slot view = kNoSlot, value = kNoSlot;
  std::vector<Slot> tiles;    // the descriptor, perhaps numbers of rows
  std::vector<Slot> scalars;  // coordinates
  const Step* entry = nullptr;
};

bool complete_copy_out(Machine& machine, const FlightKind& kind, const Flight& flight, Tile* tiles) {
  const auto& copy = static_cast<const CopyOut&>(kind);
  machine.set(copy.value, read_view(machine, flight.step, flight.views[0], copy.from.places));
  std::array<std::uint64_t, kFlightNumbers> now{};
  for (std::size_t i = 0; i < copy.tiles.size(); ++i) std::swap(machine.slots[copy.tiles[i]], tiles[i]);
  for (std::size_t i = 0; i < copy.scalars.size(); ++i)
    now[i] = std::exchange(machine.slots[copy.scalars[i]].base, flight.numbers[i]);
  if (machine.on_late_store) machine.on_late_store();
  const bool goes_on = machine.run_region(copy.entry);
  for (std::size_t i = 0; i < copy.scalars.size(); ++i) machine.slots[copy.scalars[i]].base = now[i];
  for (std::size_t i = 0; i < copy.tiles.size(); ++i) std::swap(machine.slots[copy.tiles[i]], tiles[i]);
  return goes_on;
}

/// A group of its own.
const Step* step_copy_out(Machine& machine, const Step* step) {
  const auto& copy = *static_cast<const CopyOut*>(step->record);
  const View view = view_at(machine, step, copy.view, copy.from.places);
  if (view.storage == kNoSlot) return step + 1;
  BlockState& state = block_state(machine, copy.block);
  Flight flight;
  flight.kind = &copy;
  flight.step = step;
  flight.queue = Queue::stores;
  flight.number = current_group(state).filling[queue_index(Queue::stores)]++;
  flight.views[0] = view;
  for (std::size_t i = 0; i < copy.scalars.size(); ++i) flight.numbers[i] = machine.slots[copy.scalars[i]].base;
  Touch touch = touch_in(copy.from, view, false);
  touch.queue = Queue::stores;
  touch.number = flight.number;
  touch.is_proxied = true;
  flight.own.add(add_touch(machine, step, state, touch));
  std::array<Tile, kFlightTiles> tiles{};
  for (std::size_t i = 0; i < copy.tiles.size(); ++i) {
    tiles[i] = machine.slots[copy.tiles[i]];
    BufferPool::retain(tiles[i]);
  }
  if (!issue(machine, flight, tiles)) return nullptr;
  return go_on(machine, copy.block, step + 1);
}

const Step* step_jump_unless_set(Machine& machine, const Step* step) {
  return (machine.slots[step->operand[0]].base & 1) != 0 ? step + 1 : step->target;
}

using PlanWrite = bool (*)(PlanBuilder&, const ir::Op&, const TileType&, Slot);

/// `source`: the buffer. A tile among the operands before it is kept by the flight like the descriptor.
bool plan_copy_out(PlanBuilder& builder, const ir::Op& op, const ir::Value* source, PlanWrite write) {
  CopyOut copy;
  copy.block = block_slot(builder);
  copy.complete = complete_copy_out;
  copy.view = builder.slot_of(source);
  const ViewAccess* access = plan_view_access(builder, op, source->type());
  if (access == nullptr || copy.view == kNoSlot) return false;
  copy.from = *access;
  copy.value = builder.new_slot(access->places.tile);
  for (std::size_t i = 0; op.operand(i) != source; ++i) {
    const Slot slot = builder.operand(op, i);
    if (slot == kNoSlot) return false;
    const bool is_scalar = i > 0 && op.operand(i)->type().is_integer();
    (is_scalar ? copy.scalars : copy.tiles).push_back(slot);
  }
  if (copy.scalars.size() > kFlightNumbers) return builder.unsupported(op, "blocks of more than 8 dimensions are");
  CopyOut* record = builder.record(std::move(copy));
  const PlanBuilder::Label begin = builder.new_label(), end = builder.new_label();
  builder.append_bare(step_copy_out, op).record = record;
  builder.set_target(builder.append_bare(step_jump, op), end);
  builder.place(begin);
  builder.set_pointer(&record->entry, begin);
  if (!write(builder, op, *builder.type(record->value), record->value)) return false;
  builder.append_bare(step_end, op);
  builder.place(end);
  return true;
}

}  // namespace

namespace {

/// Since 3.8 a barrier of one word, in a module whose products are of two blocks, lies in the first of them alone.
bool is_counted_for_pair(const ir::Op& op) {
  const ir::Op* top = &op;
  while (top->parent_op() != nullptr) top = top->parent_op();
  return top->integer_attribute("ttng.two-ctas", 0) != 0 && pieces_of(op.operand_group(3)[0]->type()) == 1;
}

}  // namespace

bool wait_for_queue(Machine& machine, Slot block, Queue queue, std::uint64_t pending) {
  BlockState& state = block_state(machine, block);
  const std::uint32_t group = state.current;
  const std::uint64_t issued = current_group(state).filling[queue_index(queue)] - 1;
  if (issued < pending) return true;
  if (!complete_queue(machine, block, group, queue, issued - pending)) return false;
  see_queue(block_state(machine, block), group, queue, issued - pending);
  return true;
}

bool evaluate_async_copy(PlanBuilder& builder, const ir::Op& op) {
  AsyncCopy copy;
  copy.block = copy.to.block = block_slot(builder);
  copy.complete = complete_async_copy;
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

namespace {
const Step* step_fence(Machine& machine, const Step* step) {
  BlockState& state = block_state(machine, step->operand[0]);
  fence(state, state.current);
  return step + 1;
}
}  // namespace

bool evaluate_fence(PlanBuilder& builder, const ir::Op& op) {
  const Slot block = block_slot(builder);
  if (block == kNoSlot) return true;
  Step& step = builder.append_bare(step_fence, op);
  step.operand[0] = block;
  step.operand_count = 1;
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

namespace {

using PlanRead = bool (*)(PlanBuilder&, const ir::Op&, const TileType&, Slot);

/// Operand groups: the descriptor, where, the barrier (3), the view (4), the predicate (5). `shape`: of what comes.
bool plan_copy_in(PlanBuilder& builder, const ir::Op& op, const std::vector<std::int64_t>& shape, PlanRead read) {
  const ir::Value* target = op.operand_group(4)[0];
  const ViewAccess* access = plan_view_access(builder, op, target->type());
  if (access == nullptr) return false;
  if (is_counted_for_pair(op)) return builder.unsupported(op, "copies counted at one barrier of two blocks are");
  const PlanBuilder::Label end = builder.new_label();
  Step& skip = builder.append_bare(step_jump_unless_set, op);
  skip.operand[0] = builder.slot_of(op.operand_group(5)[0]);
  skip.operand_count = 1;
  builder.set_target(skip, end);
  Delivery delivery;
  delivery.block = access->block;
  delivery.complete = complete_delivery;
  delivery.to = *access;
  const TileType* box = builder.tile_type(access->places.tile->kind, shape);
  delivery.bytes = box->bytes();
  delivery.counted = delivery.bytes / pieces_of(target->type());
  if (box->count == access->places.tile->count) box = access->places.tile;
  const Slot value = builder.new_slot(box);
  if (!read(builder, op, *box, value)) return false;
  Step& deliver = builder.append_bare(step_deliver, op);
  deliver.operand = {value, builder.slot_of(target), builder.slot_of(op.operand_group(3)[0]), kNoSlot};
  deliver.operand_count = 3;
  deliver.dies = 1;
  deliver.record = builder.record(std::move(delivery));
  builder.place(end);
  return true;
}

}  // namespace

bool evaluate_tma_load(PlanBuilder& builder, const ir::Op& op) {
  if (!op.operand_group(2).empty()) return builder.unsupported(op, "copies of image patches are");
  return plan_copy_in(builder, op, op.operand(0)->type().pointee().shape(), plan_descriptor_read);
}

bool evaluate_tma_gather(PlanBuilder& builder, const ir::Op& op) {
  const ir::Type row = op.operand(0)->type().pointee();
  return plan_copy_in(builder, op, {op.operand(1)->type().shape()[0], row.shape().back()}, plan_rows_read);
}

bool evaluate_tma_store(PlanBuilder& builder, const ir::Op& op) {
  return plan_copy_out(builder, op, op.operand_group(2)[0], plan_descriptor_write);
}

bool evaluate_tma_reduce(PlanBuilder& builder, const ir::Op& op) {
  return plan_copy_out(builder, op, op.operand_group(2)[0], plan_descriptor_update);
}

bool evaluate_tma_scatter(PlanBuilder& builder, const ir::Op& op) {
  return plan_copy_out(builder, op, op.operand_group(3)[0], plan_rows_write);
}

}  // namespace lockstep::interpreter
