#include "interpreter/shared_memory/block_view.h"

#include "interpreter/shared_memory/barriers.h"
#include "interpreter/shared_memory/groups.h"
#include "interpreter/shared_memory/storage.h"

namespace lockstep::interpreter {

using State = WarpGroup::State;

namespace {

std::string text_of_state(const BlockState& state, std::uint32_t index) {
  const WarpGroup& group = state.groups[index];
  const std::string name = name_of_group(state, index);
  const std::string who = name.empty() ? "the program" : name;
  switch (group.state) {
    case State::waiting:
      return (name.empty() ? who + " " : "") + text_of_wait(state, index, find_barrier(state, group.barrier));
    case State::joining: return text_of_wait(state, index, nullptr);
    case State::ended: return who + " has ended";
    default: return who + (index == state.current ? " runs" : " can run");
  }
}

}  // namespace

Slot find_block(const Plan& plan) {
  const std::vector<const TileType*>& types = plan.slot_types;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] != nullptr && types[i]->kind == ScalarKind::i8 && types[i]->count == sizeof(BlockState))
      return static_cast<Slot>(i);
  }
  return kNoSlot;
}

const BlockState* block_in(const std::vector<Tile>& slots, Slot block) {
  if (block == kNoSlot || slots[block].buffer == nullptr) return nullptr;
  return reinterpret_cast<const BlockState*>(slots[block].data());
}

bool is_live_group(const BlockState& state, std::uint32_t group) {
  if (group >= state.group_count) return false;
  return group == 0 || (state.groups[group].state != State::idle && state.groups[group].state != State::ended);
}

std::vector<GroupLine> describe_groups(const BlockState& state) {
  std::vector<GroupLine> lines;
  for (std::uint32_t i = 0; i < state.group_count; ++i) {
    const WarpGroup& group = state.groups[i];
    if (i != 0 && group.state == State::idle) continue;
    const bool waits = group.state == State::waiting || group.state == State::joining;
    lines.push_back({i, name_of_group(state, i), text_of_state(state, i), waits, group.state == State::ended, group.site});
  }
  return lines;
}

const char* text_of_queue(Queue queue) {
  switch (queue) {
    case Queue::copies: return "a copy by threads";
    case Queue::stores: return "a copy to global memory";
    case Queue::products: return "a product of a warp group";
    case Queue::barrier: return "a copy that a barrier counts";
    case Queue::tensor: return "an operation of the tensor core";
    case Queue::none: break;
  }
  return "";
}

const ir::Op* maker_of(const Machine& machine, Slot storage) {
  const bool is_made = storage != kNoSlot && machine.slots[storage].buffer != nullptr;
  return is_made ? machine.plan->sites[site_of_storage(machine, storage)].op : nullptr;
}

std::vector<BlockLine> describe_block(Machine& machine) {
  std::vector<BlockLine> lines;
  const Slot block = find_block(*machine.plan);
  if (block == kNoSlot || machine.slots[block].buffer == nullptr) return lines;
  const BlockState& state = block_state(machine, block);
  const auto place = [&](std::uint32_t site) { return machine.plan->sites[site].location; };
  for (const GroupLine& group : describe_groups(state))
    lines.push_back({BlockLine::Kind::group, group.text, group.waits ? place(group.site) : Location{}, nullptr, 0});
  for (std::uint32_t i = 0; i < state.barrier_count; ++i) {
    const Barrier& one = state.barriers[i];
    const std::string text = "phase " + std::to_string(one.phase) + " is open, parity " +
                             std::to_string(one.phase & 1) + "; it " + missing_at(one);
    lines.push_back({BlockLine::Kind::barrier, text, place(one.site), maker_of(machine, one.storage), one.byte / kBarrierBytes});
  }
  for (const Flight& one : state.flights) {
    if (one.kind == nullptr) continue;
    const std::string name = name_of_group(state, one.group);
    const std::string text = text_of_queue(one.queue) + (name.empty() ? "" : " of " + name);
    lines.push_back({BlockLine::Kind::operation, text, place(one.step->site), maker_of(machine, one.views[0].storage), 0});
  }
  return lines;
}

}  // namespace lockstep::interpreter
