// The form `rows`: tiles of a table over some dimensions and of strides along the others, such as addresses of gathered
// rows: element = base + row[i] + sum(stride[d] * i_d). It comes from dense tiles that are repeated along a dimension
// and combined with ranges. Masks: a table of bools, and an interval along every dimension. Invariants: integers never
// leave their kind, as with affine tiles; addresses wrap; strides along the table's dimensions are 0; the table is
// row-major, and at most half as large as the tile. Every function returns false, and leaves `out` without a count, if
// the form would not be exact or not pay. Not here: access to memory (access_rows.h).
#pragma once

#include <cstdint>

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

/// The dimensions (bit d) along which a dense tile varies, if a table over them pays; else 0.
unsigned row_dimensions_of(const Tile& dense, const TileType& type);
/// A table over the dimensions is small enough compared with a tile of the type.
bool pays(const TileType& type, unsigned dimensions);
/// The strides of a table over the dimensions, in entries; 0 along others.
std::array<std::int64_t, kMaxStridedRank> row_strides(const TileType& type, unsigned dimensions);

/// a + b, or a - b.
bool add_rows(Machine& machine, const Tile& a, const Tile& b, const TileType& type, bool subtracts, Tile& out);
/// One of the two must be uniform.
bool multiply_rows(Machine& machine, const Tile& a, const Tile& b, const TileType& type, Tile& out);
/// As offset_pointer.
bool offset_pointer_rows(Machine& machine, const Tile& pointer, const TileType& pointer_type, const Tile& offset,
                         const TileType& offset_type, std::int64_t element_bytes, Tile& out);
/// Integers whose values do not change.
bool convert_rows(const Tile& a, const TileType& from, const TileType& to, bool is_unsigned, Tile& out);

/// A mask as intervals and a table of bytes (null: none); strides of the table in bytes.
struct RowMask {
  std::array<std::int64_t, kMaxStridedRank> low, high, stride;
  const std::uint8_t* row;
  unsigned dimensions;

  bool at(std::int64_t offset) const { return row == nullptr || (row[offset] & 1) != 0; }
};
/// False for dense masks that vary too much.
bool as_row_mask(const Tile& mask, const TileType& type, RowMask& out);
/// The conjunction of masks in such forms, neither uniform, at least one with a table.
bool and_row_masks(Machine& machine, const Tile& a, const Tile& b, const TileType& type, Tile& out);

/// Writes all elements of a tile in the form rows, row-major.
void fill_rows(char* out, const Tile& tile, const TileType& type);

}  // namespace lockstep::interpreter
