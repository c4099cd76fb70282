#include "interpreter/tile/dense.h"

#include <cstring>

#include "interpreter/kernels/kernels.h"
#include "interpreter/tile/rows.h"

namespace lockstep::interpreter {

namespace {

void fill_iota(char* out, const Tile& tile, const TileType& type) {
  const auto iota = kernels::iota(type.kind);
  AnyStrides packed{}, steps{};
  set_packed(type.shape.data(), type.rank(), 1, packed);
  for (std::size_t d = 0; d < type.shape.size(); ++d) steps[d] = tile.stride[d];
  const StridedWalk walk(type.shape.data(), type.rank(), {packed.data(), steps.data(), nullptr, nullptr}, 2);
  walk.for_each_run([&](const std::array<std::int64_t, StridedWalk::kMaxTiles>& offset) {
    const auto start = static_cast<std::int64_t>(tile.base + static_cast<std::uint64_t>(offset[1]));
    iota(out + offset[0] * type.element_bytes, start, walk.inner_stride[1], walk.inner);
  });
}

void fill_box(char* out, const Tile& tile, const TileType& type) {
  std::memset(out, 0, static_cast<std::size_t>(type.count));
  std::array<std::int64_t, kMaxStridedRank> packed{};
  set_row_major(type, packed);
  AnyStrides shape{}, strides{};
  std::int64_t start = 0;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    shape[d] = tile.high(d) - tile.low(d);
    strides[d] = packed[d];
    start += tile.low(d) * packed[d];
  }
  const StridedWalk walk(shape.data(), type.rank(), {strides.data(), nullptr, nullptr, nullptr}, 1);
  walk.for_each_run([&](const std::array<std::int64_t, StridedWalk::kMaxTiles>& offset) {
    char* row = out + start + offset[0];
    if (walk.inner_stride[0] <= 1) {
      std::memset(row, 1, static_cast<std::size_t>(walk.inner));
    } else {
      for (std::int64_t i = 0; i < walk.inner; ++i) row[i * walk.inner_stride[0]] = 1;
    }
  });
}

void fill_listed(char* out, const Tile& tile, const TileType& type) {
  const auto bytes = static_cast<std::size_t>(type.shape[1] * type.element_bytes);
  for (std::int64_t i = 0; i < type.shape[0]; ++i, out += bytes)
    std::memcpy(out, reinterpret_cast<const char*>(tile.row_addresses()[i]), bytes);
}

}  // namespace

Tile make_contiguous(Machine& machine, const Tile& tile, const TileType& type) {
  if (tile.form == Form::dense && tile.is_contiguous) {
    BufferPool::retain(tile);
    return tile;
  }
  Tile made = machine.allocate(type);
  made.provenance = tile.provenance;
  switch (tile.form) {
    case Form::uniform: kernels::fill(type.kind)(made.data(), &tile.base, type.count); break;
    case Form::affine: fill_iota(made.data(), tile, type); break;
    case Form::box: fill_box(made.data(), tile, type); break;
    case Form::gather: fill_rows(made.data(), tile, type); break;
    case Form::listed: fill_listed(made.data(), tile, type); break;
    case Form::dense: {
      std::array<std::int64_t, kMaxStridedRank> bytes{};
      for (std::size_t d = 0; d < type.shape.size(); ++d) bytes[d] = tile.stride[d] * type.element_bytes;
      copy_to_contiguous(made.data(), tile.data(), type.shape.data(), bytes.data(), type.rank(), type.element_bytes);
      break;
    }
  }
  return made;
}

Tile make_dense(Machine& machine, const Tile& tile, const TileType& type) {
  if (tile.form != Form::dense) return make_contiguous(machine, tile, type);
  BufferPool::retain(tile);
  return tile;
}

}  // namespace lockstep::interpreter
