#include "interpreter/access/access_memory.h"

#include <cstring>

namespace lockstep::interpreter {

Tile value_without_lanes(const Lanes& lanes) {
  if (lanes.other == nullptr) return uniform_tile(0);
  BufferPool::retain(*lanes.other);
  return *lanes.other;
}

void fill_with_other(Machine& machine, const Access& access, const Lanes& lanes, const Tile& out) {
  const TileType& type = *access.value;
  if (lanes.other != nullptr && lanes.other->form != Form::uniform) {
    const Temporary other(machine, make_contiguous(machine, *lanes.other, type));
    std::memcpy(out.data(), other->data(), static_cast<std::size_t>(type.bytes()));
    return;
  }
  const std::uint64_t zero = 0;
  access.fill(out.data(), lanes.other != nullptr ? &lanes.other->base : &zero, type.count);
}

void choose_layout(const Access& access, const std::int64_t* strides, Tile& tile) {
  const std::size_t rank = access.value->shape.size();
  std::size_t inner = rank;
  for (std::size_t d = 0; d < rank; ++d) {
    if (strides[d] == access.bytes && access.value->shape[d] > 1) inner = d;
  }
  if (inner == rank || inner + 1 == rank) return;
  tile.stride[inner] = 1;
  std::int64_t next = access.value->shape[inner];
  for (std::size_t d = rank; d-- > 0;) {
    if (d == inner) continue;
    tile.stride[d] = next;
    next *= access.value->shape[d];
  }
  tile.is_contiguous = false;
}

void copy_box(const Access& access, char* out, const std::int64_t* out_strides, const char* in,
              const std::int64_t* in_strides, const std::int64_t* shape, int rank) {
  const std::int64_t bytes = access.bytes;
  if (rank == 1 && out_strides[0] == bytes && in_strides[0] == bytes) {
    std::memcpy(out, in, static_cast<std::size_t>(shape[0] * bytes));
  } else if (rank == 1) {
    access.copy(out, 0, out_strides[0], in, 0, in_strides[0], 1, shape[0]);
  } else if (rank == 2 && out_strides[1] == bytes && in_strides[1] == bytes && out_strides[0] == shape[1] * bytes &&
             in_strides[0] == out_strides[0]) {
    std::memcpy(out, in, static_cast<std::size_t>(shape[0] * out_strides[0]));
  } else if (rank == 2) {
    access.copy(out, out_strides[0], out_strides[1], in, in_strides[0], in_strides[1], shape[0], shape[1]);
  } else {
    copy_strided(out, out_strides, in, in_strides, shape, rank, access.bytes);
  }
}

void normalise_booleans(const TileType& type, const Tile& tile) {
  if (type.kind != ScalarKind::i1) return;
  for (std::int64_t i = 0; i < type.count; ++i) tile.data()[i] = tile.data()[i] != 0 ? 1 : 0;
}

bool may_share_bytes(const AddressBox& box, int bytes) {
  AnyStrides step{}, extent{};
  std::size_t kept = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(box.rank); ++d) {
    if (box.shape[d] <= 1) continue;
    std::size_t at = kept++;
    const std::int64_t size = box.stride[d] < 0 ? -box.stride[d] : box.stride[d];
    for (; at > 0 && step[at - 1] > size; --at) {
      step[at] = step[at - 1];
      extent[at] = extent[at - 1];
    }
    step[at] = size;
    extent[at] = box.shape[d];
  }
  std::int64_t reach = bytes;  // of everything along the smaller strides; all of it lies inside a storage
  for (std::size_t i = 0; i < kept; ++i) {
    if (step[i] < reach) return true;
    reach += step[i] * (extent[i] - 1);
  }
  return false;
}

}  // namespace lockstep::interpreter
