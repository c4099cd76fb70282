#include "interpreter/shared_memory/buffer_ops.h"

#include <string>

#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/shared_steps.h"
#include "interpreter/shared_memory/block_slot.h"
#include "interpreter/shared_memory/barriers.h"
#include "interpreter/shared_memory/flights.h"
#include "interpreter/shared_memory/plan_places.h"
#include "interpreter/shared_memory/touches.h"
#include "ir/layouts/encoding.h"

namespace lockstep::interpreter {

namespace {

// ---- steps ----

struct NewBuffer {
  std::int64_t bytes = 0;
  Slot storage = kNoSlot, block = kNoSlot;
};

const Step* step_new_buffer(Machine& machine, const Step* step) {
  const auto& made = *static_cast<const NewBuffer*>(step->record);
  if (machine.slots[made.storage].buffer != nullptr) {
    if (!complete_buffer(machine, made.block, made.storage)) return nullptr;
    end_buffer(machine, step, block_state(machine, made.block), made.storage, "makes the buffer again: ");
    const BlockState& state = block_state(machine, made.block);
    for (std::uint32_t i = 0; i < state.barrier_count; ++i) {
      if (state.barriers[i].storage == made.storage)
        check_end_of_barrier(machine, step, state, state.barriers[i], "the buffer of a barrier is made again");
    }
    remove_barriers(block_state(machine, made.block), made.storage);
  }
  start_storage(machine, made.storage, made.bytes, step->site);
  set_uniform(machine.slots[step->result], pack({made.storage, 0, 0}));
  return step + 1;
}

/// Operand 0: the view.
const Step* step_end_buffer(Machine& machine, const Step* step) {
  const View view = view_at(machine, step, step->operand[0]);
  const Slot block = static_cast<const ViewAccess*>(step->record)->block;
  if (view.storage == kNoSlot) return step + 1;
  if (!complete_buffer(machine, block, view.storage)) return nullptr;
  end_buffer(machine, step, block_state(machine, block), view.storage, "ends a buffer: ");
  return step + 1;
}

/// Operand 0: the view.
const Step* step_read(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const ViewAccess*>(step->record);
  const View view = view_at(machine, step, step->operand[0], access.places);
  if (view.storage == kNoSlot) {
    machine.set(step->result, uniform_tile(0));
    return machine.finish(step);
  }
  note_access(machine, step, access, view, false);
  machine.set(step->result, read_view(machine, step, view, access.places));
  return machine.finish(step);
}

/// Operands: the tile, the view, and perhaps a predicate.
const Step* step_write(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const ViewAccess*>(step->record);
  const bool acts = step->operand_count < 3 || (machine.slots[step->operand[2]].base & 1) != 0;
  const View view = acts ? view_at(machine, step, step->operand[1], access.places) : View{};
  if (view.storage == kNoSlot) return machine.finish(step);
  note_access(machine, step, access, view, true);
  write_view(machine, view, access.places, machine.slots[step->operand[0]]);
  return machine.finish(step);
}

struct Ring {
  std::int64_t extent = 1, bytes = 0;
};

/// Operands: the ring, the index.
const Step* step_index(Machine& machine, const Step* step) {
  const auto& ring = *static_cast<const Ring*>(step->record);
  View view = unpack(machine.slots[step->operand[0]].base);
  const std::int64_t index = sign_extend(ScalarKind::i32, machine.slots[step->operand[1]].base);
  if (view.storage != kNoSlot && (index < 0 || index >= ring.extent)) {
    view = {kNoSlot, 0, 0};  // reported where it is used: a pipelined loop may name buffers that it does not touch
  } else if (view.storage != kNoSlot) {
    view.base += static_cast<std::uint32_t>(index * ring.bytes);
  }
  set_uniform(machine.slots[step->result], pack(view));
  return step + 1;
}

const Step* step_start_at(Machine& machine, const Step* step) {
  View view = unpack(machine.slots[step->operand[0]].base);
  if (view.storage != kNoSlot) view.start ^= static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(step->record));
  set_uniform(machine.slots[step->result], pack(view));
  return step + 1;
}

const Step* step_same_view(Machine& machine, const Step* step) {
  set_uniform(machine.slots[step->result], machine.slots[step->operand[0]].base);
  return step + 1;
}

bool has_slots(const Step& step) {
  for (std::size_t i = 0; i < step.operand_count; ++i) {
    if (step.operand[i] == kNoSlot) return false;
  }
  return true;
}

bool plan_start_at(PlanBuilder& builder, const ir::Op& op, const std::vector<std::int64_t>& start) {
  Step* step = builder.append_with_result(step_start_at, op);
  std::uint32_t place = 0;
  if (step == nullptr || !plan_start(builder, op, op.operand(0)->type(), start, place)) return false;
  step->record = reinterpret_cast<const void*>(std::uintptr_t{place});
  return true;
}

bool has_result_token(const ir::Op& op, std::size_t i) { return op.result_count() > i && op.result(i)->type().is_token(); }

/// Tokens say nothing at run time.
void bind_tokens(PlanBuilder& builder, const ir::Op& op) {
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (has_result_token(op, i)) builder.bind_constant(op.result(i), uniform_tile(0));
  }
}

}  // namespace

View view_at(Machine& machine, const Step* step, Slot slot) {
  const View view = unpack(machine.slots[slot].base);
  if (view.storage == kNoSlot)
    report_at(machine, step, FindingCode::LS101, "uses a buffer whose index is outside of its ring of buffers");
  return view;
}

View view_at(Machine& machine, const Step* step, Slot slot, const ViewPlaces& places) {
  const View view = view_at(machine, step, slot);
  if (view.storage == kNoSlot || is_in_buffer(machine, view, places)) return view;
  report_at(machine, step, FindingCode::LS101, "uses a view that is larger than its buffer");
  return {};
}

Touch touch_in(const ViewAccess& access, const View& view, bool is_write) {
  Touch touch;
  touch.view = view;
  touch.places = &access.places;
  touch.is_write = is_write;
  touch.needs_fence = !access.is_tensor_memory;
  return touch;
}

void note_access(Machine& machine, const Step* step, const ViewAccess& access, const View& view, bool is_write) {
  add_touch(machine, step, block_state(machine, access.block), touch_in(access, view, is_write));
}

const ViewAccess* plan_view_access(PlanBuilder& builder, const ir::Op& op, ir::Type view) {
  ViewAccess access;
  access.block = block_slot(builder);
  access.is_tensor_memory = view.layout() != nullptr && view.layout()->is_tensor_memory();
  return plan_places(builder, op, view, access.places) ? builder.record(std::move(access)) : nullptr;
}

bool evaluate_local_alloc(PlanBuilder& builder, const ir::Op& op) {
  const ir::Type type = op.result()->type();
  NewBuffer made;
  made.bytes = buffer_bytes(builder, op, type);
  if (made.bytes == 0) return false;
  made.block = block_slot(builder);
  made.storage = builder.new_slot(builder.tile_type(ScalarKind::i8, {storage_length(made.bytes)}));
  const Slot result = builder.result(op);
  if (result == kNoSlot) return false;
  bind_tokens(builder, op);
  Step& step = builder.append_bare(step_new_buffer, op);
  step.result = result;
  step.record = builder.record(made);
  step.cost = static_cast<std::uint32_t>(1 + made.bytes / 64);
  if (op.operand_count() == 0) return true;
  const ViewAccess* access = plan_view_access(builder, op, type);
  if (access == nullptr) return false;
  Step& store = builder.append(step_write, op);
  store.operand[1] = result;
  store.operand_count = 2;
  store.record = access;
  return store.operand[0] != kNoSlot;
}

bool evaluate_local_dealloc(PlanBuilder& builder, const ir::Op& op) {
  Step& step = builder.append(step_end_buffer, op);
  ViewAccess access;
  access.block = block_slot(builder);
  step.record = builder.record(std::move(access));
  return has_slots(step);
}

bool evaluate_local_load(PlanBuilder& builder, const ir::Op& op) {
  const ViewAccess* access = plan_view_access(builder, op, op.operand(0)->type());
  if (access == nullptr) return false;
  Step* step = builder.append_with_result(step_read, op);
  if (step == nullptr) return false;
  step->record = access;
  return true;
}

bool evaluate_local_store(PlanBuilder& builder, const ir::Op& op) {
  const ViewAccess* access = plan_view_access(builder, op, op.operand(1)->type());
  if (access == nullptr) return false;
  Step& step = builder.append(step_write, op);
  step.record = access;
  return has_slots(step);
}

bool evaluate_memdesc_index(PlanBuilder& builder, const ir::Op& op) {
  const ir::Type type = op.operand(0)->type();
  Ring ring;
  ring.extent = type.pointee().shape()[0];
  ring.bytes = ring_bytes(builder, op, type);
  if (ring.bytes == 0) return false;
  Step* step = builder.append_with_result(step_index, op);
  if (step == nullptr) return false;
  step->record = builder.record(ring);
  return true;
}

bool evaluate_memdesc_subslice(PlanBuilder& builder, const ir::Op& op) {
  return plan_start_at(builder, op, op.attribute("offsets")->values);
}

bool evaluate_same_buffer(PlanBuilder& builder, const ir::Op& op) {
  return builder.append_with_result(step_same_view, op) != nullptr;
}

bool evaluate_tmem_load(PlanBuilder& builder, const ir::Op& op) {
  if (op.attribute("redOp")) return builder.unsupported(op, "loads with the extrema of rows are");
  bind_tokens(builder, op);
  return evaluate_local_load(builder, op);
}

bool evaluate_tmem_store(PlanBuilder& builder, const ir::Op& op) {
  const ViewAccess* access = plan_view_access(builder, op, op.operand(0)->type());
  if (access == nullptr) return false;
  bind_tokens(builder, op);
  const ir::Value* value = op.operand_group(2)[0];
  Step& step = builder.append_bare(step_write, op);
  step.operand = {builder.slot_of(value), builder.operand(op, 0), builder.slot_of(op.operand_group(3)[0]), kNoSlot};
  step.operand_count = 3;
  step.dies = builder.dies_at(value, op) ? 1 : 0;
  step.record = access;
  return has_slots(step);
}

bool evaluate_tmem_subslice(PlanBuilder& builder, const ir::Op& op) {
  const std::int64_t start = op.integer_attribute("offset", op.integer_attribute("N", 0));
  return op.integer_attribute("dim", 1) == 0 ? plan_start_at(builder, op, {start, 0})
                                             : plan_start_at(builder, op, {0, start});
}

}  // namespace lockstep::interpreter
