// BlockState: what is under way in a program of TTGIR: asynchronous copies and products with the bytes that they read or
// write, their groups, and the barriers. It is plain bytes in one slot of the plan, so that a program's state stays its
// slots. Asynchronous operations take effect where they are issued, the earliest end that they can have; until somebody
// waits for them, an access to the same bytes is reported with both places (LS401 to LS403). So is a wait that nothing
// can end (LS901): programs have one group of warps here, and everything that it issued is done.
// Bounds: kMostUnderWay operations; the oldest are forgotten beyond. Rules and sources: docs/design/ttgir.md.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/shared_memory/block_slot.h"
#include "interpreter/shared_memory/storage.h"

namespace lockstep::interpreter {

/// The running program's, to be changed.
BlockState& block_state(Machine& machine, Slot slot);

/// Notes an operation on a view, after note_access. `number`, `barrier`: see UnderWay.
void begin_operation(BlockState& state, UnderWay operation);
/// Operations of the queue whose group is at most `number` are over.
void end_operations(BlockState& state, Queue queue, std::uint64_t number);
/// Those of the barrier's complete phases are over.
void end_operations_of(BlockState& state, const Barrier& barrier);

/// Reports an access to bytes that an operation of another queue than `own` still writes, or reads if it is a write.
void check_access(Machine& machine, const Step* step, const BlockState& state, const View& view,
                  const ViewPlaces& places, bool is_write, Queue own);
void check_plain_access(Machine& machine, const Step* step, const BlockState& state, const View& view,
                        const ViewPlaces& places, bool is_write);
/// Reports what is under way in a buffer that ends.
void check_end_of_buffer(Machine& machine, const Step* step, const BlockState& state, Slot storage);

/// The first and last byte of a view's accesses, for UnderWay.
void set_byte_range(UnderWay& operation);

/// Null: there is none at this place.
Barrier* find_barrier(BlockState& state, const View& view);
/// Nullptr: there are too many.
Barrier* add_barrier(BlockState& state, const View& view);
void remove_barrier(BlockState& state, const View& view);
/// Arrivals, and bytes that came (negative: are expected); completes the phase when nothing is missing. False: more
/// arrivals than were missing.
bool arrive(Barrier& barrier, std::int32_t arrivals, std::int64_t bytes);

/// Reports a finding of the running program at `step`; `other` is the site of a note.
void report_at(Machine& machine, const Step* step, FindingCode code, std::string message);
void report_at(Machine& machine, const Step* step, FindingCode code, std::string message, std::string note,
               std::uint32_t other, std::string hint);

}  // namespace lockstep::interpreter
