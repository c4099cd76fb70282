// Strided memory: walking several strided tiles together in runs that a vector kernel can take, and copying between
// strided layouts. Not here: machines, forms of tiles.
#pragma once

#include <array>
#include <cstdint>

#include "interpreter/tile/tile.h"

namespace lockstep::interpreter {

/// Strides of any rank, in elements unless stated otherwise.
using AnyStrides = std::array<std::int64_t, kMaxRank>;

/// Copies the elements of `shape` between strided memories (strides in bytes), row-major order, no overlap.
void copy_strided(char* out, const std::int64_t* out_strides, const char* in, const std::int64_t* in_strides,
                  const std::int64_t* shape, int rank, int element_bytes);
/// Copies the elements of `shape` from strided memory (strides in bytes) to contiguous memory, row-major.
void copy_to_contiguous(char* out, const char* in, const std::int64_t* shape, const std::int64_t* byte_strides,
                        int rank, int element_bytes);
/// Strides of row-major memory of the shape, its last dimension `unit` apart.
void set_packed(const std::int64_t* shape, int rank, std::int64_t unit, AnyStrides& out);

/// Up to four strided tiles of one shape walked together: dimensions of extent 1 are dropped and adjacent ones merged,
/// so that `rank` is small and `inner` long. Strides in elements; operand 0 is usually the contiguous result.
struct StridedWalk {
  static constexpr int kMaxTiles = 4;
  int tiles;
  int rank = 0;            // outer dimensions, without the inner one
  std::int64_t inner = 1;  // extent of the inner dimension
  std::array<std::int64_t, kMaxTiles> inner_stride{};
  AnyStrides extent;                         // of `rank` dimensions
  std::array<AnyStrides, kMaxTiles> stride;  // of `tiles` tiles

  /// `strides[t]` has one entry per dimension of `shape`.
  StridedWalk(const std::int64_t* shape, int shape_rank, const std::array<const std::int64_t*, kMaxTiles>& strides,
              int tile_count);

  /// base + count * stride modulo 2^64: strides of a kernel's own addresses may be anything.
  static std::int64_t wrapping(std::int64_t base, std::int64_t count, std::int64_t step) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(base) +
                                     static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(step));
  }
  /// Calls body(offsets) for each inner run; offsets[t] in elements.
  template <typename Body>
  void for_each_run(Body&& body) const {
    std::array<std::int64_t, kMaxTiles> offset{};
    AnyStrides index;
    for (int d = 0; d < rank; ++d) index[static_cast<std::size_t>(d)] = 0;
    const auto count = static_cast<std::size_t>(tiles);
    while (true) {
      body(offset);
      int d = rank - 1;
      for (; d >= 0; --d) {
        const auto at = static_cast<std::size_t>(d);
        for (std::size_t t = 0; t < count; ++t) offset[t] = wrapping(offset[t], 1, stride[t][at]);
        if (++index[at] < extent[at]) break;
        for (std::size_t t = 0; t < count; ++t) offset[t] = wrapping(offset[t], -extent[at], stride[t][at]);
        index[at] = 0;
      }
      if (d < 0) return;
    }
  }
};

}  // namespace lockstep::interpreter
