// The form `rows`: tiles that are given by an array along one dimension k and by strides along all, as addresses of
// gathered rows are: element = base + row[i_k] + sum(stride[d] * i_d). It is made from dense tiles that vary along one
// dimension only, where they meet ranges. Masks: one bool for each index along k, and an interval along every
// dimension. Invariant: integers never leave their kind, as with affine tiles; addresses wrap; there are more elements
// than rows. Every function answers false, and leaves `out` alone, where the form would not be exact or not pay; `out`
// must be without a count. Not here: access to memory (access_rows.h).
#pragma once

#include "interpreter/machine.h"

namespace lockstep::interpreter {

/// The one dimension along which a dense tile varies, if it is repeated along others; -1 otherwise.
int only_dimension(const Tile& dense, const TileType& type);

/// a + b, or a - b.
bool add_rows(Machine& machine, const Tile& a, const Tile& b, const TileType& type, bool subtracts, Tile& out);
/// One of the two must be uniform.
bool multiply_rows(Machine& machine, const Tile& a, const Tile& b, const TileType& type, Tile& out);
/// As offset_pointer.
bool offset_pointer_rows(Machine& machine, const Tile& pointer, const TileType& pointer_type, const Tile& offset,
                         const TileType& offset_type, std::int64_t element_bytes, Tile& out);
/// Integers whose values do not change.
bool convert_rows(const Tile& a, const TileType& from, const TileType& to, bool is_unsigned, Tile& out);
/// The conjunction of masks: boxes, and at least one that is given by rows or is dense along one dimension only.
bool and_row_masks(Machine& machine, const Tile& a, const Tile& b, const TileType& type, Tile& out);

/// Writes all elements of a tile in the form rows, row-major.
void fill_rows(char* out, const Tile& tile, const TileType& type);

}  // namespace lockstep::interpreter
