#include "interpreter/shared_memory/flights.h"

#include <algorithm>

#include "interpreter/plan/plan_writer.h"
#include "interpreter/shared_memory/touches.h"

namespace lockstep::interpreter {

namespace {

bool is_in_order(Queue queue) { return queue == Queue::products || queue == Queue::tensor; }

constexpr std::size_t kNone = kMostFlights;

/// The one that must complete before the flight `index`, or itself.
std::size_t first_of(const BlockState& state, std::size_t index) {
  const Flight& wanted = state.flights[index];
  // What tells a barrier for copies of threads does so after them.
  if (!is_in_order(wanted.queue) && !(wanted.queue == Queue::copies && wanted.barrier.storage != kNoSlot)) return index;
  std::size_t first = index;
  for (std::size_t i = 0; i < kMostFlights; ++i) {
    const Flight& one = state.flights[i];
    if (one.kind != nullptr && one.queue == wanted.queue && one.group == wanted.group &&
        one.order < state.flights[first].order)
      first = i;
  }
  return first;
}

/// Completes the flight `index`, which nothing must come before.
bool complete_now(Machine& machine, Slot block, std::size_t index) {
  BlockState& state = block_state(machine, block);
  Flight& entry = state.flights[index];
  const Flight flight = entry;
  std::array<Tile, kFlightTiles> tiles;
  for (std::size_t i = 0; i < kFlightTiles; ++i) {
    Tile& slot = machine.slots[flight_tile(block, index, i)];
    tiles[i] = slot;
    slot = Tile{};
  }
  entry.kind = nullptr;
  --state.flight_count;
  const bool goes_on = flight.kind->complete(machine, *flight.kind, flight, tiles.data());
  for (Tile& tile : tiles) machine.pool.release(tile);
  return goes_on;
}

bool complete_in_order(Machine& machine, Slot block, std::size_t index) {
  while (true) {
    const std::size_t first = first_of(block_state(machine, block), index);
    if (!complete_now(machine, block, first)) return false;
    if (first == index) return true;
  }
}

template <typename IsWanted>
std::size_t oldest(const BlockState& state, IsWanted&& is_wanted) {
  std::size_t found = kNone;
  for (std::size_t i = 0; i < kMostFlights; ++i) {
    const Flight& one = state.flights[i];
    if (one.kind == nullptr || !is_wanted(one)) continue;
    if (found == kNone || one.order < state.flights[found].order) found = i;
  }
  return found;
}

template <typename IsWanted>
bool complete_all(Machine& machine, Slot block, IsWanted&& is_wanted) {
  while (block_state(machine, block).flight_count != 0) {
    const std::size_t found = oldest(block_state(machine, block), is_wanted);
    if (found == kNone) break;
    if (!complete_in_order(machine, block, found)) return false;
  }
  return true;
}

std::size_t any_flight(BlockState& state) {
  std::uint64_t skip = draw(state, state.flight_count);
  for (std::size_t i = 0; i < kMostFlights; ++i) {
    if (state.flights[i].kind != nullptr && skip-- == 0) return i;
  }
  return kNone;
}

}  // namespace

std::uint64_t draw(BlockState& state, std::uint64_t limit) {
  state.random += 0x9e3779b97f4a7c15u;
  std::uint64_t bits = state.random;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return (bits ^ bits >> 31) % limit;
}

bool is_turned_round(const Machine& machine, BlockState& state) {
  return machine.launch.async_order == AsyncOrder::late && ++state.events == machine.launch.async_seed;
}

Sight sight_after(const Flight& flight) {
  Sight sight = flight.behind;
  sight.seen.add(flight.own);
  return sight;
}

bool issue(Machine& machine, Flight flight, const std::array<Tile, kFlightTiles>& tiles) {
  const Slot block = flight.kind->block;
  if (block_state(machine, block).flight_count == kMostFlights) {
    const std::size_t first = oldest(block_state(machine, block), [](const Flight&) { return true; });
    if (!complete_in_order(machine, block, first)) return false;
  }
  BlockState& state = block_state(machine, block);
  std::size_t index = 0;
  while (state.flights[index].kind != nullptr) ++index;
  flight.group = static_cast<std::uint8_t>(state.current);
  flight.order = state.order++;
  flight.behind = sight_of(state, state.current);
  state.flights[index] = flight;
  ++state.flight_count;
  for (std::size_t i = 0; i < kFlightTiles; ++i) machine.slots[flight_tile(block, index, i)] = tiles[i];
  switch (machine.launch.async_order) {
    case AsyncOrder::late: return !is_turned_round(machine, state) || complete_in_order(machine, block, index);
    case AsyncOrder::early: return complete_in_order(machine, block, index);
    case AsyncOrder::random: return complete_some(machine, block);
  }
  return true;
}

bool complete_queue(Machine& machine, Slot block, std::uint32_t group, Queue queue, std::uint64_t number) {
  return complete_all(machine, block, [&](const Flight& one) {
    return one.queue == queue && one.group == group && one.number <= number;
  });
}

bool complete_buffer(Machine& machine, Slot block, Slot storage) {
  return complete_all(machine, block, [&](const Flight& one) {
    return storage == kNoSlot || one.barrier.storage == storage ||
           std::any_of(one.views.begin(), one.views.end(), [&](const View& view) { return view.storage == storage; });
  });
}

bool complete_one(Machine& machine, Slot block, const std::vector<View>& wanted, bool& was_none) {
  BlockState& state = block_state(machine, block);
  was_none = state.flight_count == 0;
  if (was_none) return true;
  if (machine.launch.async_order == AsyncOrder::random) return complete_in_order(machine, block, any_flight(state));
  const auto tells = [&](const Flight& one) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const View& view) {
      return view.storage == one.barrier.storage && view.base == one.barrier.base;
    });
  };
  std::size_t index = oldest(state, tells);
  if (index == kNone) index = oldest(state, [](const Flight&) { return true; });
  return complete_in_order(machine, block, index);
}

bool complete_some(Machine& machine, Slot block) {
  while (true) {
    BlockState& state = block_state(machine, block);
    if (state.flight_count == 0 || draw(state, 3) != 0) return true;
    if (!complete_in_order(machine, block, any_flight(state))) return false;
  }
}

void plan_flight_slots(PlanWriter& writer) {
  const TileType* type = writer.tile_type(ScalarKind::i8, {1});
  for (std::size_t i = 0; i < kMostFlights * kFlightTiles; ++i) writer.new_slot(type);
}

void release_flight_tiles(Machine& machine, Slot block) {
  for (std::size_t i = 0; i < kMostFlights * kFlightTiles; ++i) {
    Tile& tile = machine.slots[flight_tile(block, 0, i)];
    if (tile.buffer != nullptr) machine.pool.release(tile);
    tile = Tile{};
  }
}

}  // namespace lockstep::interpreter
