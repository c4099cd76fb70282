// Places: where the elements of a view lie in its buffer, by the view's layout: made once a plan (plan_places.h). A buffer in shared
// memory is its bytes, as Triton lays them out (ir/layouts/to_linear.h). Tensor memory is laid out column by column:
// 128 rows of a 32-bit column are 512 neighbouring bytes. Layouts are linear over bits, so a view that starts inside a
// buffer xors one number into all its places; an index of a ring of buffers adds one. The parts that blocks of a cluster
// hold follow each other. Not here: bytes (storage.h).
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/tile/tile.h"

namespace lockstep::interpreter {

/// The elements of a view, in runs that lie side by side in the buffer and in the tile that a load makes.
struct ViewPlaces {
  const TileType* tile = nullptr;                  // shape and elements of the view
  std::array<std::int64_t, kMaxStridedRank> stride{};  // of that tile
  bool is_row_major = true;                        // it is contiguous
  std::int64_t run_bytes = 0;
  /// Run (i, j) begins at outer[i] ^ inner[j] bytes, and is number i * inner.size() + j of the tile's.
  std::vector<std::uint32_t> outer, inner;
  /// After every `first` bytes (a power of two), `second` bytes are left out.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> paddings;
  bool is_one_run = false;  // it is its first tile->bytes() bytes, in order
  std::uint32_t reach = 0;  // all bits of places

  std::int64_t padded(std::uint32_t place) const {
    std::int64_t sum = place;
    for (const auto& [interval, padding] : paddings) sum += std::int64_t{place / interval} * padding;
    return sum;
  }
};

}  // namespace lockstep::interpreter
