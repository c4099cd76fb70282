#include "interpreter/rows.h"

#include <algorithm>
#include <cstring>

#include "interpreter/kernels/kernels.h"
#include "interpreter/structure.h"

namespace lockstep::interpreter {

namespace {

bool is_number(const TileType& type) {
  return type.kind == ScalarKind::pointer || (is_integer(type.kind) && type.kind != ScalarKind::i1);
}

std::int64_t read_signed(const char* at, ScalarKind kind, int bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, static_cast<std::size_t>(bytes));
  return sign_extend(kind, bits);
}

std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

void set_range(Buffer& table, std::int64_t n) {
  const auto* values = reinterpret_cast<const std::int64_t*>(table.data());
  const auto [low, high] = std::minmax_element(values, values + n);
  table.lowest = *low;
  table.highest = *high;
}

/// An operand as base + row[i_k] + sum(stride[d] * i_d); `table` is null for plain tiles. Holds a count of the table.
struct RowView {
  explicit RowView(BufferPool& of) : pool(of) {}
  ~RowView() {
    if (table != nullptr) pool.release(table);
  }
  RowView(const RowView&) = delete;
  RowView& operator=(const RowView&) = delete;
  std::int64_t* values() const { return reinterpret_cast<std::int64_t*>(table->data()); }

  BufferPool& pool;
  AffineView affine;
  std::size_t k = 0;
  Buffer* table = nullptr;
};

bool as_rows(const Tile& tile, const TileType& type, RowView& out) {
  if (!is_number(type)) return false;
  if (as_affine(tile, type, out.affine)) return true;
  if (tile.form == Form::rows) {
    out.affine.base = static_cast<std::int64_t>(tile.base);
    out.affine.stride = tile.stride;
    out.k = tile.row_dimension;
    out.table = tile.buffer;
    BufferPool::retain(tile);
    return true;
  }
  const int k = tile.form == Form::dense ? only_dimension(tile, type) : -1;
  if (k < 0) return false;
  out.k = static_cast<std::size_t>(k);
  const std::int64_t n = type.shape[out.k], step = tile.stride[out.k] * type.element_bytes;
  out.table = out.pool.acquire(n * 8);
  for (std::int64_t i = 0; i < n; ++i)
    out.values()[i] = read_signed(tile.data() + i * step, type.kind, type.element_bytes);
  set_range(*out.table, n);
  return true;
}

/// Replaces the table by one of the same size; `value(i)` gives its entries, false: they do not exist.
template <typename Value>
bool replace_table(RowView& view, std::int64_t n, Value&& value) {
  Buffer* made = view.pool.acquire(n * 8);
  auto* values = reinterpret_cast<std::int64_t*>(made->data());
  bool exists = true;
  for (std::int64_t i = 0; i < n; ++i) exists = value(i, values[i]) && exists;
  if (view.table != nullptr) view.pool.release(view.table);
  view.table = made;
  set_range(*made, n);
  return exists;
}

/// Multiplies everything by `factor`; pointers and their offsets wrap but for the strides.
bool scale(RowView& view, const TileType& type, std::int64_t factor, bool wraps) {
  if (factor == 1) return true;
  const auto times = [&](std::int64_t a, std::int64_t& out) {
    return !__builtin_mul_overflow(a, factor, &out) || wraps;
  };
  if (!times(view.affine.base, view.affine.base)) return false;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    if (__builtin_mul_overflow(view.affine.stride[d], factor, &view.affine.stride[d])) return false;
  }
  if (view.table == nullptr) return true;
  const std::int64_t* values = view.values();
  return replace_table(view, type.shape[view.k],
                       [&](std::int64_t i, std::int64_t& out) { return times(values[i], out); });
}

/// Adds `other` to `view`; both have the shape of `type`.
bool add(RowView& view, const RowView& other, const TileType& type, bool wraps) {
  if (view.table != nullptr && other.table != nullptr && view.k != other.k) return false;
  const auto plus = [&](std::int64_t a, std::int64_t b, std::int64_t& out) {
    return !__builtin_add_overflow(a, b, &out) || wraps;
  };
  if (!plus(view.affine.base, other.affine.base, view.affine.base)) return false;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    if (__builtin_add_overflow(view.affine.stride[d], other.affine.stride[d], &view.affine.stride[d])) return false;
  }
  if (other.table == nullptr) return true;
  if (view.table == nullptr) {
    view.k = other.k;
    view.table = other.table;
    ++view.table->references;
    return true;
  }
  const std::int64_t *a = view.values(), *b = other.values();
  return replace_table(view, type.shape[view.k],
                       [&](std::int64_t i, std::int64_t& out) { return plus(a[i], b[i], out); });
}

/// Every value lies in the kind.
bool fits(const RowView& view, const TileType& type) {
  ValueRange range;
  if (!range_of(view.affine, type, range) || __builtin_add_overflow(range.lowest, view.table->lowest, &range.lowest) ||
      __builtin_add_overflow(range.highest, view.table->highest, &range.highest))
    return false;
  return range.lowest >= lowest_of(type.kind) && range.highest <= highest_of(type.kind);
}

bool make_rows(RowView& view, const TileType& type, std::int32_t provenance, Tile& out) {
  if (view.table == nullptr || type.count <= type.shape[view.k]) return false;
  if (type.kind != ScalarKind::pointer && !fits(view, type)) return false;
  out.form = Form::rows;
  out.row_dimension = static_cast<std::uint8_t>(view.k);
  out.provenance = provenance;
  out.base = static_cast<std::uint64_t>(view.affine.base);
  for (std::size_t d = 0; d < type.shape.size(); ++d) out.stride[d] = type.shape[d] == 1 ? 0 : view.affine.stride[d];
  out.buffer = view.table;
  view.table = nullptr;
  return true;
}

/// Neither operand has so many distinct elements that nothing would be saved.
bool may_pay(const Tile& a, const Tile& b, const TileType& type) {
  if (type.rank() < 2 || !type.is_strided()) return false;
  for (const Tile* tile : {&a, &b}) {
    if (tile->form == Form::dense && only_dimension(*tile, type) < 0) return false;
  }
  return true;
}

}  // namespace

int only_dimension(const Tile& dense, const TileType& type) {
  int found = -1;
  if (!type.is_strided()) return -1;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    if (type.shape[d] == 1 || dense.stride[d] == 0) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(d);
  }
  return found >= 0 && type.count > type.shape[static_cast<std::size_t>(found)] ? found : -1;
}

bool add_rows(Machine& machine, const Tile& a, const Tile& b, const TileType& type, bool subtracts, Tile& out) {
  RowView x(machine.pool), y(machine.pool);
  return may_pay(a, b, type) && as_rows(a, type, x) && as_rows(b, type, y) &&
         (!subtracts || scale(y, type, -1, false)) && add(x, y, type, false) && make_rows(x, type, -1, out);
}

bool multiply_rows(Machine& machine, const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  const bool a_is_factor = a.form == Form::uniform;
  if ((!a_is_factor && b.form != Form::uniform) || !may_pay(a, b, type)) return false;
  RowView x(machine.pool);
  const std::int64_t factor = sign_extend(type.kind, a_is_factor ? a.base : b.base);
  return as_rows(a_is_factor ? b : a, type, x) && scale(x, type, factor, false) && make_rows(x, type, -1, out);
}

bool offset_pointer_rows(Machine& machine, const Tile& pointer, const TileType& pointer_type, const Tile& offset,
                         const TileType& offset_type, std::int64_t element_bytes, Tile& out) {
  RowView p(machine.pool), o(machine.pool);
  return may_pay(pointer, offset, pointer_type) && as_rows(pointer, pointer_type, p) &&
         as_rows(offset, offset_type, o) && scale(o, offset_type, element_bytes, true) &&
         add(p, o, pointer_type, true) && make_rows(p, pointer_type, pointer.provenance, out);
}

bool convert_rows(const Tile& a, const TileType& from, const TileType& to, bool is_unsigned, Tile& out) {
  if (a.form != Form::rows || !is_number(from) || !is_number(to) || from.kind == ScalarKind::pointer ||
      to.kind == ScalarKind::pointer)
    return false;
  AffineView view;
  view.base = static_cast<std::int64_t>(a.base);
  view.stride = a.stride;
  ValueRange range;  // of values that lie in `from`: no sum overflows
  if (!range_of(view, from, range)) return false;
  range.lowest = wrapping_sum(range.lowest, a.buffer->lowest);
  range.highest = wrapping_sum(range.highest, a.buffer->highest);
  if (range.lowest < lowest_of(to.kind) || range.highest > highest_of(to.kind) || (is_unsigned && range.lowest < 0))
    return false;
  out = a;
  BufferPool::retain(out);
  return true;
}

// ---- masks ----

namespace {

/// Intervals of a mask, and what its rows say; `row` null: nothing. False: no such mask.
struct MaskView {
  std::array<std::int64_t, kMaxStridedRank> low, high;
  const std::uint8_t* row = nullptr;
  std::int64_t step = 1;
  std::size_t k = 0;
};

bool as_mask(const Tile& tile, const TileType& type, MaskView& out) {
  const bool has_intervals = tile.form == Form::box || tile.form == Form::rows;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    out.low[d] = has_intervals ? tile.low(d) : 0;
    out.high[d] = has_intervals ? tile.high(d) : type.shape[d];
  }
  if (tile.form == Form::rows) {
    out.row = tile.row_mask();
    out.k = tile.row_dimension;
  } else if (tile.form == Form::dense) {
    const int k = only_dimension(tile, type);
    if (k < 0) return false;
    out.k = static_cast<std::size_t>(k);
    out.row = reinterpret_cast<const std::uint8_t*>(tile.data());
    out.step = tile.stride[out.k];
  }
  return tile.form == Form::box || out.row != nullptr;
}

}  // namespace

bool and_row_masks(Machine& machine, const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  MaskView x, y;
  if (type.kind != ScalarKind::i1 || !may_pay(a, b, type) || !as_mask(a, type, x) || !as_mask(b, type, y)) return false;
  if (x.row == nullptr && y.row == nullptr) return false;
  if (x.row != nullptr && y.row != nullptr && x.k != y.k) return false;
  const std::size_t k = x.row != nullptr ? x.k : y.k;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    x.low[d] = std::max(x.low[d], y.low[d]);
    x.high[d] = std::min(x.high[d], y.high[d]);
    if (x.low[d] >= x.high[d]) {
      set_uniform(out, 0);
      return true;
    }
  }
  Buffer* table = machine.pool.acquire(type.shape[k]);
  auto* row = reinterpret_cast<std::uint8_t*>(table->data());
  for (std::int64_t i = 0; i < type.shape[k]; ++i) {
    const int left = x.row != nullptr ? x.row[i * x.step] : 1, right = y.row != nullptr ? y.row[i * y.step] : 1;
    row[i] = static_cast<std::uint8_t>(left & right & 1);
  }
  out.form = Form::rows;
  out.row_dimension = static_cast<std::uint8_t>(k);
  out.provenance = -1;
  out.base = 0;
  out.buffer = table;
  for (std::size_t d = 0; d < type.shape.size(); ++d) out.set_interval(d, x.low[d], x.high[d]);
  return true;
}

// ---- elements ----

namespace {

/// Calls body(index, place) for every run along the last dimension; `place` is its first element's number.
template <typename Body>
void for_each_line(const TileType& type, Body&& body) {
  std::array<std::int64_t, kMaxStridedRank> index{};
  const std::size_t last = type.shape.size() - 1;
  for (std::int64_t place = 0; place < type.count; place += type.shape[last]) {
    body(index, place);
    for (std::size_t d = last; d-- > 0;) {
      if (++index[d] < type.shape[d]) break;
      index[d] = 0;
    }
  }
}

void fill_mask_line(char* line, const Tile& tile, const TileType& type,
                    const std::array<std::int64_t, kMaxStridedRank>& index) {
  const std::size_t last = type.shape.size() - 1, k = tile.row_dimension;
  std::memset(line, 0, static_cast<std::size_t>(type.shape[last]));
  for (std::size_t d = 0; d < last; ++d) {
    if (index[d] < tile.low(d) || index[d] >= tile.high(d)) return;
  }
  for (std::int64_t i = tile.low(last); i < tile.high(last); ++i)
    line[i] = static_cast<char>(tile.row_mask()[k == last ? i : index[k]]);
}

void fill_number_line(char* line, const Tile& tile, const TileType& type,
                      const std::array<std::int64_t, kMaxStridedRank>& index) {
  const std::size_t last = type.shape.size() - 1, k = tile.row_dimension;
  std::int64_t start = static_cast<std::int64_t>(tile.base);
  for (std::size_t d = 0; d < last; ++d) start = wrapping_sum(start, wrapping_product(index[d], tile.stride[d]));
  if (k != last) {
    kernels::iota(type.kind)(line, wrapping_sum(start, tile.row_values()[index[k]]), tile.stride[last],
                             type.shape[last]);
    return;
  }
  for (std::int64_t i = 0; i < type.shape[last]; ++i) {
    const std::int64_t value =
        wrapping_sum(start, wrapping_sum(wrapping_product(i, tile.stride[last]), tile.row_values()[i]));
    std::memcpy(line + i * type.element_bytes, &value, static_cast<std::size_t>(type.element_bytes));
  }
}

}  // namespace

void fill_rows(char* out, const Tile& tile, const TileType& type) {
  for_each_line(type, [&](const std::array<std::int64_t, kMaxStridedRank>& index, std::int64_t place) {
    char* line = out + place * type.element_bytes;
    if (type.kind == ScalarKind::i1) {
      fill_mask_line(line, tile, type, index);
    } else {
      fill_number_line(line, tile, type, index);
    }
  });
}

}  // namespace lockstep::interpreter
