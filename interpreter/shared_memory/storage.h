// Storage: the bytes of one buffer of a program, in a slot of the plan, like any tile. So a program's state stays its
// slots: a debugger's checkpoint shares the bytes until somebody writes. Each byte knows whether it was written. A
// memory descriptor is a scalar (View) that names the slot. Bytes that nothing wrote are read as zeros, and reported
// (LS201). Not here: what is under way (block_state.h).
#pragma once

#include <cstdint>

#include "interpreter/launch/machine.h"
#include "interpreter/shared_memory/block_layout.h"
#include "interpreter/shared_memory/places.h"

namespace lockstep::interpreter {

std::uint64_t pack(const View& view);
View unpack(std::uint64_t bits);

/// Bytes of the slot of a buffer of `bytes` bytes.
std::int64_t storage_length(std::int64_t bytes);
/// A new buffer in the slot: nothing of it is written. `site`: of the op that makes it.
void start_storage(Machine& machine, Slot slot, std::int64_t bytes, std::uint32_t site);
/// Of the op that made the buffer.
std::uint32_t site_of_storage(const Machine& machine, Slot slot);
std::int64_t bytes_of_storage(const Machine& machine, Slot slot);
/// What the buffer holds, for a debugger. Null before it is made.
const char* bytes_at(const Machine& machine, Slot slot);

/// What the view holds; the result holds its own count. Elements that nothing wrote are zero and reported at `step`.
Tile read_view(Machine& machine, const Step* step, const View& view, const ViewPlaces& places);
/// Writes a tile of places.tile's type.
void write_view(Machine& machine, const View& view, const ViewPlaces& places, const Tile& value);
/// Every byte of the view is in its buffer.
bool is_in_buffer(const Machine& machine, const View& view, const ViewPlaces& places);
/// Marks bytes as written; those that nothing wrote become 0.
void mark_written(Machine& machine, Slot storage, std::int64_t begin, std::int64_t bytes);

/// Calls body(begin, end) for the runs of bytes of the view, in the order of the tile.
template <typename Body>
void for_each_run(const View& view, const ViewPlaces& places, Body&& body) {
  for (const std::uint32_t outer : places.outer) {
    for (const std::uint32_t inner : places.inner) {
      const std::int64_t begin = view.base + places.padded(outer ^ inner ^ view.start);
      body(begin, begin + places.run_bytes);
    }
  }
}

}  // namespace lockstep::interpreter
