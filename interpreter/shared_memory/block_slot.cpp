#include "interpreter/shared_memory/block_slot.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "interpreter/launch/machine.h"
#include "interpreter/plan/plan_writer.h"
#include "interpreter/shared_memory/barriers.h"
#include "interpreter/shared_memory/flights.h"
#include "interpreter/shared_memory/touches.h"
#include "ir/op_def.h"
#include "ir/walk.h"

namespace lockstep::interpreter {

static_assert(std::is_trivially_copyable_v<BlockState>);

namespace {

const TileType* state_type(PlanWriter& writer) {
  return writer.tile_type(ScalarKind::i8, {static_cast<std::int64_t>(sizeof(BlockState)), 1});
}

const Step* step_start_block(Machine& machine, const Step* step) {
  Tile& tile = machine.slots[step->result];
  if (tile.buffer == nullptr || tile.buffer->references > 1) machine.set(step->result, machine.allocate(*step->type));
  BlockState& state = *reinterpret_cast<BlockState*>(machine.slots[step->result].data());
  state.group_count = 1;
  state.current = state.barrier_count = state.flight_count = state.touch_count = 0;
  state.order = state.clock = state.events = 0;
  state.random = (machine.launch.async_seed + 1) * 0x9e3779b97f4a7c15u + machine.program->number;
  state.groups[0] = WarpGroup{};
  state.groups[0].state = WarpGroup::State::running;
  state.groups[0].filling.fill(1);
  for (Flight& flight : state.flights) flight.kind = nullptr;
  release_flight_tiles(machine, step->result);
  return step + 1;
}

/// Completes what is in flight, and checks that somebody waited for it.
const Step* step_end_block(Machine& machine, const Step* step) {
  if (!complete_buffer(machine, step->operand[0], kNoSlot)) return nullptr;
  BlockState& state = block_state(machine, step->operand[0]);
  check_end_of_program(machine, step, state);
  for (std::uint32_t i = 0; i < state.barrier_count; ++i)
    check_end_of_barrier(machine, step, state, state.barriers[i], "the program ends");
  return step + 1;
}

bool needs_block(const ir::Op& op) {
  if (op.def().acts_in_block) return true;
  const auto is_of_block = [](const ir::Type& type) { return type.is_memdesc() || type.is_token(); };
  for (const ir::Value* value : op.operands()) {
    if (is_of_block(value->type())) return true;
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (is_of_block(op.result(i)->type())) return true;
  }
  return false;
}

}  // namespace

void plan_block_state(PlanWriter& writer, const ir::Op& function) {
  const ir::Op* around = function.parent_op();
  bool is_needed = false;
  ir::walk(around != nullptr ? *around : function, [&](const ir::Op& op) { is_needed = is_needed || needs_block(op); });
  if (!is_needed) return;
  const TileType* type = state_type(writer);
  Step& step = writer.append_bare(step_start_block, function);
  step.result = writer.new_slot(type);
  step.type = type;
  step.cost = 1;
  plan_flight_slots(writer);
}

void plan_end_of_block(PlanWriter& writer, const ir::Op& end) {
  const Slot block = block_slot(writer);
  if (block == kNoSlot) return;
  Step& step = writer.append_bare(step_end_block, end);
  step.operand[0] = block;
  step.operand_count = 1;
}

Slot block_slot(PlanWriter& writer) {
  const std::vector<const TileType*>& types = writer.plan().slot_types;
  const auto at = std::find(types.begin(), types.end(), state_type(writer));
  return at == types.end() ? kNoSlot : static_cast<Slot>(at - types.begin());
}

}  // namespace lockstep::interpreter
