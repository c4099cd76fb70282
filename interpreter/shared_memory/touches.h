// Touches: what a program's groups and asynchronous operations did with the bytes of its buffers, and what of it happens
// before what. Each access is compared with the earlier ones of the same bytes (LS410 to LS414). Bounds: kMostTouches;
// beyond, the oldest that all groups have seen is forgotten. Rules: docs/design/asynchrony.md.
#pragma once

#include <cstdint>

#include "interpreter/shared_memory/block_state.h"

namespace lockstep::interpreter {

/// Checks the access, of the running group, against all touches, and adds it: its number. `touch` has all but range,
/// group, order and sight. Precondition: the view is in its buffer.
std::size_t add_touch(Machine& machine, const Step* step, BlockState& state, Touch touch);
/// Forgets all touches of a buffer; reports (LS418) what has not been waited for, where `ends` says how the buffer ends.
void end_buffer(Machine& machine, const Step* step, BlockState& state, Slot storage, const char* ends);
/// Reports operations that nobody waited for before the program's end.
void check_end_of_program(Machine& machine, const Step* step, BlockState& state);

/// The group has waited for its operations of the queue up to `number`.
void see_queue(BlockState& state, std::uint32_t group, Queue queue, std::uint64_t number);
/// A fence of the asynchronous proxy in the group.
void fence(BlockState& state, std::uint32_t group);
/// All that the group has seen.
Sight sight_of(const BlockState& state, std::uint32_t group);
/// Touches by operations of the group in the queue so far.
TouchSet operations_of(const BlockState& state, std::uint32_t group, Queue queue);
/// The group sees what the sight has.
void see(BlockState& state, std::uint32_t group, const Sight& sight);
/// What any of the groups has seen, all have.
void join_groups(BlockState& state);

}  // namespace lockstep::interpreter
