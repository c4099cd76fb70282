// Flights: asynchronous operations from their issue to their completion. At issue an operation takes what it needs
// (views, numbers, tiles); its effects come at completion: at once (early), when somebody waits and cannot go on (late),
// or by a seed. Operations of one queue of a group that run in order complete in order. Bound: kMostFlights; beyond, the
// oldest completes. Rules: docs/design/asynchrony.md.
#pragma once

#include <cstdint>

#include "interpreter/shared_memory/block_state.h"

namespace lockstep::interpreter {

class PlanWriter;

/// What an op's flights do when they complete; a record of the plan. False: the program must stop (Machine::status).
struct FlightKind {
  Slot block = kNoSlot;
  bool (*complete)(Machine& machine, const FlightKind& kind, const Flight& flight, Tile* tiles) = nullptr;
};

/// Issues an operation of the running group. `flight` has kind, step, queue, views, barrier, numbers, own; the rest is
/// set here, with what the issuer has seen. Takes over the tiles' counts. False: the program must stop.
bool issue(Machine& machine, Flight flight, const std::array<Tile, kFlightTiles>& tiles);
/// What a barrier that the flight tells passes on.
Sight sight_after(const Flight& flight);
/// Completes the flights of the queue of the group whose number is at most `number`. False: the program must stop.
bool complete_queue(Machine& machine, Slot block, std::uint32_t group, Queue queue, std::uint64_t number);
/// Completes those that read or write the buffer, or all if it is kNoSlot.
bool complete_buffer(Machine& machine, Slot block, Slot storage);
/// Completes one, where a program can only wait: the oldest that tells one of `wanted`, else the oldest; by the seed any.
/// `was_none`: there is none.
bool complete_one(Machine& machine, Slot block, const std::vector<View>& wanted, bool& was_none);
/// By the seed of `random`, completes flights at a moment where that is allowed.
bool complete_some(Machine& machine, Slot block);
/// Counts an event of the program that an order may turn round: an issue, or a moment when another group can run. Whether
/// this order does, by its number from 1.
bool is_turned_round(const Machine& machine, BlockState& state);
/// A number below `limit` from the program's generator.
std::uint64_t draw(BlockState& state, std::uint64_t limit);

/// The slot of a tile of the flight `index`: they follow the block's.
constexpr Slot flight_tile(Slot block, std::size_t index, std::size_t tile) {
  return block + 1 + static_cast<Slot>(index * kFlightTiles + tile);
}
/// Slots for the tiles of flights, behind the block's.
void plan_flight_slots(PlanWriter& writer);
/// Releases what a program left there.
void release_flight_tiles(Machine& machine, Slot block);

}  // namespace lockstep::interpreter
