#include "interpreter/shared_memory/barrier_ops.h"

#include <string>

#include "interpreter/plan/plan_builder.h"
#include "interpreter/shared_memory/buffer_ops.h"

namespace lockstep::interpreter {

namespace {

constexpr std::int64_t kBarrierBytes = 8;
constexpr std::int64_t kLanes = 32;

struct BarrierStep {
  Slot block = kNoSlot;
  std::int32_t arrivals = 0;
  std::int64_t bytes = 0;  // that came; negative: expected
  /// The queue whose operations so far the arrival stands for.
  bool has_queue = false;
  Queue queue = Queue::copies;
};

bool is_on(const Machine& machine, const Step* step) {
  return step->operand[1] == kNoSlot || (machine.slots[step->operand[1]].base & 1) != 0;
}

/// Null: reported.
Barrier* barrier_at(Machine& machine, const Step* step, BlockState& state) {
  const View view = view_at(machine, step, step->operand[0]);
  if (view.storage == kNoSlot) return nullptr;
  Barrier* barrier = find_barrier(state, view);
  if (barrier == nullptr)
    report_at(machine, step, FindingCode::LS901, "uses a barrier that was not made with ttng.init_barrier");
  return barrier;
}

// Operand 0 of all: the barrier; 1: a predicate, or none.

const Step* step_init(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const BarrierStep*>(step->record);
  const View view = view_at(machine, step, step->operand[0]);
  if (view.storage == kNoSlot || view.base + kBarrierBytes > bytes_of_storage(machine, view.storage)) return step + 1;
  Barrier* barrier = add_barrier(block_state(machine, record.block), view);
  if (barrier == nullptr) {
    report_at(machine, step, FindingCode::LS901, "makes more barriers than Lockstep follows");
    return step + 1;
  }
  barrier->count = barrier->pending = record.arrivals;
  mark_written(machine, view.storage, view.base, kBarrierBytes);
  return step + 1;
}

const Step* step_inval(Machine& machine, const Step* step) {
  BlockState& state = block_state(machine, static_cast<const BarrierStep*>(step->record)->block);
  if (barrier_at(machine, step, state) != nullptr) remove_barrier(state, unpack(machine.slots[step->operand[0]].base));
  return step + 1;
}

const Step* step_arrive(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const BarrierStep*>(step->record);
  if (!is_on(machine, step)) return step + 1;
  BlockState& state = block_state(machine, record.block);
  Barrier* barrier = barrier_at(machine, step, state);
  if (barrier == nullptr) return step + 1;
  const auto queue = static_cast<std::size_t>(record.queue);
  if (record.has_queue) barrier->arrived[queue] = state.group[queue];
  if (record.has_queue && record.queue == Queue::tensor) ++state.group[queue];
  if (!arrive(*barrier, record.arrivals, record.bytes))
    report_at(machine, step, FindingCode::LS901,
              "more arrivals at a barrier than its phase waits for: " + std::to_string(barrier->count));
  return step + 1;
}

std::string missing(const Barrier& barrier) {
  std::string text;
  if (barrier.pending != 0)
    text = std::to_string(barrier.pending) + " of " + std::to_string(barrier.count) + " arrivals";
  if (barrier.bytes > 0) text += (text.empty() ? "" : " and ") + std::to_string(barrier.bytes) + " bytes";
  if (barrier.bytes < 0) text += (text.empty() ? "" : ", and ") + std::to_string(-barrier.bytes) + " bytes too many came";
  return text.empty() ? "a whole phase" : text;
}

/// Operands: the barrier, the predicate or none, the parity.
const Step* step_wait(Machine& machine, const Step* step) {
  if (!is_on(machine, step)) return step + 1;
  BlockState& state = block_state(machine, static_cast<const BarrierStep*>(step->record)->block);
  Barrier* barrier = barrier_at(machine, step, state);
  if (barrier == nullptr) return step + 1;
  const std::uint64_t parity = machine.slots[step->operand[2]].base & 1;
  if ((barrier->phase & 1) != parity) {
    end_operations_of(state, *barrier);
    return step + 1;
  }
  report_at(machine, step, FindingCode::LS901,
            "waits forever: phase " + std::to_string(barrier->phase) + " of the barrier, whose parity is " +
                std::to_string(parity) + ", misses " + missing(*barrier) + ", and nothing is left that could come");
  machine.status = Status::done;
  return nullptr;
}

bool plan_barrier_step(PlanBuilder& builder, const ir::Op& op, StepFunction run, const ir::Value* predicate,
                       BarrierStep record, Slot parity = kNoSlot) {
  record.block = block_slot(builder);
  const Slot barrier = builder.operand(op, 0);
  const Slot on = predicate != nullptr ? builder.slot_of(predicate) : kNoSlot;
  if (barrier == kNoSlot || op.operand(0)->type().pointee().shape() != std::vector<std::int64_t>{1})
    return builder.unsupported(op, "barriers of several blocks of a cluster are");
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
  record.bytes = -op.integer_attribute("size", 0);
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
  const ir::Op* top = &op;
  while (top->parent_op() != nullptr) top = top->parent_op();
  BarrierStep record;
  record.has_queue = true;
  if (op.attribute("noIncrement"))
    record.arrivals = static_cast<std::int32_t>(kLanes * top->integer_attribute("ttg.num-warps", 4));
  return plan_barrier_step(builder, op, step_arrive, nullptr, record);
}

bool evaluate_tensor_commit(PlanBuilder& builder, const ir::Op& op) {
  BarrierStep record;
  record.arrivals = 1;
  record.has_queue = true;
  record.queue = Queue::tensor;
  return plan_barrier_step(builder, op, step_arrive, op.operand_or_null(1), record);
}

}  // namespace lockstep::interpreter
