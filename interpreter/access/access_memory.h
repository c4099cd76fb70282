// Parts of an access that those by rectangles (load_store.cpp) and by rows (access_rows.cpp) share: values of lanes
// without an access, the layout of a loaded tile, moving elements. Invariant: nothing here checks bounds; the caller
// has.
#pragma once

#include <cstdint>

#include "interpreter/access/bounds.h"

namespace lockstep::interpreter {

/// `other`, or 0. Holds its own count.
Tile value_without_lanes(const Lanes& lanes);
/// Fills a dense tile with `other` (or 0); contiguous where `other` is neither absent nor uniform.
void fill_with_other(Machine& machine, const Access& access, const Lanes& lanes, const Tile& out);
/// The dimension whose neighbours are adjacent in memory goes innermost, so that rows stay rows. `strides`: of the
/// addresses, bytes.
void choose_layout(const Access& access, const std::int64_t* strides, Tile& tile);
/// Moves elements between strided memories (strides in bytes).
void copy_box(const Access& access, char* out, const std::int64_t* out_strides, const char* in,
              const std::int64_t* in_strides, const std::int64_t* shape, int rank);
/// Any byte except 0 is true.
void normalise_booleans(const TileType& type, const Tile& tile);
/// True if two lanes of the box may touch one byte: then the order of writing matters.
bool may_share_bytes(const AddressBox& box, int bytes);

}  // namespace lockstep::interpreter
