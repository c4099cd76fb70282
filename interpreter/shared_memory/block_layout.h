// The records of a program's shared memory: plain bytes, so that they can be a slot of its plan. What they mean:
// storage.h, touches.h, flights.h, barriers.h, groups.h; docs/design/asynchrony.md has the whole.
#pragma once

#include <array>
#include <cstdint>

#include "interpreter/plan/plan.h"

namespace lockstep::interpreter {

struct ViewPlaces;
struct FlightKind;

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
  products,  // of a warp group, in order: ttng.warp_group_dot_wait
  barrier,   // copies that a barrier counts
  tensor,    // of the tensor core, in order: a barrier that a commit arrives at
  none,      // an access by threads, over at once
};
inline constexpr std::size_t kQueues = 5;
constexpr std::size_t queue_index(Queue queue) { return static_cast<std::size_t>(queue); }

inline constexpr std::size_t kMostGroups = 17, kMostTouches = 256, kMostBarriers = 128, kMostFlights = 64;
inline constexpr std::size_t kFlightTiles = 3, kFlightNumbers = 8, kFlightViews = 5;

/// A set of touches, by index.
struct TouchSet {
  std::array<std::uint64_t, kMostTouches / 64> words{};
  void add(std::size_t i) { words[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(std::size_t i) { words[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool has(std::size_t i) const { return (words[i / 64] >> (i % 64) & 1) != 0; }
  void add(const TouchSet& other) {
    for (std::size_t w = 0; w < words.size(); ++w) words[w] |= other.words[w];
  }
};

/// An access to a view that a later one may conflict with.
struct Touch {
  bool is_used = false, is_write = false;
  bool is_proxied = false;  // through the asynchronous proxy
  bool needs_fence = false;  // a plain write of shared memory
  std::uint8_t group = 0;
  Queue queue = Queue::none;
  std::uint32_t site = 0;
  View view;
  const ViewPlaces* places = nullptr;
  std::int64_t begin = 0, end = 0;  // bytes of the buffer, around the view's
  std::uint64_t number = 0;         // of its group in the queue, or the phase of its barrier
  std::uint64_t order = 0;          // of all touches
  Slot barrier = kNoSlot;           // the barrier's buffer, and its first byte there
  std::uint32_t barrier_byte = 0;
  /// Bit g: it happens before what group g does now; so it does through a fence of the asynchronous proxy.
  std::uint32_t seen = 0, fenced = 0;
};

/// What somebody has seen at a moment.
struct Sight {
  TouchSet seen, fenced;
  void add(const Sight& other) {
    seen.add(other.seen);
    fenced.add(other.fenced);
  }
};

struct Barrier {
  Slot storage = kNoSlot;
  std::uint32_t byte = 0;
  std::uint32_t site = 0;               // where it was made
  std::int32_t count = 0, pending = 0;  // arrivals of a phase, and those still missing
  std::int64_t bytes = 0;               // that its phase waits for
  std::int64_t expected = 0;            // in this phase, in all
  std::uint64_t phase = 0;              // phases that are complete
  Sight coming, done;                   // of arrivals in this phase; and in complete ones
  std::uint32_t last_site = 0;          // of the last arrival, if `arrivals` is not 0
  std::uint8_t last_group = 0;
  std::uint64_t arrivals = 0;
  std::array<std::uint32_t, kMostGroups> passed{};  // by group: phases that its waits here stand for
};

/// An asynchronous operation that has been issued and is not complete.
struct Flight {
  const FlightKind* kind = nullptr;  // null: the entry is free
  const Step* step = nullptr;        // that issued it
  Queue queue = Queue::copies;
  std::uint8_t group = 0;
  std::uint64_t number = 0, order = 0;
  std::array<View, kFlightViews> views;
  View barrier;                                        // that it tells; without storage none
  std::array<std::uint64_t, kFlightNumbers> numbers{};
  Sight behind;   // what its issuer had seen
  TouchSet own;   // what its end makes seen at the barrier
};

struct WarpGroup {
  enum class State : std::uint8_t { idle, running, waiting, joining, ended };
  State state = State::idle;
  const Step* next = nullptr;
  std::uint32_t site = 0;  // where it waits
  View barrier;            // that it waits for
  std::uint64_t parity = 0;
  std::uint64_t since = 0;  // BlockState::clock
  /// The group of operations that is being filled, from 1, of each queue.
  std::array<std::uint64_t, kQueues> filling{};
};

struct BlockState {
  std::uint32_t group_count = 1, current = 0;
  std::uint32_t barrier_count = 0, flight_count = 0, touch_count = 0;  // touches: entries up to the last used one
  std::uint64_t order = 0;   // of the next flight or touch
  std::uint64_t clock = 0;   // changes of groups
  std::uint64_t random = 0;  // state of the generator
  std::uint64_t events = 0;  // so far, of those that an order may turn round
  std::array<WarpGroup, kMostGroups> groups;
  std::array<Barrier, kMostBarriers> barriers;
  std::array<Flight, kMostFlights> flights;
  std::array<Touch, kMostTouches> touches;
};

}  // namespace lockstep::interpreter
