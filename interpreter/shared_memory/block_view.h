// What a debugger sees of the groups of warps, barriers, buffers and operations in flight of a program. Reads only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/shared_memory/block_state.h"

namespace lockstep::interpreter {

/// The slot of a plan's BlockState; kNoSlot: its kernel has no such ops.
Slot find_block(const Plan& plan);
/// The BlockState among a program's slots. Null: there is none, or the program has not begun.
const BlockState* block_in(const std::vector<Tile>& slots, Slot block);

/// A group of warps that has begun.
struct GroupLine {
  std::uint32_t number = 0;  // 0: the default group; 1: partition 0
  std::string name;          // "the default group", "partition 0"; "" if there is one group only
  std::string text;          // "partition 0 waits for phase 1 of the barrier, ..."
  bool waits = false, has_ended = false;
  std::uint32_t site = 0;  // where it waits
};
/// Those that run side by side now; one if no partitions do.
std::vector<GroupLine> describe_groups(const BlockState& state);
/// The group has begun and has not ended.
bool is_live_group(const BlockState& state, std::uint32_t group);

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

/// "a copy that a barrier counts".
const char* text_of_queue(Queue queue);
/// The op that made the buffer in the slot; null: it is not made yet.
const ir::Op* maker_of(const Machine& machine, Slot storage);

}  // namespace lockstep::interpreter
