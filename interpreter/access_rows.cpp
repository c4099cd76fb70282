#include "interpreter/access_rows.h"

#include <algorithm>

#include "interpreter/access_memory.h"
#include "interpreter/rows.h"

namespace lockstep::interpreter {

namespace {

/// The lanes of an access as rows along dimension k.
struct RowSet {
  std::size_t k = 0;
  std::int64_t first = 0, end = 0;  // along k
  std::uint64_t base = 0;           // address of a row: base + step * i + value[i]
  std::int64_t step = 0;
  const std::int64_t* value = nullptr;  // null: 0
  const std::uint8_t* mask = nullptr;   // null: every row
  std::int64_t mask_step = 1;
  AddressBox row{};       // of one row: without dimension k
  std::int64_t rows = 0;  // with a lane

  bool has(std::int64_t i) const { return mask == nullptr || (mask[i * mask_step] & 1) != 0; }
  std::uint64_t origin(std::int64_t i) const {
    return base + static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(i) +
           (value != nullptr ? static_cast<std::uint64_t>(value[i]) : 0);
  }
};

/// The rows of the mask; false: it has no rows along the dimension, or other ones.
bool take_mask(const Tile* mask, const TileType& type, bool has_dimension, RowSet& out) {
  if (mask == nullptr || mask->form == Form::uniform || mask->form == Form::box) return has_dimension;
  const int k = mask->form == Form::rows ? mask->row_dimension : only_dimension(*mask, type);
  if (k < 0 || (has_dimension && static_cast<std::size_t>(k) != out.k)) return false;
  out.k = static_cast<std::size_t>(k);
  const bool is_dense = mask->form == Form::dense;
  out.mask = is_dense ? reinterpret_cast<const std::uint8_t*>(mask->data()) : mask->row_mask();
  out.mask_step = is_dense ? mask->stride[out.k] : 1;
  return true;
}

bool find_rows(const Access& access, const Lanes& lanes, RowSet& out) {
  const TileType& type = *access.pointer;
  const Tile& pointer = *lanes.pointer;
  const bool is_rows = pointer.form == Form::rows;
  if (type.rank() < 2 || !type.is_strided() || pointer.form == Form::dense) return false;
  if (is_rows) {
    out.k = pointer.row_dimension;
    out.value = pointer.row_values();
  }
  if (!take_mask(lanes.mask, type, is_rows, out)) return false;
  const bool has_intervals =
      lanes.mask != nullptr && lanes.mask->form != Form::uniform && lanes.mask->form != Form::dense;
  out.base = pointer.base;
  out.step = pointer.stride[out.k];
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    const std::int64_t low = has_intervals ? lanes.mask->low(d) : 0;
    const std::int64_t high = has_intervals ? lanes.mask->high(d) : type.shape[d];
    if (d == out.k) {
      out.first = low;
      out.end = high;
      continue;
    }
    const auto at = static_cast<std::size_t>(out.row.rank++);
    out.row.low[at] = low;
    out.row.shape[at] = high - low;
    out.row.stride[at] = pointer.stride[d];
    out.base += static_cast<std::uint64_t>(low) * static_cast<std::uint64_t>(pointer.stride[d]);
    elements *= high - low;
  }
  out.row.count = elements;
  if (lanes.mask != nullptr && lanes.mask->form == Form::uniform && (lanes.mask->base & 1) == 0) out.end = out.first;
  return true;
}

/// Every row may be touched. Counts the rows.
bool rows_are_inside(const Machine& machine, const Access& access, std::int32_t provenance, RowSet& set) {
  std::uint64_t lowest = UINT64_MAX, highest = 0;
  for (std::int64_t i = set.first; i < set.end; ++i) {
    if (!set.has(i)) continue;
    const std::uint64_t origin = set.origin(i);
    lowest = std::min(lowest, origin);
    highest = std::max(highest, origin);
    ++set.rows;
  }
  if (set.rows == 0) return true;
  AddressBox low = set.row, high = set.row;
  low.origin = lowest;
  high.origin = highest;
  set_bytes(low, access.bytes);
  set_bytes(high, access.bytes);
  if (low.begin <= low.end && high.begin <= high.end && is_inside(machine, provenance, low.begin, high.end))
    return true;
  for (std::int64_t i = set.first; i < set.end; ++i) {
    if (!set.has(i)) continue;
    low.origin = set.origin(i);
    set_bytes(low, access.bytes);
    if (!box_is_inside(machine, provenance, low, access.bytes)) return false;
  }
  return true;
}

/// Rows of a gather are anywhere: their first lines are asked for a few rows ahead.
void prefetch(const RowSet& set, std::int64_t i) {
  constexpr std::int64_t kAhead = 6;
  constexpr std::uint64_t kLine = 64, kLines = 4;
  if (i + kAhead >= set.end || set.value == nullptr) return;
  const auto* at = reinterpret_cast<const char*>(set.origin(i + kAhead));
  for (std::uint64_t line = 0; line < kLines; ++line) __builtin_prefetch(at + line * kLine);
}

/// Calls body(row's address box, i) for each row.
template <typename Body>
void for_each_row(RowSet& set, Body&& body) {
  for (std::int64_t i = set.first; i < set.end; ++i) {
    prefetch(set, i);
    if (!set.has(i)) continue;
    set.row.origin = set.origin(i);
    body(i);
  }
}

/// Strides in bytes of a dense tile (a uniform one: 0) without dimension k, and where its first row starts.
struct RowMemory {
  RowMemory(const Access& access, const RowSet& set, const Tile& tile) {
    const bool is_uniform = tile.form == Form::uniform;
    start = is_uniform ? reinterpret_cast<char*>(const_cast<std::uint64_t*>(&tile.base)) : tile.data();
    if (is_uniform) return;
    std::size_t at = 0;
    for (std::size_t d = 0; d < access.value->shape.size(); ++d) {
      if (d == set.k) continue;
      stride[at] = tile.stride[d] * access.bytes;
      start += set.row.low[at] * stride[at];
      ++at;
    }
    step = tile.stride[set.k] * access.bytes;
  }
  char* start = nullptr;
  std::int64_t step = 0;
  std::array<std::int64_t, kMaxStridedRank> stride{};
};

}  // namespace

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
  const RowMemory to(access, set, out);
  for_each_row(set, [&](std::int64_t i) {
    if (logs) note_box(machine, set.row, access.bytes, false);
    copy_box(access, to.start + i * to.step, to.stride.data(), reinterpret_cast<const char*>(set.row.origin),
             set.row.stride.data(), set.row.shape.data(), set.row.rank);
  });
  normalise_booleans(*access.value, out);
  return true;
}

bool store_rows(Machine& machine, const Access& access, const Lanes& lanes, const Tile& value) {
  RowSet set;
  const std::int32_t provenance = lanes.pointer->provenance;
  if (!find_rows(access, lanes, set)) return false;
  // Where rows share bytes the last lane wins: rows must come in the order of lanes.
  for (std::size_t d = 0; d < set.k; ++d) {
    if (access.value->shape[d] != 1) return false;
  }
  if (may_share_bytes(set.row, access.bytes) || !rows_are_inside(machine, access, provenance, set)) return false;
  machine.bytes_written += static_cast<std::uint64_t>(set.rows * set.row.count * access.bytes);
  const bool logs = is_logged(machine, provenance);
  const RowMemory from(access, set, value);
  for_each_row(set, [&](std::int64_t i) {
    if (logs) note_box(machine, set.row, access.bytes, true);
    copy_box(access, reinterpret_cast<char*>(set.row.origin), set.row.stride.data(), from.start + i * from.step,
             from.stride.data(), set.row.shape.data(), set.row.rank);
  });
  return true;
}

}  // namespace lockstep::interpreter
