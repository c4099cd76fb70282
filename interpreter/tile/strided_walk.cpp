#include "interpreter/tile/strided_walk.h"

#include "interpreter/kernels/kernels.h"

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

void set_packed(const std::int64_t* shape, int rank, std::int64_t unit, AnyStrides& out) {
  for (int d = rank - 1; d >= 0; --d) {
    out[static_cast<std::size_t>(d)] = unit;
    unit *= shape[d];
  }
}

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
  set_packed(shape, rank, element_bytes, packed);
  copy_strided(out, packed.data(), in, byte_strides, shape, rank, element_bytes);
}

}  // namespace lockstep::interpreter
