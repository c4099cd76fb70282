// The iteration of a group: the tile's index space, or the part of it that is stored, with neighbouring dimensions
// merged where every operand allows it, cut into strips of whole rows or of pieces of one row. Invariant: strips cover
// every index once, in row-major order (of the turned space, where it was turned). Strides are in bytes (affine
// operands: in units of their values). Not here: tiles.
#pragma once

#include <array>
#include <cstdint>

#include "interpreter/tile/tile.h"

namespace lockstep::interpreter {

/// Addresses (or values) that change with the index: `base` at the first index of the iteration.
struct GroupTrack {
  std::uint64_t base;
  bool is_memory;  // addresses
  std::array<std::int64_t, kMaxStridedRank> stride;
};
/// Indices low <= i < high in every dimension.
struct GroupInterval {
  std::array<std::int64_t, kMaxStridedRank> low, high;
};

struct GroupSpace {
  static constexpr std::size_t kMaxTracks = 28;
  /// Rows up to this length are taken several at a time.
  static constexpr std::int64_t kShortRow = 192;

  std::size_t rank;  // after merge: without dimensions of extent 1
  std::array<std::int64_t, kMaxStridedRank> extent;
  std::array<GroupTrack*, kMaxTracks> tracks;
  std::array<GroupInterval*, kMaxTracks> intervals;
  std::size_t track_count = 0, interval_count = 0;

  std::int64_t rows, columns;  // of the two inner dimensions
  std::int64_t strip_rows, strip_columns;
  bool is_turned = false;  // the two inner dimensions have changed places

  /// Turns the space if more of the memory is contiguous down the columns than along the rows. Before merge().
  void turn();
  void merge();
  /// Strips of at most `elements`.
  void cut(std::int64_t elements);
  std::int64_t strip_elements() const { return strip_rows * strip_columns; }
  std::size_t outer_rank() const { return rank > 2 ? rank - 2 : 0; }
  std::int64_t row_stride(const GroupTrack& track) const { return rank > 1 ? track.stride[rank - 2] : 0; }
  std::int64_t column_stride(const GroupTrack& track) const { return rank > 0 ? track.stride[rank - 1] : 0; }
};

/// A strip: rows [row, row + rows) and columns [column, column + columns) below one index of the outer dimensions.
struct GroupStrip {
  std::array<std::int64_t, kMaxStridedRank> outer{};
  std::int64_t row = 0, column = 0, rows = 1, columns = 1;
  std::int64_t first = 0;  // its first element in row-major order
  bool is_new_outer = true;

  std::int64_t count() const { return rows * columns; }
  /// The address of the strip's first element.
  std::uint64_t at(const GroupSpace& space, const GroupTrack& track) const {
    std::uint64_t place = track.base + static_cast<std::uint64_t>(row * space.row_stride(track)) +
                          static_cast<std::uint64_t>(column * space.column_stride(track));
    for (std::size_t d = 0; d < space.outer_rank(); ++d)
      place += static_cast<std::uint64_t>(outer[d] * track.stride[d]);
    return place;
  }
};

/// The strip's part of an interval, relative to the strip; empty where low >= high.
struct GroupPart {
  std::int64_t row_low, row_high, column_low, column_high;
  bool is_empty() const { return row_low >= row_high || column_low >= column_high; }
  bool is_all(const GroupStrip& strip) const {
    return row_low == 0 && column_low == 0 && row_high == strip.rows && column_high == strip.columns;
  }
};
/// A byte per element of the strip: 1 in the part, 0 elsewhere.
void write_mask(const GroupStrip& strip, const GroupPart& part, char* out);
GroupPart part_of(const GroupSpace& space, const GroupStrip& strip, const GroupInterval& interval);

/// Calls body(strip) for every strip.
template <typename Body>
void for_each_strip(const GroupSpace& space, Body&& body) {
  GroupStrip strip;
  while (true) {
    for (strip.row = 0; strip.row < space.rows; strip.row += space.strip_rows) {
      strip.rows = space.rows - strip.row < space.strip_rows ? space.rows - strip.row : space.strip_rows;
      for (strip.column = 0; strip.column < space.columns; strip.column += space.strip_columns) {
        strip.columns =
            space.columns - strip.column < space.strip_columns ? space.columns - strip.column : space.strip_columns;
        body(static_cast<const GroupStrip&>(strip));
        strip.first += strip.count();
        strip.is_new_outer = false;
      }
    }
    std::size_t d = space.outer_rank();
    while (d > 0 && ++strip.outer[d - 1] == space.extent[d - 1]) strip.outer[--d] = 0;
    if (d == 0) return;
    strip.is_new_outer = true;
  }
}

}  // namespace lockstep::interpreter
