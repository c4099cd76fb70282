#include "interpreter/shared_memory/groups.h"

#include <string>
#include <utility>
#include <vector>

#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/shared_steps.h"
#include "interpreter/shared_memory/block_slot.h"
#include "interpreter/shared_memory/barriers.h"
#include "interpreter/shared_memory/flights.h"
#include "interpreter/shared_memory/storage.h"
#include "interpreter/shared_memory/touches.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

namespace {

using State = WarpGroup::State;

bool can_go_on(BlockState& state, std::uint32_t index) {
  const WarpGroup& group = state.groups[index];
  switch (group.state) {
    case State::idle:
    case State::ended: return false;
    case State::running: return true;
    case State::waiting: {
      const Barrier* barrier = find_barrier(state, group.barrier);
      return barrier == nullptr || passes(*barrier, group.parity);
    }
    case State::joining:
      for (std::uint32_t i = 1; i < state.group_count; ++i) {
        if (state.groups[i].state != State::ended) return false;
      }
      return true;
  }
  return false;
}

/// kMostGroups: none.
std::uint32_t next_group(Machine& machine, BlockState& state) {
  std::uint32_t first = state.current + 1;
  if (machine.launch.async_order == AsyncOrder::random)
    first = static_cast<std::uint32_t>(draw(state, state.group_count));
  for (std::uint32_t i = 0; i < state.group_count; ++i) {
    const std::uint32_t index = (first + i) % state.group_count;
    if (can_go_on(state, index)) return index;
  }
  return kMostGroups;
}

// ---- deadlock ----

/// Where the group that arrived at the barrier last is now.
std::string text_of_last(const BlockState& state, const Barrier& barrier) {
  const std::string name = name_of_group(state, barrier.last_group);
  std::string text = (name.empty() ? "the last arrival" : name + " arrived last") + std::string(" at this barrier");
  if (name.empty()) return text;
  switch (state.groups[barrier.last_group].state) {
    case State::ended: return text + "; it has ended";
    case State::waiting: return text + "; it waits, too";
    default: return text;
  }
}

/// Phases went by that the group did not see: a parity does not tell the phase that it wants from the open one.
std::string text_of_passed(const Barrier& barrier, std::uint32_t passed) {
  const std::string last = passed == 0 ? "no wait of it for this barrier has passed yet"
                                       : "it has waited for phases up to " + std::to_string(passed - 1) + " of this barrier";
  return last + "; phases " + std::to_string(passed) + " to " + std::to_string(barrier.phase - 1) +
         " are over, and phase " + std::to_string(barrier.phase) + " has the parity of phase " + std::to_string(passed);
}

/// The groups that wait, those that others wait for first.
std::uint32_t first_waiting(const BlockState& state) {
  for (std::uint32_t i = 0; i < state.group_count; ++i) {
    if (state.groups[i].state == State::waiting) return i;
  }
  return 0;
}

void report_blocked(Machine& machine, BlockState& state) {
  const std::uint32_t first = first_waiting(state);
  std::vector<Note> notes;
  std::string message, hint;
  const Step* at = state.groups[first].next;
  for (std::uint32_t i = 0; i < state.group_count; ++i) {
    const WarpGroup& group = state.groups[i];
    if (group.state != State::waiting && group.state != State::joining) continue;
    const Barrier* barrier = group.state == State::waiting ? find_barrier(state, group.barrier) : nullptr;
    const std::string text = text_of_wait(state, i, barrier);
    if (i == first) {
      message = state.group_count == 1 && barrier != nullptr
                    ? "waits forever: phase " + std::to_string(barrier->phase) + " of the barrier, whose parity is " +
                          std::to_string(group.parity) + ", " + missing_at(*barrier) +
                          ", and nothing is left that could come"
                    : text + ", and nothing is left that could come";
    } else {
      notes.push_back({text, group.site});
    }
    if (barrier == nullptr) continue;
    if (barrier->phase >= barrier->passed[i] + 2) {
      notes.push_back({text_of_passed(*barrier, barrier->passed[i]), group.site});
      hint = "the group that arrives must not be two phases ahead: let it wait until this one has seen the phase, or "
             "count all arrivals of a phase in ttng.init_barrier";
    }
    notes.push_back({"the barrier is made here", barrier->site});
    if (barrier->arrivals != 0) notes.push_back({text_of_last(state, *barrier), barrier->last_site});
    if (barrier->bytes < 0) hint = "copies bring more bytes than ttng.barrier_expect says: the phase never ends";
    if (barrier->bytes > 0 && barrier->pending == 0)
      hint = "copies bring fewer bytes than ttng.barrier_expect says, or went to another barrier";
  }
  report_at(machine, at, FindingCode::LS901, std::move(message), notes, std::move(hint));
}

// ---- who runs ----

std::vector<View> wanted_barriers(const BlockState& state) {
  std::vector<View> wanted;
  for (std::uint32_t i = 0; i < state.group_count; ++i) {
    if (state.groups[i].state == State::waiting) wanted.push_back(state.groups[i].barrier);
  }
  return wanted;
}

/// Null: the program ends.
const Step* switch_group(Machine& machine, Slot block) {
  while (true) {
    BlockState& state = block_state(machine, block);
    const std::uint32_t next = next_group(machine, state);
    if (next != kMostGroups) {
      state.clock += state.current != next ? 1 : 0;
      state.current = next;
      WarpGroup& group = current_group(state);
      group.state = State::running;
      return group.next;
    }
    bool was_none = false;
    if (!complete_one(machine, block, wanted_barriers(state), was_none)) return nullptr;
    if (!was_none) continue;
    report_blocked(machine, block_state(machine, block));
    machine.status = Status::done;
    return nullptr;
  }
}

struct Fork {
  Slot block = kNoSlot;
  std::vector<const Step*> entries;  // of the partitions
};

const Step* step_fork(Machine& machine, const Step* step) {
  const auto& fork = *static_cast<const Fork*>(step->record);
  BlockState& state = block_state(machine, fork.block);
  state.group_count = static_cast<std::uint32_t>(fork.entries.size()) + 1;
  state.current = 0;
  for (std::size_t i = 0; i < fork.entries.size(); ++i) {
    WarpGroup& group = state.groups[i + 1];
    group = WarpGroup{};
    group.state = State::running;
    group.next = fork.entries[i];
    group.filling.fill(1);
  }
  join_groups(state);
  return go_on(machine, fork.block, step + 1);
}

const Step* step_join(Machine& machine, const Step* step) {
  const Slot block = static_cast<const Fork*>(step->record)->block;
  BlockState& state = block_state(machine, block);
  WarpGroup& group = current_group(state);
  group.state = State::joining;
  if (!can_go_on(state, 0)) {
    group.next = step;
    group.site = step->site;
    group.since = state.clock;
    return switch_group(machine, block);
  }
  group.state = State::running;
  join_groups(state);
  for (std::uint32_t i = 1; i < state.group_count; ++i) state.groups[i].state = State::idle;
  return step + 1;
}

const Step* step_end_group(Machine& machine, const Step* step) {
  const Slot block = static_cast<const Fork*>(step->record)->block;
  current_group(block_state(machine, block)).state = State::ended;
  return switch_group(machine, block);
}

bool plan_region(PlanBuilder& builder, const ir::Region& region) {
  return region.blocks().size() == 1 ? builder.plan_block(region.front()) : builder.plan_cfg(region);
}

bool is_in_partition(const ir::Op& op) {
  for (const ir::Op* around = op.parent_op(); around != nullptr; around = around->parent_op()) {
    if (around->def().isolates_later_regions) return true;
  }
  return false;
}

}  // namespace

std::string text_of_wait(const BlockState& state, std::uint32_t index, const Barrier* barrier) {
  const WarpGroup& group = state.groups[index];
  const std::string name = name_of_group(state, index);
  if (group.state == State::joining) return name + " waits for the other groups to end";
  std::string text = name.empty() ? "waits" : name + " waits";
  if (barrier == nullptr) return text;
  return text + " for phase " + std::to_string(barrier->phase) + " of the barrier, parity " +
         std::to_string(group.parity) + ", which " + missing_at(*barrier);
}

const Step* wait_for_barrier(Machine& machine, const Step* step, Slot block, const View& view, std::uint64_t parity) {
  BlockState& state = block_state(machine, block);
  WarpGroup& group = current_group(state);
  group.state = State::waiting;
  group.next = step;
  group.site = step->site;
  group.barrier = view;
  group.parity = parity;
  group.since = state.clock;
  return switch_group(machine, block);
}

namespace {

/// Another group could run now. Where none can, to let the others run first changes nothing.
bool has_other_to_run(BlockState& state) {
  for (std::uint32_t i = 0; i < state.group_count; ++i) {
    if (i != state.current && can_go_on(state, i)) return true;
  }
  return false;
}

}  // namespace

const Step* go_on(Machine& machine, Slot block, const Step* next) {
  if (machine.launch.async_order == AsyncOrder::early) return next;
  const bool is_random = machine.launch.async_order == AsyncOrder::random;
  if (is_random && !complete_some(machine, block)) return nullptr;
  BlockState& state = block_state(machine, block);
  if (state.group_count == 1) return next;
  if (is_random ? draw(state, 2) == 0 : !has_other_to_run(state) || !is_turned_round(machine, state)) return next;
  current_group(state).next = next;
  return switch_group(machine, block);
}

std::int64_t warps_around(const ir::Op& op) {
  const ir::Op* top = &op;
  while (top->parent_op() != nullptr) {
    const ir::Op* around = top->parent_op();
    if (around->def().isolates_later_regions) {
      const ir::Attribute warps = around->attribute("partitionNumWarps");
      for (std::size_t i = 1; i < around->regions().size() && warps; ++i) {
        if (&around->region(i) == top->block()->parent() && i - 1 < warps->values.size())
          return warps->values[i - 1];
      }
    }
    top = around;
  }
  return top->integer_attribute("ttg.num-warps", 4);
}

bool evaluate_warp_specialize(PlanBuilder& builder, const ir::Op& op) {
  if (op.regions().size() > kMostGroups) return builder.unsupported(op, "more than 16 partitions are");
  if (builder.is_in_sub_region() || is_in_partition(op)) return builder.unsupported(op, "nested groups of warps are");
  for (std::size_t i = 1; i < op.regions().size(); ++i) {
    std::vector<Move> moves;
    for (std::size_t k = 0; k < op.operand_count(); ++k) {
      const Slot from = builder.operand(op, k), to = builder.slot_of(op.region(i).front().argument(k));
      if (from == kNoSlot || to == kNoSlot) return false;
      moves.push_back({from, to, false});
    }
    builder.append_moves(std::move(moves), op);
  }
  Fork fork;
  fork.block = block_slot(builder);
  fork.entries.resize(op.regions().size() - 1);
  Fork* record = builder.record(std::move(fork));
  builder.append_bare(step_fork, op).record = record;
  if (!plan_region(builder, op.region(0))) return false;
  const ir::Op* yield = op.region(0).blocks().back()->terminator();
  std::vector<Move> results;
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const Slot from = builder.operand(*yield, i), to = builder.result(op, i);
    if (from == kNoSlot || to == kNoSlot) return false;
    results.push_back({from, to, builder.dies_at(yield->operand(i), *yield)});
  }
  builder.append_moves(std::move(results), *yield);
  builder.append_bare(step_join, *yield).record = record;
  const PlanBuilder::Label end = builder.new_label();
  builder.set_target(builder.append_bare(step_jump, op), end);
  for (std::size_t i = 1; i < op.regions().size(); ++i) {
    const PlanBuilder::Label entry = builder.new_label();
    builder.place(entry);
    builder.set_pointer(&record->entries[i - 1], entry);
    if (!plan_region(builder, op.region(i))) return false;
    builder.append_bare(step_end_group, *op.region(i).blocks().back()->terminator()).record = record;
  }
  builder.place(end);
  return true;
}

bool evaluate_end_of_group(PlanBuilder&, const ir::Op&) { return true; }

}  // namespace lockstep::interpreter
