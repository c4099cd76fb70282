#include "interpreter/shared_memory/storage.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "interpreter/launch/name_op.h"
#include "interpreter/tile/dense.h"
#include "support/check.h"

namespace lockstep::interpreter {

namespace {

constexpr int kBaseBits = 26, kStartBits = 18;
constexpr std::int64_t kStorageHeaderBytes = 64;

/// At the start of a buffer's memory; the bytes follow, then a flag for each.
struct StorageHeader {
  std::int64_t bytes = 0, unwritten = 0;
  std::uint32_t site = 0;
};
static_assert(sizeof(StorageHeader) <= kStorageHeaderBytes);

StorageHeader& header_of(const Tile& tile) { return *reinterpret_cast<StorageHeader*>(tile.buffer->data()); }
char* data_of(const Tile& tile) { return tile.buffer->data() + kStorageHeaderBytes; }
char* flags_of(const Tile& tile) { return data_of(tile) + header_of(tile).bytes; }

/// The slot's tile, whose memory nobody else sees.
Tile& own_storage(Machine& machine, Slot slot) {
  Tile& tile = machine.slots[slot];
  if (tile.buffer->references > 1) {
    const std::int64_t length = storage_length(header_of(tile).bytes);
    Tile copy = tile;
    copy.buffer = machine.pool.acquire(length);
    std::memcpy(copy.buffer->data(), tile.buffer->data(), static_cast<std::size_t>(length));
    copy.base = reinterpret_cast<std::uint64_t>(copy.buffer->data());
    machine.set(slot, copy);
  }
  return machine.slots[slot];
}

bool is_in_order(const ViewPlaces& places, const Tile& tile) {
  for (std::size_t d = 0; d < places.tile->shape.size(); ++d) {
    if (places.tile->shape[d] > 1 && tile.stride[d] != places.stride[d]) return false;
  }
  return true;
}

/// The elements in the order of the places.
Tile in_order(Machine& machine, const ViewPlaces& places, const Tile& value) {
  const TileType& type = *places.tile;
  if (value.form == Form::uniform) return make_contiguous(machine, value, type);
  Tile dense = make_dense(machine, value, type);
  if (is_in_order(places, dense)) return dense;
  const Temporary held(machine, dense);
  Tile out = machine.allocate(type);
  std::array<std::int64_t, kMaxStridedRank> to{}, from{};
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    to[d] = places.stride[d] * type.element_bytes;
    from[d] = dense.stride[d] * type.element_bytes;
  }
  copy_strided(out.data(), to.data(), held->data(), from.data(), type.shape.data(), type.rank(), type.element_bytes);
  return out;
}

void mark(StorageHeader& header, char* flags, std::int64_t begin, std::int64_t bytes) {
  header.unwritten -= std::count(flags + begin, flags + begin + bytes, char{0});
  std::memset(flags + begin, 1, static_cast<std::size_t>(bytes));
}

void report_unwritten(Machine& machine, const Step* step, Slot storage, std::int64_t elements) {
  const Site& site = machine.plan->sites[step->site];
  Finding finding;
  finding.code = FindingCode::LS201;
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = machine.program->id;
  finding.count = static_cast<std::uint64_t>(elements);
  finding.message = "reads elements of a buffer that nothing wrote";
  finding.notes.push_back({"the buffer is made here", machine.plan->sites[site_of_storage(machine, storage)].location});
  machine.report(std::move(finding), step);
}

/// Elements with a byte that nothing wrote become zero and are reported.
void clear_unwritten(Machine& machine, const Step* step, const View& view, const ViewPlaces& places, const Tile& out) {
  const char* flags = flags_of(machine.slots[view.storage]);
  const std::int64_t bytes = places.tile->element_bytes;
  std::int64_t cleared = 0;
  char* to = out.data();
  for_each_run(view, places, [&](std::int64_t begin, std::int64_t end) {
    for (; begin < end; begin += bytes, to += bytes) {
      if (std::memchr(flags + begin, 0, static_cast<std::size_t>(bytes)) == nullptr) continue;
      std::memset(to, 0, static_cast<std::size_t>(bytes));
      ++cleared;
    }
  });
  if (cleared != 0) report_unwritten(machine, step, view.storage, cleared);
}

/// Runs of a size that the compiler knows.
template <std::size_t kBytes>
void copy_runs(char* tile, char* data, const View& view, const ViewPlaces& places, bool is_write) {
  for (const std::uint32_t outer : places.outer) {
    for (const std::uint32_t inner : places.inner) {
      char* at = data + view.base + places.padded(outer ^ inner ^ view.start);
      if (is_write) {
        std::memcpy(at, tile, kBytes);
      } else {
        std::memcpy(tile, at, kBytes);
      }
      tile += kBytes;
    }
  }
}

/// Between a tile in the order of the places and the buffer.
void copy_view(char* tile, char* data, const View& view, const ViewPlaces& places, bool is_write) {
  if (places.is_one_run && view.start == 0) {
    char* at = data + view.base;
    std::memcpy(is_write ? at : tile, is_write ? tile : at, static_cast<std::size_t>(places.tile->bytes()));
    return;
  }
  switch (places.run_bytes) {
    case 1: return copy_runs<1>(tile, data, view, places, is_write);
    case 2: return copy_runs<2>(tile, data, view, places, is_write);
    case 4: return copy_runs<4>(tile, data, view, places, is_write);
    case 8: return copy_runs<8>(tile, data, view, places, is_write);
    case 16: return copy_runs<16>(tile, data, view, places, is_write);
    case 32: return copy_runs<32>(tile, data, view, places, is_write);
    default: break;
  }
  for_each_run(view, places, [&](std::int64_t begin, std::int64_t) {
    std::memcpy(is_write ? data + begin : tile, is_write ? tile : data + begin,
                static_cast<std::size_t>(places.run_bytes));
    tile += places.run_bytes;
  });
}

}  // namespace

std::uint64_t pack(const View& view) {
  return (std::uint64_t{view.storage} + 1) << (kBaseBits + kStartBits) | std::uint64_t{view.start} << kBaseBits |
         view.base;
}

View unpack(std::uint64_t bits) {
  View view;
  view.storage = static_cast<Slot>(bits >> (kBaseBits + kStartBits)) - 1;
  view.start = static_cast<std::uint32_t>(bits >> kBaseBits & ((1u << kStartBits) - 1));
  view.base = static_cast<std::uint32_t>(bits & ((1u << kBaseBits) - 1));
  return view;
}

std::int64_t storage_length(std::int64_t bytes) { return kStorageHeaderBytes + 2 * bytes; }

void start_storage(Machine& machine, Slot slot, std::int64_t bytes, std::uint32_t site) {
  Tile& tile = machine.slots[slot];
  if (tile.buffer == nullptr || tile.buffer->references > 1) {
    Tile made;
    made.form = Form::dense;
    made.is_contiguous = true;
    made.buffer = machine.pool.acquire(storage_length(bytes));
    made.base = reinterpret_cast<std::uint64_t>(made.buffer->data());
    made.stride[0] = 1;
    machine.set(slot, made);
  }
  const Tile& storage = machine.slots[slot];
  std::memset(storage.buffer->data(), 0, static_cast<std::size_t>(storage_length(bytes)));
  StorageHeader& header = header_of(storage);
  header.bytes = header.unwritten = bytes;
  header.site = site;
}

std::uint32_t site_of_storage(const Machine& machine, Slot slot) { return header_of(machine.slots[slot]).site; }
std::int64_t bytes_of_storage(const Machine& machine, Slot slot) { return header_of(machine.slots[slot]).bytes; }
const char* bytes_at(const Machine& machine, Slot slot) {
  const Tile& tile = machine.slots[slot];
  return tile.buffer == nullptr ? nullptr : data_of(tile);
}

Tile read_view(Machine& machine, const Step* step, const View& view, const ViewPlaces& places) {
  const Tile& storage = machine.slots[view.storage];
  Tile out = machine.allocate(*places.tile);
  copy_view(out.data(), data_of(storage), view, places, false);
  if (header_of(storage).unwritten != 0) clear_unwritten(machine, step, view, places, out);
  out.stride = places.stride;
  out.is_contiguous = places.is_row_major;
  return out;
}

void write_view(Machine& machine, const View& view, const ViewPlaces& places, const Tile& value) {
  const Temporary from(machine, in_order(machine, places, value));
  const Tile& storage = own_storage(machine, view.storage);
  copy_view(from->data(), data_of(storage), view, places, true);
  StorageHeader& header = header_of(storage);
  if (header.unwritten == 0) return;
  for_each_run(view, places, [&](std::int64_t begin, std::int64_t end) {
    mark(header, flags_of(storage), begin, end - begin);
  });
}

bool is_in_buffer(const Machine& machine, const View& view, const ViewPlaces& places) {
  const std::int64_t bytes = bytes_of_storage(machine, view.storage);
  if (view.base + places.padded(places.reach | view.start) + places.run_bytes <= bytes) return true;
  bool fits = true;
  for_each_run(view, places, [&](std::int64_t, std::int64_t end) { fits = fits && end <= bytes; });
  return fits;
}

void mark_written(Machine& machine, Slot storage, std::int64_t begin, std::int64_t bytes) {
  const Tile& own = own_storage(machine, storage);
  const char* flags = flags_of(own);
  for (std::int64_t i = begin; i < begin + bytes; ++i) {
    if (flags[i] == 0) data_of(own)[i] = 0;
  }
  mark(header_of(own), flags_of(own), begin, bytes);
}

}  // namespace lockstep::interpreter
