#include "interpreter/shared_memory/product_ops.h"

#include <string>
#include <utility>
#include <vector>

#include "interpreter/evaluators/buffer_steps.h"
#include "interpreter/evaluators/dot_bits.h"
#include "interpreter/gpu_bits/marks.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/shared_memory/buffer_ops.h"

namespace lockstep::interpreter {

namespace {

/// A factor: its slot, and its view where it lies in a buffer.
struct Factor {
  Slot tile = kNoSlot, view = kNoSlot;
  const ViewAccess* access = nullptr;
};

/// A view that the product reads until it is over, or writes.
struct Used {
  Slot view = kNoSlot;
  const ViewAccess* access = nullptr;
  bool is_write = false;
};

struct ProductNote {
  Slot block = kNoSlot;
  Queue queue = Queue::products;
  bool is_async = false;
  std::vector<Used> used;
  std::vector<std::pair<Slot, Slot>> barriers;  // and whether it arrives there
};

/// Operands: the view, perhaps whether the product adds to what it holds.
const Step* step_read_operand(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const ViewAccess*>(step->record);
  const bool is_used = step->operand_count < 2 || (machine.slots[step->operand[1]].base & 1) != 0;
  const View view = is_used ? view_at(machine, step, step->operand[0], access.places) : View{};
  if (view.storage == kNoSlot) {
    machine.set(step->result, uniform_tile(0));
    return step + 1;
  }
  check_access(machine, step, block_state(machine, access.block), view, access.places, false, Queue::tensor);
  machine.set(step->result, read_view(machine, step, view, access.places));
  return step + 1;
}

/// Operands: the accumulator, and whether it is used.
const Step* step_choose_start(Machine& machine, const Step* step) {
  Tile& from = machine.slots[step->operand[0]];
  if ((machine.slots[step->operand[1]].base & 1) == 0) {
    machine.set(step->result, uniform_tile(0));
    return machine.finish(step);
  }
  const Tile taken = from;
  if ((step->dies & 1) != 0) {
    from.buffer = nullptr;
  } else {
    BufferPool::retain(from);
  }
  machine.set(step->result, taken);
  return step + 1;
}

/// Operands: the tile, the view of the result.
const Step* step_write_result(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const ViewAccess*>(step->record);
  const View view = view_at(machine, step, step->operand[1], access.places);
  if (view.storage == kNoSlot) return machine.finish(step);
  check_access(machine, step, block_state(machine, access.block), view, access.places, true, Queue::tensor);
  write_view(machine, view, access.places, machine.slots[step->operand[0]]);
  return machine.finish(step);
}

void arrive_at(Machine& machine, const Step* step, BlockState& state, Slot slot) {
  const View view = view_at(machine, step, slot);
  if (view.storage == kNoSlot) return;
  Barrier* barrier = find_barrier(state, view);
  if (barrier == nullptr)
    return report_at(machine, step, FindingCode::LS901, "uses a barrier that was not made with ttng.init_barrier");
  barrier->arrived[queue_index(Queue::tensor)] = state.group[queue_index(Queue::tensor)];
  if (!arrive(*barrier, 1, 0))
    report_at(machine, step, FindingCode::LS901,
              "more arrivals at a barrier than its phase waits for: " + std::to_string(barrier->count));
}

/// A product has begun.
const Step* step_note_product(Machine& machine, const Step* step) {
  const auto& note = *static_cast<const ProductNote*>(step->record);
  BlockState& state = block_state(machine, note.block);
  for (const Used& used : note.used) {
    UnderWay operation;
    operation.queue = note.queue;
    operation.is_write = used.is_write;
    operation.site = step->site;
    operation.view = unpack(machine.slots[used.view].base);
    operation.places = &used.access->places;
    operation.number = state.group[queue_index(note.queue)];
    if (note.is_async && operation.view.storage != kNoSlot) begin_operation(state, operation);
  }
  for (const auto& [barrier, is_on] : note.barriers) {
    if ((machine.slots[is_on].base & 1) != 0) arrive_at(machine, step, state, barrier);
  }
  ++state.group[queue_index(note.queue)];
  return step + 1;
}

struct DotWait {
  Slot block = kNoSlot;
  std::uint64_t pending = 0;
};

const Step* step_wait_for_products(Machine& machine, const Step* step) {
  const auto& wait = *static_cast<const DotWait*>(step->record);
  BlockState& state = block_state(machine, wait.block);
  const std::uint64_t issued = state.group[queue_index(Queue::products)] - 1;
  if (issued >= wait.pending) end_operations(state, Queue::products, issued - wait.pending);
  return step + 1;
}

const Step* step_jump_unless_on(Machine& machine, const Step* step) {
  return (machine.slots[step->operand[0]].base & 1) != 0 ? step + 1 : step->target;
}

/// Reads the operand of a buffer into a slot. `is_used`: kNoSlot, or the slot of a condition; zeros where it is false.
bool plan_factor(PlanBuilder& builder, const ir::Op& op, const ir::Value* value, Slot is_used, Factor& out) {
  const Slot slot = builder.slot_of(value);
  if (slot == kNoSlot) return false;
  if (!value->type().is_memdesc()) {
    out.tile = slot;
    return true;
  }
  out.view = slot;
  out.access = plan_view_access(builder, op, value->type());
  if (out.access == nullptr) return false;
  out.tile = builder.new_slot(out.access->places.tile);
  Step& step = builder.append_bare(step_read_operand, op);
  step.operand = {slot, is_used, kNoSlot, kNoSlot};
  step.operand_count = is_used == kNoSlot ? 1 : 2;
  step.result = out.tile;
  step.type = out.access->places.tile;
  step.record = out.access;
  return true;
}

std::uint8_t dying(PlanBuilder& builder, const ir::Op& op, const ir::Value* value, const Factor& factor) {
  return factor.view != kNoSlot || builder.dies_at(value, op) ? 1 : 0;
}

bool append_product(PlanBuilder& builder, const ir::Op& op, const Factor& a, const Factor& b, Slot c,
                    std::uint8_t c_dies, Slot result) {
  const auto dies = static_cast<std::uint8_t>(dying(builder, op, op.operand(0), a) |
                                              dying(builder, op, op.operand(1), b) << 1 | c_dies << 2);
  const std::int64_t products = gpu_bits::marked_products(op);
  Step& step = products > 0 ? append_dot_bits(builder, op) : append_dot(builder, op);
  step.operand = {a.tile, b.tile, c, kNoSlot};
  step.operand_count = 3;
  step.dies = dies;
  step.result = result;
  step.type = builder.type(result);
  DotFacts facts;
  if (op.operand(2)->type().is_memdesc()) facts.precision = 0;  // the tensor core takes f32 as tf32
  return plan_dot(builder, op, step, facts) && (products <= 0 || plan_dot_bits(builder, op, step, products));
}

void append_note(PlanBuilder& builder, const ir::Op& op, ProductNote note, const Factor& a, const Factor& b) {
  note.block = block_slot(builder);
  for (const Factor* factor : {&a, &b}) {
    if (factor->view != kNoSlot) note.used.push_back({factor->view, factor->access, false});
  }
  builder.append_bare(step_note_product, op).record = builder.record(std::move(note));
}

}  // namespace

bool evaluate_warp_group_dot(PlanBuilder& builder, const ir::Op& op) {
  Factor a, b;
  const ir::Value* accumulator = op.operand(2);
  const ir::Value* is_used = op.operand_or_null(3);
  if (!plan_factor(builder, op, op.operand(0), kNoSlot, a) || !plan_factor(builder, op, op.operand(1), kNoSlot, b))
    return false;
  Slot c = builder.slot_of(accumulator);
  const Slot result = builder.result(op);
  if (c == kNoSlot || result == kNoSlot) return false;
  std::uint8_t c_dies = builder.dies_at(accumulator, op) ? 1 : 0;
  if (is_used != nullptr) {
    const Slot start = builder.new_slot(builder.type(c));
    const Slot condition = builder.slot_of(is_used);
    Step& choose = builder.append_bare(step_choose_start, op);
    choose.operand = {c, condition, kNoSlot, kNoSlot};
    choose.operand_count = 2;
    choose.dies = c_dies;
    choose.result = start;
    c = start;
    c_dies = 1;
  }
  if (!append_product(builder, op, a, b, c, c_dies, result)) return false;
  ProductNote note;
  note.is_async = op.integer_attribute("isAsync", 0) != 0;
  append_note(builder, op, std::move(note), a, b);
  return true;
}

bool evaluate_warp_group_dot_wait(PlanBuilder& builder, const ir::Op& op) {
  std::vector<Move> moves;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Slot from = builder.operand(op, i), to = builder.result(op, i);
    if (from == kNoSlot || to == kNoSlot) return false;
    moves.push_back({from, to, builder.dies_at(op.operand(i), op)});
  }
  builder.append_moves(std::move(moves), op);
  DotWait wait;
  wait.block = block_slot(builder);
  wait.pending = static_cast<std::uint64_t>(op.integer_attribute("pendings", 0));
  builder.append_bare(step_wait_for_products, op).record = builder.record(wait);
  return true;
}

bool evaluate_tensor_product(PlanBuilder& builder, const ir::Op& op) {
  if (op.attribute("two_ctas") || op.attribute("multicast"))
    return builder.unsupported(op, "products of several blocks of a cluster are");
  if (op.attribute("is_unsigned")) return builder.unsupported(op, "products of unsigned integers are");
  const Slot adds = builder.slot_of(op.operand_group(4)[0]), acts = builder.slot_of(op.operand_group(5)[0]);
  if (op.result_count() != 0) builder.bind_constant(op.result(), uniform_tile(0));
  const PlanBuilder::Label end = builder.new_label();
  Step& skip = builder.append_bare(step_jump_unless_on, op);
  skip.operand[0] = acts;
  skip.operand_count = 1;
  builder.set_target(skip, end);
  Factor a, b, d;
  if (!plan_factor(builder, op, op.operand(0), kNoSlot, a) || !plan_factor(builder, op, op.operand(1), kNoSlot, b) ||
      !plan_factor(builder, op, op.operand(2), adds, d))
    return false;
  const Slot result = builder.new_slot(builder.type(d.tile));
  if (!append_product(builder, op, a, b, d.tile, 1, result)) return false;
  Step& write = builder.append_bare(step_write_result, op);
  write.operand = {result, d.view, kNoSlot, kNoSlot};
  write.operand_count = 2;
  write.dies = 1;
  write.record = d.access;
  ProductNote note;
  note.queue = Queue::tensor;
  const std::vector<ir::Value*> barriers = op.operand_group(6), on = op.operand_group(7);
  for (std::size_t i = 0; i < barriers.size(); ++i)
    note.barriers.emplace_back(builder.slot_of(barriers[i]), builder.slot_of(on[i]));
  note.is_async = op.attribute("is_async") || !barriers.empty();
  note.used.push_back({d.view, d.access, true});
  append_note(builder, op, std::move(note), a, b);
  builder.place(end);
  return true;
}

}  // namespace lockstep::interpreter
