// Loads and stores of whole tiles, for several kinds of ops: through pointers (memory_ops.cpp), block pointers and
// tensor descriptors (block.h). A rectangle of affine addresses under a box mask is moved row by row after one bounds
// check; anything else goes lane by lane through gather and scatter. Lanes that are masked off or out of bounds touch
// nothing; as loaded values they are `other`, or 0 without one. A whole rectangle of a storage that the launch never
// writes is read in place. Invariant: no byte is touched that the bounds (bounds.h) did not admit. Not here: the origin
// of pointers and masks.
#pragma once

#include "interpreter/access/bounds.h"

namespace lockstep::interpreter {

/// Loads; the result has access.value's type and holds its own count.
Tile load_tile(Machine& machine, const Step* step, const Access& access, const Lanes& lanes);
/// Stores a tile of access.value's type.
void store_tile(Machine& machine, const Step* step, const Access& access, const Lanes& lanes, const Tile& value);
/// In ordered launches, a program's reads show whether it waits for others. Does nothing unless access.is_observed.
void observe_tile(Machine& machine, const Step* step, const Access& access, const Tile& pointer, const Tile& value);

/// The steps of tt.load and tt.store for tiles in any form.
const Step* step_load_tile(Machine& machine, const Step* step);
const Step* step_store_tile(Machine& machine, const Step* step);

}  // namespace lockstep::interpreter
