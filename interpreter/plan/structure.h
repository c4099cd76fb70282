// Algebra of tile forms: which ops on uniform, affine and box tiles have results in those forms, exactly. Every
// function returns false (with an undefined `out`, which is another tile than the operands, without a count) if the
// exact result has no cheaper form than dense; the caller then works on elements. Invariant: integers are signed values
// of their kind; a result that might leave the kind's range is refused. Not here: memory, buffers, element loops.
#pragma once

#include <cstdint>

#include "interpreter/kernels/ops.h"
#include "interpreter/tile/tile.h"

namespace lockstep::interpreter {

/// An affine view of an integer or pointer tile: base + sum(stride[d] * i_d).
struct AffineView {
  std::int64_t base = 0;
  std::array<std::int64_t, kMaxStridedRank> stride{};
};
/// False for dense and box tiles. Pointers: addresses as signed 64-bit numbers.
bool as_affine(const Tile& tile, const TileType& type, AffineView& out);

/// Lowest and highest value; false if they leave 64 bits.
struct ValueRange {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};
bool range_of(const AffineView& view, const TileType& type, ValueRange& out);

/// The affine view as a tile of `type` (uniform when it does not vary); false if a value leaves the kind.
bool from_affine(const AffineView& view, const TileType& type, Tile& out);

bool add_affine(const Tile& a, const Tile& b, const TileType& type, Tile& out);
bool subtract_affine(const Tile& a, const Tile& b, const TileType& type, Tile& out);
/// One of the two must be uniform.
bool multiply_affine(const Tile& a, const Tile& b, const TileType& type, Tile& out);
/// Quotient or remainder by a uniform positive divisor of values that are all >= 0 and share one quotient.
bool divide_affine(const Tile& a, const Tile& b, const TileType& type, bool remainder, Tile& out);
/// pointer + offset * element bytes. Wrapping address arithmetic; provenance is the pointer's.
bool offset_pointer(const Tile& pointer, const TileType& pointer_type, const Tile& offset, const TileType& offset_type,
                    std::int64_t element_bytes, Tile& out);
/// Sign- or zero-extension, truncation, pointer <-> integer where values do not change.
bool convert_affine(const Tile& a, const TileType& from, const TileType& to, bool is_unsigned, Tile& out);
/// a predicate b, for the bits of two numbers of an integer kind.
bool compare_scalars(kernels::CompareInt predicate, ScalarKind kind, std::uint64_t a, std::uint64_t b);
/// Comparison with a uniform or box result. `type`: of the operands.
bool compare_affine(kernels::CompareInt predicate, const Tile& a, const Tile& b, const TileType& type, Tile& out);

/// The intervals of a box mask, or the whole tile for uniform true; false for dense. Uniform false: an empty interval.
struct Box {
  std::array<std::int64_t, kMaxStridedRank> low{}, high{};
  bool is_empty = false;
  bool is_full = false;
};
bool as_box(const Tile& mask, const TileType& type, Box& out);
Tile from_box(const Box& box, const TileType& type);
bool and_boxes(const Tile& a, const Tile& b, const TileType& type, Tile& out);
/// The complement of a box that is cut on one side of one dimension.
bool not_box(const Tile& a, const TileType& type, Tile& out);

}  // namespace lockstep::interpreter
