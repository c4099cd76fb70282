// Barriers of a block (mbarrier): phases that end when the arrivals and bytes that they wait for have come. What a
// group had seen when it arrived, a group that waits for the phase sees. Not here: the ops (barrier_ops.h).
#pragma once

#include <cstdint>

#include "interpreter/shared_memory/block_state.h"

namespace lockstep::interpreter {

inline constexpr std::int64_t kBarrierBytes = 8;

/// Null: there is none at this place.
const Barrier* find_barrier(const BlockState& state, const View& view);
Barrier* find_barrier(BlockState& state, const View& view);
/// Null: there are too many. `site`: of the op that makes it.
Barrier* add_barrier(BlockState& state, const View& view, std::uint32_t site);
void remove_barrier(BlockState& state, const View& view);
/// Those of a buffer that ends.
void remove_barriers(BlockState& state, Slot storage);
/// A barrier's word belongs to this buffer.
const Barrier* barrier_in(const BlockState& state, Slot storage, std::int64_t begin, std::int64_t end);

/// What comes to a barrier.
struct Arrival {
  std::int32_t arrivals = 0;
  std::int64_t bytes = 0;     // that came
  std::int64_t expected = 0;  // more bytes that its phase waits for
  std::uint32_t group = 0;
  Sight sight;
};
/// Completes the phase when nothing is missing. Reports LS415 and LS416 at `step`.
void arrive(Machine& machine, const Step* step, Barrier& barrier, const Arrival& arrival);
/// The same at the barrier in a view. Without one, bytes that come are LS417. An arrival of a product at a barrier that
/// has been invalidated changes nothing: Triton 3.6 makes such code.
void arrive_at(Machine& machine, const Step* step, Slot block, const View& view, const Arrival& arrival);
void report_no_barrier(Machine& machine, const Step* step, const View& view);

/// Reports (LS421) a barrier that ends in the middle of a phase; `ends` says how: "the program ends". Not one that LS416
/// was about, nor one that operations in flight may yet complete.
void check_end_of_barrier(Machine& machine, const Step* step, const BlockState& state, const Barrier& barrier,
                          const char* ends);

/// A wait for this parity passes.
inline bool passes(const Barrier& barrier, std::uint64_t parity) { return (barrier.phase & 1) != (parity & 1); }
/// "misses 2 of 3 arrivals and 512 bytes"; "got 512 bytes too many".
std::string missing_at(const Barrier& barrier);

}  // namespace lockstep::interpreter
