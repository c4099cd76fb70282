// Accesses row by row: pointers or masks from a table over some dimensions (rows.h), each row a rectangle of its own.
// One bounds check covers all rows; row by row if that fails. Invariant: the bytes, and the order in which they are
// written, are those of an access lane by lane. Not here: findings; an access with a lane out of bounds is refused, and
// goes lane by lane.
#pragma once

#include "interpreter/access/bounds.h"

namespace lockstep::interpreter {

/// False, without any effect, if the access has no such rows. `out` is without a count.
bool load_rows(Machine& machine, const Access& access, const Lanes& lanes, Tile& out);
/// For a product (Access::feeds_product): `out` is in the form listed, a row of zeros where the mask has none. False,
/// without any effect: rows are not whole runs of neighbours in memory that nothing writes, or the rest is not zero.
bool list_rows(Machine& machine, const Access& access, const Lanes& lanes, Tile& out);
/// Loads rows that a table names, all of them, and stores them to a rectangle of the same lanes, without a tile in
/// between, if nothing writes what is loaded.
bool copy_rows(Machine& machine, const Access& load, const Lanes& from, const Access& store, const Lanes& to);
/// `value`: uniform or dense.
bool store_rows(Machine& machine, const Access& access, const Lanes& lanes, const Tile& value);

}  // namespace lockstep::interpreter
