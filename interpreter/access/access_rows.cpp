#include "interpreter/access/access_rows.h"

#include <algorithm>
#include <cstring>

#include "interpreter/access/access_memory.h"
#include "interpreter/kernels/listed_rows.h"
#include "interpreter/tile/rows.h"

namespace lockstep::interpreter {

namespace {

using Extents = std::array<std::int64_t, kMaxStridedRank>;

/// The lanes of an access as rows: one for each index of some dimensions, a box of the others. All strides are along
/// the dimensions of the tile, and 0 where they do not reach.
struct RowSet {
  unsigned dimensions = 0;  // that number the rows
  Extents low{}, extent{};  // of the rows; extent 1 along others
  std::uint64_t base = 0;   // address of a row: base + sum(step * i) + value[..]
  Extents step{}, value_step{}, mask_step{};
  const std::int64_t* value = nullptr;  // null: 0
  const std::uint8_t* mask = nullptr;   // null: every row
  AddressBox row{};                     // of one row
  Extents row_low{};                    // where its lanes start, by dimension of the tile
  std::int64_t rows = 0;                // with a lane

  bool has(std::size_t d) const { return (dimensions >> d & 1) != 0; }
};

bool find_rows(const Access& access, const Lanes& lanes, RowSet& out) {
  const TileType& type = *access.pointer;
  const Tile& pointer = *lanes.pointer;
  if (type.rank() < 2 || !type.is_strided() || pointer.form == Form::dense) return false;
  RowMask mask;
  if (!as_row_mask(lanes.mask != nullptr ? *lanes.mask : uniform_tile(1), type, mask)) return false;
  out.mask = mask.row;
  out.dimensions = mask.dimensions;
  if (pointer.form == Form::gather) {
    out.dimensions |= pointer.row_dimensions;
    out.value = pointer.row_values();
    out.value_step = row_strides(type, pointer.row_dimensions);
  }
  if (out.dimensions == 0) return false;
  out.base = pointer.base;
  out.row.count = 1;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    const std::int64_t low = mask.low[d], extent = mask.high[d] - low;
    out.base += static_cast<std::uint64_t>(low) * static_cast<std::uint64_t>(pointer.stride[d]);
    out.extent[d] = 1;
    if (out.has(d)) {
      out.low[d] = low;
      out.extent[d] = extent;
      out.step[d] = pointer.stride[d];
      out.mask_step[d] = mask.stride[d];
      if (out.value != nullptr) out.value += low * out.value_step[d];
      if (out.mask != nullptr) out.mask += low * mask.stride[d];
      continue;
    }
    out.row_low[d] = low;
    const auto at = static_cast<std::size_t>(out.row.rank++);
    out.row.shape[at] = extent;
    out.row.stride[at] = pointer.stride[d];
    out.row.count *= extent;
  }
  if (lanes.mask != nullptr && lanes.mask->form == Form::uniform && (lanes.mask->base & 1) == 0) out.extent.fill(0);
  return out.extent[0] != 0;
}

/// Rows of a gather are anywhere: their first lines are asked for, because a tile has few rows, and the processor's own
/// prefetching sees each row as a new stream.
void prefetch_row(std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t kLine = 64, kMostBytes = 4 * kLine;
  const auto* at = reinterpret_cast<const char*>(address);
  for (std::uint64_t done = 0; done < std::min(bytes, kMostBytes); done += kLine) __builtin_prefetch(at + done);
}

/// The only dimension with more than one row, or the first one if there is but one row; no dimension: there are several,
/// or no rows.
std::size_t longest_dimension(const Extents& extent, int rank) {
  std::size_t found = 0, longer = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) {
    if (extent[d] <= 0) return extent.size();
    if (extent[d] == 1) continue;
    found = d;
    ++longer;
  }
  return longer <= 1 ? found : extent.size();
}

/// Copies a run that is no longer than a few lines of the cache without the general copy's choices.
void copy_row(char* to, const char* from, std::uint64_t bytes) {
  constexpr std::uint64_t kBlock = 64, kMostBytes = 512;
  if (bytes % kBlock != 0 || bytes > kMostBytes) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::uint64_t at = 0; at < bytes; at += kBlock) std::memcpy(to + at, from + at, kBlock);
}

using Offsets = std::array<std::int64_t, StridedWalk::kMaxTiles>;

/// Calls body(offset, stride, n) for runs of n rows, in the order of lanes; row i of a run has address_of(..., i), and
/// its place is offset[3] + i * stride[3], by `strides`.
template <typename Body>
void for_each_run_of_rows(const RowSet& set, int rank, const std::int64_t* strides, Body&& body) {
  const std::size_t d = longest_dimension(set.extent, rank);
  if (d < set.extent.size())
    return body(Offsets{}, Offsets{set.step[d], set.value_step[d], set.mask_step[d], strides[d]}, set.extent[d]);
  const StridedWalk walk(set.extent.data(), rank,
                         {set.step.data(), set.value_step.data(), set.mask_step.data(), strides}, 4);
  walk.for_each_run([&](const Offsets& offset) { body(offset, walk.inner_stride, walk.inner); });
}

inline std::uint64_t address_of(const RowSet& set, const Offsets& offset, const Offsets& stride, std::int64_t i) {
  const std::int64_t value = set.value != nullptr ? set.value[offset[1] + i * stride[1]] : 0;
  return set.base + static_cast<std::uint64_t>(offset[0]) +
         static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(stride[0]) + static_cast<std::uint64_t>(value);
}

/// Calls body(address, place) for every row with a lane, in the order of lanes; place = sum(strides[d] * i_d).
/// `asked_ahead`: bytes of a row that it prefetches, a few rows ahead; 0: none. `asks_behind`: as many bytes behind each
/// row, too.
template <typename Body>
void for_each_row(const RowSet& set, int rank, const std::int64_t* strides, std::uint64_t asked_ahead, Body&& body,
                  bool asks_behind = false) {
  for_each_run_of_rows(set, rank, strides, [&](const Offsets& offset, const Offsets& stride, std::int64_t n) {
    constexpr std::int64_t kAhead = 8;
    const auto address = [&](std::int64_t i) { return address_of(set, offset, stride, i); };
    for (std::int64_t i = 0; asked_ahead != 0 && i < std::min(kAhead, n); ++i) prefetch_row(address(i), asked_ahead);
    for (std::int64_t i = 0; i < n; ++i) {
      if (asked_ahead != 0 && i + kAhead < n) prefetch_row(address(i + kAhead), asked_ahead);
      if (asks_behind) prefetch_row(address(i) + asked_ahead, asked_ahead);
      if (set.mask != nullptr && (set.mask[offset[2] + i * stride[2]] & 1) == 0) continue;
      body(address(i), offset[3] + i * stride[3]);
    }
  });
}

/// Whether rows from the lowest to the highest address may be touched; false where it needs a look at each of them.
bool range_is_inside(const Machine& machine, const Access& access, std::int32_t provenance, const AddressBox& row,
                     std::uint64_t lowest, std::uint64_t highest) {
  AddressBox low = row, high = row;
  low.origin = lowest;
  high.origin = highest;
  set_bytes(low, access.bytes);
  set_bytes(high, access.bytes);
  return low.begin <= low.end && high.begin <= high.end && is_inside(machine, provenance, low.begin, high.end);
}

/// Whether every row may be touched. Counts the rows.
bool rows_are_inside(const Machine& machine, const Access& access, std::int32_t provenance, RowSet& set) {
  constexpr Extents kNone{};
  const int rank = access.pointer->rank();
  std::uint64_t lowest = UINT64_MAX, highest = 0;
  for_each_row(set, rank, kNone.data(), 0, [&](std::uint64_t address, std::int64_t) {
    lowest = std::min(lowest, address);
    highest = std::max(highest, address);
    ++set.rows;
  });
  if (set.rows == 0) return true;
  if (range_is_inside(machine, access, provenance, set.row, lowest, highest)) return true;
  bool inside = true;
  AddressBox low = set.row;
  for_each_row(set, rank, kNone.data(), 0, [&](std::uint64_t address, std::int64_t) {
    low.origin = address;
    set_bytes(low, access.bytes);
    inside = inside && box_is_inside(machine, provenance, low, access.bytes);
  });
  return inside;
}

/// Memory of a dense or uniform tile as rows: strides in bytes (uniform: 0) within a row and from row to row.
struct RowMemory {
  RowMemory(const Access& access, const RowSet& set, const Tile& tile, char* data) : start(data) {
    std::size_t at = 0;
    for (std::size_t d = 0; d < access.value->shape.size(); ++d) {
      const std::int64_t stride = tile.form == Form::uniform ? 0 : tile.stride[d] * access.bytes;
      start += (set.has(d) ? set.low[d] : set.row_low[d]) * stride;
      if (set.has(d)) {
        step[d] = stride;
      } else {
        within[at++] = stride;
      }
    }
  }
  char* start;
  Extents step{}, within{};
};

/// Before a store of rows of neighbours. False: nothing is noted.
bool note_all_rows(Machine& machine, const Access& access, std::int32_t provenance, const RowSet& set,
                   std::uint64_t row_bytes) {
  constexpr Extents kNone{};
  constexpr std::int64_t kMost = 256;
  std::array<std::uint64_t, kMost> addresses;
  if (set.rows > kMost) return false;
  std::size_t count = 0;
  for_each_row(set, access.pointer->rank(), kNone.data(), 0,
               [&](std::uint64_t address, std::int64_t) { addresses[count++] = address; });
  return note_stored_rows(machine, provenance, row_bytes, {addresses.data(), count});
}

/// Rows in the order of lanes: the dimensions that number them come first.
bool rows_are_in_order(const RowSet& set, const TileType& type) {
  bool is_in_row = false;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    if (type.shape[d] == 1) continue;
    if (set.has(d) && is_in_row) return false;
    is_in_row = is_in_row || !set.has(d);
  }
  return true;
}

// What the masked rows of a listed tile are.
constexpr std::int64_t kMostListedBytes = 1024;
alignas(64) constexpr std::array<char, kMostListedBytes> kZeros{};

/// Whether the set's rows are whole rows of the tile, each a run of neighbours that is short enough.
bool are_whole_rows(const RowSet& set, const TileType& type, int bytes) {
  return set.dimensions == 1 && set.row.rank == 1 && set.row.shape[0] == type.shape[1] && set.row.stride[0] == bytes &&
         set.row.count * bytes <= kMostListedBytes;
}

struct ListedRange {
  std::uint64_t lowest = UINT64_MAX, highest = 0;
  std::int64_t count = 0;
};

/// The address of each of n rows of a tile whose first dimension numbers them; that of zeros where the mask has none.
ListedRange list_addresses(const RowSet& set, std::int64_t n, std::uint64_t* listed) {
  const auto zeros = reinterpret_cast<std::uint64_t>(kZeros.data());
  ListedRange range;
  std::fill_n(listed, set.low[0], zeros);
  std::fill(listed + set.low[0] + set.extent[0], listed + n, zeros);
  const Offsets stride{set.step[0], set.value_step[0]};
  for (std::int64_t i = 0; i < set.extent[0]; ++i) {
    const bool is_there = set.mask == nullptr || (set.mask[i * set.mask_step[0]] & 1) != 0;
    const std::uint64_t address = address_of(set, {}, stride, i);
    listed[set.low[0] + i] = is_there ? address : zeros;
    range.lowest = is_there && address < range.lowest ? address : range.lowest;
    range.highest = is_there && address > range.highest ? address : range.highest;
    range.count += is_there ? 1 : 0;
  }
  return range;
}

}  // namespace

bool list_rows(Machine& machine, const Access& access, const Lanes& lanes, Tile& out) {
  const TileType& type = *access.value;
  const std::int32_t provenance = lanes.pointer->provenance;
  if (type.rank() != 2 || provenance < 0 || is_logged(machine, provenance) ||
      !machine.launch.views[static_cast<std::size_t>(provenance)].is_constant)
    return false;
  if (lanes.other != nullptr && (lanes.other->form != Form::uniform || lanes.other->base != 0)) return false;
  RowSet set;
  if (!find_rows(access, lanes, set) || !are_whole_rows(set, type, access.bytes)) return false;
  Buffer* const table = machine.pool.acquire(type.shape[0] * 8);
  auto* const listed = reinterpret_cast<std::uint64_t*>(table->data());
  const ListedRange range = list_addresses(set, type.shape[0], listed);
  if (range.count == 0 || !range_is_inside(machine, access, provenance, set.row, range.lowest, range.highest)) {
    machine.pool.release(table);
    return false;
  }
  out.form = Form::listed;
  out.is_contiguous = false;
  out.provenance = -1;
  out.buffer = table;
  machine.bytes_read += static_cast<std::uint64_t>(range.count * set.row.count * access.bytes);
  return true;
}

bool load_rows(Machine& machine, const Access& access, const Lanes& lanes, Tile& out) {
  RowSet set;
  const std::int32_t provenance = lanes.pointer->provenance;
  if (!find_rows(access, lanes, set) || !rows_are_inside(machine, access, provenance, set)) return false;
  const std::int64_t count = set.rows * set.row.count;
  if (count == 0) {
    out = value_without_lanes(lanes);
    return true;
  }
  machine.bytes_read += static_cast<std::uint64_t>(count * access.bytes);
  out = machine.allocate(*access.value);
  const bool is_full = count == access.value->count;
  if (is_full || lanes.other == nullptr || lanes.other->form == Form::uniform)
    choose_layout(access, lanes.pointer->stride.data(), out);
  if (!is_full) fill_with_other(machine, access, lanes, out);
  const bool logs = is_logged(machine, provenance);
  const RowMemory to(access, set, out, out.data());
  const auto row_bytes = static_cast<std::uint64_t>(set.row.count * access.bytes);
  const std::uint64_t asked_ahead = set.value != nullptr ? row_bytes : 0;
  const bool is_run = set.row.rank == 1 && set.row.stride[0] == access.bytes && to.within[0] == access.bytes;
  if (is_run && !logs) {
    for_each_row(set, access.value->rank(), to.step.data(), asked_ahead, [&](std::uint64_t address, std::int64_t place) {
      copy_row(to.start + place, reinterpret_cast<const char*>(address), row_bytes);
    }, asked_ahead != 0 && access.moves_on);
    normalise_booleans(*access.value, out);
    return true;
  }
  for_each_row(set, access.value->rank(), to.step.data(), asked_ahead,
               [&](std::uint64_t address, std::int64_t place) {
                 set.row.origin = address;
                 if (logs) note_box(machine, set.row, access.bytes, false);
                 copy_box(access, to.start + place, to.within.data(), reinterpret_cast<const char*>(address),
                          set.row.stride.data(), set.row.shape.data(), set.row.rank);
               });
  normalise_booleans(*access.value, out);
  return true;
}

namespace {

/// Whether the rows are whole runs of neighbours on both sides, and the rectangle has their lanes.
bool are_same_lanes(const RowSet& set, const AddressBox& box, const TileType& type, int bytes) {
  if (set.row.rank != 1 || set.row.stride[0] != bytes) return false;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    const bool is_row = set.has(d);
    if (box.low[d] != (is_row ? set.low[d] : set.row_low[d])) return false;
    if (box.shape[d] != (is_row ? set.extent[d] : set.row.shape[0])) return false;
    if (!is_row && box.stride[d] != bytes) return false;
  }
  return true;
}

}  // namespace

bool copy_rows(Machine& machine, const Access& load, const Lanes& from, const Access& store, const Lanes& to) {
  const std::int32_t source = from.pointer->provenance, target = to.pointer->provenance;
  if (source < 0 || !machine.launch.views[static_cast<std::size_t>(source)].is_constant || is_logged(machine, source))
    return false;
  RowSet set;
  AddressBox box;
  if (from.pointer->form != Form::gather || !find_addresses(store, *to.pointer, to.mask, box) || box.count == 0 ||
      !find_rows(load, from, set) || set.mask != nullptr || !are_same_lanes(set, box, *load.value, load.bytes) ||
      !box_is_inside(machine, target, box, store.bytes) || may_share_bytes(box, store.bytes) ||
      !rows_are_inside(machine, load, source, set))
    return false;
  const std::int64_t row_bytes = set.row.count * load.bytes;
  const auto bytes = static_cast<std::uint64_t>(box.count * store.bytes);
  machine.bytes_read += bytes;
  machine.bytes_written += bytes;
  if (is_logged(machine, target)) note_box(machine, box, store.bytes, true);
  Extents step{};
  for (std::size_t d = 0; d < load.value->shape.size(); ++d) step[d] = set.has(d) ? box.stride[d] : 0;
  const bool bypasses = is_streamed(machine, target);
  char* out = reinterpret_cast<char*>(box.origin);
  for_each_run_of_rows(set, load.value->rank(), step.data(),
                       [&](const Offsets& offset, const Offsets& stride, std::int64_t n) {
                         const kernels::ListedRows rows{
                             reinterpret_cast<const char*>(set.base + static_cast<std::uint64_t>(offset[0])), stride[0],
                             set.value + offset[1], stride[1], n, row_bytes};
                         machine.bytes_streamed += kernels::copy_listed(out + offset[3], stride[3], rows, bypasses);
                       });
  return true;
}

bool store_rows(Machine& machine, const Access& access, const Lanes& lanes, const Tile& value) {
  RowSet set;
  const std::int32_t provenance = lanes.pointer->provenance;
  if (!find_rows(access, lanes, set)) return false;
  // Where rows share bytes the last lane wins.
  if (!rows_are_in_order(set, *access.value) || may_share_bytes(set.row, access.bytes) ||
      !rows_are_inside(machine, access, provenance, set))
    return false;
  machine.bytes_written += static_cast<std::uint64_t>(set.rows * set.row.count * access.bytes);
  const bool logs = is_logged(machine, provenance);
  auto* data =
      value.form == Form::uniform ? reinterpret_cast<char*>(const_cast<std::uint64_t*>(&value.base)) : value.data();
  const RowMemory from(access, set, value, data);
  const auto row_bytes = static_cast<std::uint64_t>(set.row.count * access.bytes);
  if (set.row.rank == 1 && set.row.stride[0] == access.bytes && from.within[0] == access.bytes) {
    const bool notes_runs = logs && !note_all_rows(machine, access, provenance, set, row_bytes);
    for_each_row(set, access.value->rank(), from.step.data(), 0, [&](std::uint64_t address, std::int64_t place) {
      if (notes_runs) note_run(machine, address, address + row_bytes, true);
      copy_row(reinterpret_cast<char*>(address), from.start + place, row_bytes);
    });
    return true;
  }
  for_each_row(set, access.value->rank(), from.step.data(), 0, [&](std::uint64_t address, std::int64_t place) {
    set.row.origin = address;
    if (logs) note_box(machine, set.row, access.bytes, true);
    copy_box(access, reinterpret_cast<char*>(address), set.row.stride.data(), from.start + place, from.within.data(),
             set.row.shape.data(), set.row.rank);
  });
  return true;
}

}  // namespace lockstep::interpreter
