// Dense memory of tiles: making any form dense. Invariant: nothing here writes into a buffer that another tile can see.
// Not here: copying between strided layouts (strided_walk.h).
#pragma once

#include "interpreter/launch/machine.h"
#include "interpreter/tile/strided_walk.h"

namespace lockstep::interpreter {

/// The tile's elements, contiguous. The result holds its own count (a contiguous tile is shared, not copied).
Tile make_contiguous(Machine& machine, const Tile& tile, const TileType& type);
/// Any form as dense, possibly strided. The result holds its own count.
Tile make_dense(Machine& machine, const Tile& tile, const TileType& type);

}  // namespace lockstep::interpreter
