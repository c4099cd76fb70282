#include "interpreter/shared_memory/barrier_ops.h"

#include <string>

#include "interpreter/plan/plan_builder.h"
#include "interpreter/shared_memory/block_slot.h"
#include "interpreter/shared_memory/barriers.h"
#include "interpreter/shared_memory/buffer_ops.h"
#include "interpreter/shared_memory/flights.h"
#include "interpreter/shared_memory/groups.h"
#include "interpreter/shared_memory/plan_places.h"
#include "interpreter/shared_memory/touches.h"

namespace lockstep::interpreter {

namespace {

constexpr std::int64_t kLanes = 32;

/// An op on a barrier, and a flight that ends with an arrival.
struct BarrierStep : FlightKind {
  std::int32_t arrivals = 0;
  std::int64_t expected = 0;  // bytes
  /// The queue whose operations so far the arrival stands for.
  Queue queue = Queue::none;
  bool raises = false;  // what is pending, first
  std::int64_t bytes = kBarrierBytes;  // in all blocks of a cluster: a word in each, which is at the same phase
};

bool is_on(const Machine& machine, const Step* step) {
  return step->operand[1] == kNoSlot || (machine.slots[step->operand[1]].base & 1) != 0;
}

/// Null: reported.
Barrier* barrier_at(Machine& machine, const Step* step, BlockState& state) {
  const View view = view_at(machine, step, step->operand[0]);
  if (view.storage == kNoSlot) return nullptr;
  Barrier* barrier = find_barrier(state, view);
  if (barrier == nullptr) report_no_barrier(machine, step, view);
  return barrier;
}

/// A group waits for the barrier in this place. kMostGroups: none.
std::uint32_t waiting_at(const BlockState& state, const View& view) {
  for (std::uint32_t i = 0; i < state.group_count; ++i) {
    const WarpGroup& group = state.groups[i];
    if (i != state.current && group.state == WarpGroup::State::waiting && group.barrier.storage == view.storage &&
        group.barrier.base == view.base)
      return i;
  }
  return kMostGroups;
}

// Operand 0 of all: the barrier; 1: a predicate, or none.

const Step* step_init(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const BarrierStep*>(step->record);
  const View view = view_at(machine, step, step->operand[0]);
  if (view.storage == kNoSlot || view.base + record.bytes > bytes_of_storage(machine, view.storage)) return step + 1;
  BlockState& state = block_state(machine, record.block);
  if (const Barrier* known = find_barrier(state, view); known != nullptr)
    report_at(machine, step, FindingCode::LS417, "makes a barrier where one is that has not been invalidated",
              {{"it was made here", known->site}}, "invalidate it first: ttng.inval_barrier");
  Barrier* barrier = add_barrier(state, view, step->site);
  if (barrier == nullptr) {
    report_at(machine, step, FindingCode::LS417,
              "makes more barriers than Lockstep follows: " + std::to_string(kMostBarriers));
    return step + 1;
  }
  barrier->count = barrier->pending = record.arrivals;
  mark_written(machine, view.storage, view.base, record.bytes);
  return step + 1;
}

const Step* step_inval(Machine& machine, const Step* step) {
  BlockState& state = block_state(machine, static_cast<const BarrierStep*>(step->record)->block);
  const Barrier* barrier = barrier_at(machine, step, state);
  if (barrier == nullptr) return step + 1;
  const View view = unpack(machine.slots[step->operand[0]].base);
  const std::uint32_t waiting = waiting_at(state, view);
  if (waiting != kMostGroups)
    report_at(machine, step, FindingCode::LS417,
              "invalidates a barrier that " + name_of_group(state, waiting) + " waits for",
              {{"it waits here", state.groups[waiting].site}});
  check_end_of_barrier(machine, step, state, *barrier, "a barrier is invalidated");
  remove_barrier(state, view);
  return step + 1;
}

const Step* step_arrive(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const BarrierStep*>(step->record);
  if (!is_on(machine, step)) return step + 1;
  BlockState& state = block_state(machine, record.block);
  Barrier* barrier = barrier_at(machine, step, state);
  if (barrier == nullptr) return step + 1;
  Arrival arrival;
  arrival.arrivals = record.arrivals;
  arrival.expected = record.expected;
  arrival.group = state.current;
  arrival.sight = sight_of(state, state.current);
  arrive(machine, step, *barrier, arrival);
  return go_on(machine, record.block, step + 1);
}

// ---- arrivals of operations ----

bool complete_arrival(Machine& machine, const FlightKind& kind, const Flight& flight, Tile*) {
  const auto& record = static_cast<const BarrierStep&>(kind);
  Arrival arrival;
  arrival.arrivals = record.arrivals;
  arrival.group = flight.group;
  arrival.sight = sight_after(flight);
  arrive_at(machine, flight.step, record.block, flight.barrier, arrival);
  return true;
}

/// The barrier is told when all operations so far of the group in the queue are over.
const Step* step_arrive_after(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const BarrierStep*>(step->record);
  if (!is_on(machine, step)) return step + 1;
  BlockState& state = block_state(machine, record.block);
  Barrier* barrier = barrier_at(machine, step, state);
  if (barrier == nullptr) return step + 1;
  if (record.raises) barrier->pending += record.arrivals;
  Flight flight;
  flight.kind = &record;
  flight.step = step;
  flight.queue = record.queue;
  flight.number = current_group(state).filling[queue_index(record.queue)];
  flight.barrier = unpack(machine.slots[step->operand[0]].base);
  flight.own = operations_of(state, state.current, record.queue);
  if (record.queue == Queue::tensor) ++current_group(state).filling[queue_index(Queue::tensor)];
  return issue(machine, flight, {}) ? step + 1 : nullptr;
}

/// Operands: the barrier, the predicate or none, the parity.
const Step* step_wait(Machine& machine, const Step* step) {
  if (!is_on(machine, step)) return step + 1;
  const Slot block = static_cast<const BarrierStep*>(step->record)->block;
  BlockState& state = block_state(machine, block);
  Barrier* barrier = barrier_at(machine, step, state);
  if (barrier == nullptr) return step + 1;
  const std::uint64_t parity = machine.slots[step->operand[2]].base & 1;
  if (!passes(*barrier, parity))
    return wait_for_barrier(machine, step, block, unpack(machine.slots[step->operand[0]].base), parity);
  see(state, state.current, barrier->done);
  std::uint32_t& passed = barrier->passed[state.current];
  const std::uint32_t wanted = passed + ((passed ^ static_cast<std::uint32_t>(parity)) & 1);  // the next of its parity
  if (wanted < barrier->phase) passed = wanted + 1;
  return go_on(machine, block, step + 1);
}

bool plan_barrier_step(PlanBuilder& builder, const ir::Op& op, StepFunction run, const ir::Value* predicate,
                       BarrierStep record, Slot parity = kNoSlot) {
  record.block = block_slot(builder);
  const Slot barrier = builder.operand(op, 0);
  const Slot on = predicate != nullptr ? builder.slot_of(predicate) : kNoSlot;
  const ir::Type type = op.operand(0)->type();
  const std::vector<std::int64_t>& shape = type.pointee().shape();
  if (barrier == kNoSlot) return false;
  if (shape.size() != 1 || type.layout() == nullptr || shape[0] != pieces_of(type))
    return builder.unsupported(op, "barriers that are not a word in each block are");
  record.bytes = kBarrierBytes * shape[0];
  if (op.attribute("fromCTA") || op.integer_attribute("multicastCTA", 0) != 0)
    return builder.unsupported(op, "barriers of other blocks of a cluster are");
  Step& step = builder.append_bare(run, op);
  step.operand = {barrier, on, parity, kNoSlot};
  step.operand_count = on == kNoSlot ? 1 : 2;
  step.record = builder.record(record);
  return true;
}

}  // namespace

bool evaluate_init_barrier(PlanBuilder& builder, const ir::Op& op) {
  BarrierStep record;
  record.arrivals = static_cast<std::int32_t>(op.integer_attribute("count", 1));
  return plan_barrier_step(builder, op, step_init, nullptr, record);
}

bool evaluate_inval_barrier(PlanBuilder& builder, const ir::Op& op) {
  return plan_barrier_step(builder, op, step_inval, nullptr, {});
}

bool evaluate_barrier_expect(PlanBuilder& builder, const ir::Op& op) {
  BarrierStep record;
  record.arrivals = 1;
  record.expected = op.integer_attribute("size", 0);
  return plan_barrier_step(builder, op, step_arrive, op.operand(1), record);
}

bool evaluate_arrive_barrier(PlanBuilder& builder, const ir::Op& op) {
  BarrierStep record;
  record.arrivals = static_cast<std::int32_t>(op.integer_attribute("count", 1));
  return plan_barrier_step(builder, op, step_arrive, op.operand_or_null(1), record);
}

bool evaluate_wait_barrier(PlanBuilder& builder, const ir::Op& op) {
  const Slot parity = builder.operand(op, 1);
  return parity != kNoSlot && plan_barrier_step(builder, op, step_wait, op.operand_or_null(2), {}, parity);
}

bool evaluate_copies_arrive(PlanBuilder& builder, const ir::Op& op) {
  BarrierStep record;
  record.complete = complete_arrival;
  record.queue = Queue::copies;
  record.arrivals = static_cast<std::int32_t>(kLanes * warps_around(op));
  record.raises = !op.attribute("noIncrement");
  return plan_barrier_step(builder, op, step_arrive_after, nullptr, record);
}

bool evaluate_tensor_commit(PlanBuilder& builder, const ir::Op& op) {
  BarrierStep record;
  record.complete = complete_arrival;
  record.queue = Queue::tensor;
  record.arrivals = 1;
  return plan_barrier_step(builder, op, step_arrive_after, op.operand_or_null(1), record);
}

}  // namespace lockstep::interpreter
