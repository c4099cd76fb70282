// Groups of warps of a program (ttg.warp_specialize): cooperative threads with a place in the plan each. A step of a
// group that cannot go on returns the next step of another. When none can go on, a flight completes; when none is left,
// it is a deadlock (LS901, with who waits for what). Rules: docs/design/asynchrony.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/shared_memory/block_state.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// The running group waits at `step`, which runs again, for the barrier in `view` to complete the phase of `parity`.
/// Returns what runs next; null: the program ends (Machine::status).
const Step* wait_for_barrier(Machine& machine, const Step* step, Slot block, const View& view, std::uint64_t parity);
/// After an op on a barrier, or an issue: by the seed of `random`, another group goes on. Else `next`.
const Step* go_on(Machine& machine, Slot block, const Step* next);
/// Warps of the group that runs the op.
std::int64_t warps_around(const ir::Op& op);

/// "partition 1 waits for phase 2 of the barrier, parity 0, which misses 512 bytes". `barrier`: the one that it waits for.
std::string text_of_wait(const BlockState& state, std::uint32_t index, const Barrier* barrier);

// Hooks of rows.
bool evaluate_warp_specialize(PlanBuilder& builder, const ir::Op& op);
bool evaluate_end_of_group(PlanBuilder& builder, const ir::Op& op);  // the terminators of its regions

}  // namespace lockstep::interpreter
