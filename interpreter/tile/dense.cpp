#include "interpreter/tile/dense.h"

#include <cstring>

#include "interpreter/kernels/kernels.h"
#include "interpreter/tile/rows.h"

namespace lockstep::interpreter {

StridedWalk::StridedWalk(const std::int64_t* shape, int shape_rank,
                         const std::array<const std::int64_t*, kMaxTiles>& strides, int tile_count)
    : tiles(tile_count) {
  int made = 0;  // dimensions so far, the last one is the innermost
  for (int d = 0; d < shape_rank; ++d) {
    if (shape[d] == 1) continue;
    bool merges = made > 0;
    for (int t = 0; t < tiles && merges; ++t) {
      const auto at = static_cast<std::size_t>(t);
      merges = stride[at][static_cast<std::size_t>(made - 1)] == wrapping(0, shape[d], strides[at][d]);
    }
    const auto place = static_cast<std::size_t>(merges ? made - 1 : made++);
    extent[place] = merges ? extent[place] * shape[d] : shape[d];
    for (int t = 0; t < tiles; ++t)
      stride[static_cast<std::size_t>(t)][place] = strides[static_cast<std::size_t>(t)][d];
  }
  if (made == 0) return;
  rank = made - 1;
  const auto last = static_cast<std::size_t>(rank);
  inner = extent[last];
  for (int t = 0; t < tiles; ++t) inner_stride[static_cast<std::size_t>(t)] = stride[static_cast<std::size_t>(t)][last];
}

namespace {

void row_major(const std::int64_t* shape, int rank, std::int64_t unit, AnyStrides& out) {
  for (int d = rank - 1; d >= 0; --d) {
    out[static_cast<std::size_t>(d)] = unit;
    unit *= shape[d];
  }
}

void fill_iota(char* out, const Tile& tile, const TileType& type) {
  const auto iota = kernels::iota(type.kind);
  AnyStrides packed{}, steps{};
  row_major(type.shape.data(), type.rank(), 1, packed);
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

}  // namespace

void copy_strided(char* out, const std::int64_t* out_strides, const char* in, const std::int64_t* in_strides,
                  const std::int64_t* shape, int rank, int element_bytes) {
  StridedWalk walk(shape, rank, {out_strides, in_strides, nullptr, nullptr}, 2);
  // Two inner dimensions go to one kernel call.
  const auto kind = element_bytes == 1   ? ScalarKind::i8
                    : element_bytes == 2 ? ScalarKind::i16
                    : element_bytes == 4 ? ScalarKind::i32
                                         : ScalarKind::i64;
  const auto copy = kernels::copy_box(kind);
  std::int64_t rows = 1, out_row = 0, in_row = 0;
  if (walk.rank > 0) {
    const auto last = static_cast<std::size_t>(--walk.rank);
    rows = walk.extent[last];
    out_row = walk.stride[0][last];
    in_row = walk.stride[1][last];
  }
  walk.for_each_run([&](const std::array<std::int64_t, StridedWalk::kMaxTiles>& offset) {
    copy(out + offset[0], out_row, walk.inner_stride[0], in + offset[1], in_row, walk.inner_stride[1], rows,
         walk.inner);
  });
}

void copy_to_contiguous(char* out, const char* in, const std::int64_t* shape, const std::int64_t* byte_strides,
                        int rank, int element_bytes) {
  AnyStrides packed{};
  row_major(shape, rank, element_bytes, packed);
  copy_strided(out, packed.data(), in, byte_strides, shape, rank, element_bytes);
}

Tile Machine::allocate(const TileType& type) {
  Tile made;
  made.form = Form::dense;
  made.is_contiguous = true;
  made.buffer = pool.acquire(type.bytes());
  made.base = reinterpret_cast<std::uint64_t>(made.buffer->data());
  set_row_major(type, made.stride);
  return made;
}

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
    case Form::rows: fill_rows(made.data(), tile, type); break;
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
