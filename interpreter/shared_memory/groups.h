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

/// A group of warps, a barrier, or an operation in flight, as a person reads it.
struct BlockLine {
  enum class Kind : std::uint8_t { group, barrier, operation };
  Kind kind = Kind::group;
  std::string text;
  Location location;             // where the group waits, the barrier was made, the operation began; may be unknown
  const ir::Op* buffer = nullptr;  // made the buffer of the barrier, or the one that the operation writes or reads
  std::int64_t index = 0;          // of the barrier among those of its buffer
};
/// What runs side by side in the machine's program. Empty: it has no such ops, or has not begun.
std::vector<BlockLine> describe_block(Machine& machine);

// Hooks of rows.
bool evaluate_warp_specialize(PlanBuilder& builder, const ir::Op& op);
bool evaluate_end_of_group(PlanBuilder& builder, const ir::Op& op);  // the terminators of its regions

}  // namespace lockstep::interpreter
