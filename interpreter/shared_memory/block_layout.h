// The records of a program's shared memory: plain bytes, so that they can be a slot of its plan. What they mean:
// storage.h, block_state.h.
#pragma once

#include <array>
#include <cstdint>

#include "interpreter/plan/plan.h"

namespace lockstep::interpreter {

struct ViewPlaces;

/// A memory descriptor at run time, packed into 64 bits.
struct View {
  Slot storage = kNoSlot;   // none: an index outside of its ring of buffers
  std::uint32_t start = 0;  // bytes, xored into every place
  std::uint32_t base = 0;   // bytes, added to every place; without storage the index
};
/// What ends an operation: a wait for its group, or for a barrier.
enum class Queue : std::uint8_t {
  copies,    // cp.async: ttg.async_wait
  stores,    // from a buffer to global memory: ttng.async_tma_store_wait
  products,  // of a warp group: ttng.warp_group_dot_wait
  barrier,   // copies that a barrier counts
  tensor,    // products of the tensor core, in order: a barrier that a commit arrives at
};
inline constexpr std::size_t kQueues = 5;
constexpr std::size_t queue_index(Queue queue) { return static_cast<std::size_t>(queue); }

struct UnderWay {
  Queue queue = Queue::copies;
  bool is_write = false;
  std::uint32_t site = 0;
  View view;
  const ViewPlaces* places = nullptr;
  std::int64_t begin = 0, end = 0;  // bytes of the buffer, around the view's
  std::uint64_t number = 0;         // of its group, or the phase of its barrier
  Slot barrier = kNoSlot;           // the barrier's buffer, and its first byte there
  std::uint32_t barrier_byte = 0;
};

struct Barrier {
  Slot storage = kNoSlot;
  std::uint32_t byte = 0;
  std::int32_t count = 0, pending = 0;  // arrivals of a phase, and those still missing
  std::int64_t bytes = 0;               // that its phase waits for
  std::uint64_t phase = 0;              // phases that are complete
  /// The last operation that had been issued at an arrival that stands for it, in this phase and in complete ones.
  std::array<std::uint64_t, kQueues> arrived{}, done{};
};

struct BlockState {
  static constexpr std::size_t kMostUnderWay = 128, kMostBarriers = 256;
  /// The group that is being filled, from 1, of each queue.
  std::array<std::uint64_t, kQueues> group{};
  std::uint32_t under_way_count = 0, barrier_count = 0;
  std::array<UnderWay, kMostUnderWay> under_way;
  std::array<Barrier, kMostBarriers> barriers;
};

}  // namespace lockstep::interpreter
