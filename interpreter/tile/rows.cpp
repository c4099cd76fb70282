#include "interpreter/tile/rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "interpreter/kernels/kernels.h"
#include "interpreter/plan/structure.h"
#include "interpreter/tile/strided_walk.h"

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

bool is_in(unsigned dimensions, std::size_t d) { return (dimensions >> d & 1) != 0; }

using Extents = std::array<std::int64_t, kMaxStridedRank>;

/// The table over some dimensions of a type.
struct TableShape {
  TableShape(const TileType& type, unsigned dimensions) : extent{}, stride{} {
    rank = type.rank();
    for (std::size_t d = type.shape.size(); d-- > 0;) {
      extent[d] = is_in(dimensions, d) ? type.shape[d] : 1;
      stride[d] = is_in(dimensions, d) ? count : 0;
      count *= extent[d];
    }
  }
  /// Calls body(entry, offsets) for every entry in order; offsets[t] = sum(strides[t][d] * i_d).
  template <typename Body>
  void for_each(const std::array<const std::int64_t*, 3>& strides, Body&& body) const {
    constexpr Extents kZero{};
    const auto stride_or_0 = [&](std::size_t t) { return strides[t] != nullptr ? strides[t] : kZero.data(); };
    const StridedWalk walk(extent.data(), rank, {stride.data(), stride_or_0(0), stride_or_0(1), stride_or_0(2)}, 4);
    walk.for_each_run([&](const std::array<std::int64_t, StridedWalk::kMaxTiles>& offset) {
      const auto at = [&](std::size_t t, std::int64_t i) {
        return wrapping_sum(offset[t], wrapping_product(i, walk.inner_stride[t]));
      };
      for (std::int64_t i = 0; i < walk.inner; ++i) body(at(0, i), std::array{at(1, i), at(2, i), at(3, i)});
    });
  }

  int rank = 0;
  std::int64_t count = 1;
  Extents extent, stride;
};

/// An operand as base + row[i] + sum(stride[d] * i_d); no dimensions for plain tiles. Holds a count of the table.
struct RowView {
  explicit RowView(BufferPool& of) : pool(of) {}
  ~RowView() {
    if (table != nullptr) pool.release(table);
  }
  RowView(const RowView&) = delete;
  RowView& operator=(const RowView&) = delete;
  std::int64_t value(std::int64_t i) const {
    return table == nullptr ? 0 : reinterpret_cast<const std::int64_t*>(table->data())[i];
  }

  BufferPool& pool;
  AffineView affine;
  unsigned dimensions = 0;
  Buffer* table = nullptr;
};

/// For a table of integers; tables of addresses need no range.
void set_range(Buffer& table, const TileType& type, std::int64_t n) {
  if (type.kind == ScalarKind::pointer) return;
  const auto* values = reinterpret_cast<const std::int64_t*>(table.data());
  std::int64_t low = values[0], high = values[0];
  for (std::int64_t i = 1; i < n; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  table.lowest = low;
  table.highest = high;
}

bool as_rows(const Tile& tile, const TileType& type, RowView& out) {
  if (as_affine(tile, type, out.affine)) return true;
  if (tile.form == Form::gather) {
    out.affine.base = static_cast<std::int64_t>(tile.base);
    out.affine.stride = tile.stride;
    out.dimensions = tile.row_dimensions;
    out.table = tile.buffer;
    BufferPool::retain(tile);
    return true;
  }
  out.dimensions = tile.form == Form::dense ? row_dimensions_of(tile, type) : 0;
  if (out.dimensions == 0) return false;
  const TableShape shape(type, out.dimensions);
  out.table = out.pool.acquire(shape.count * 8);
  auto* values = reinterpret_cast<std::int64_t*>(out.table->data());
  if (type.element_bytes == 8 && std::has_single_bit(out.dimensions)) {
    const std::int64_t stride = tile.stride[static_cast<std::size_t>(std::countr_zero(out.dimensions))];
    for (std::int64_t i = 0; i < shape.count; ++i) std::memcpy(values + i, tile.data() + i * stride * 8, 8);
    set_range(*out.table, type, shape.count);
    return true;
  }
  shape.for_each({tile.stride.data(), nullptr, nullptr}, [&](std::int64_t entry, const auto& offset) {
    values[entry] = read_signed(tile.data() + offset[0] * type.element_bytes, type.kind, type.element_bytes);
  });
  set_range(*out.table, type, shape.count);
  return true;
}

/// Whether every value fits into the kind.
bool fits(const RowView& view, const TileType& type) {
  ValueRange range;
  if (!range_of(view.affine, type, range) || __builtin_add_overflow(range.lowest, view.table->lowest, &range.lowest) ||
      __builtin_add_overflow(range.highest, view.table->highest, &range.highest))
    return false;
  return range.lowest >= lowest_of(type.kind) && range.highest <= highest_of(type.kind);
}

/// a * by + c * times modulo 2^64.
std::int64_t wrapping_line(std::int64_t a, std::int64_t by, std::int64_t c, std::int64_t times) {
  return wrapping_sum(wrapping_product(a, by), wrapping_product(c, times));
}

/// x * by + y * times, for operands of the shape of `type`. Everything is computed modulo 2^64, as addresses are; an
/// integer result whose range fits into its kind is therefore exact.
struct Combination {
  const RowView& x;
  std::int64_t by = 1;
  const RowView& y;
  std::int64_t times = 1;

  /// The table of the result; `strides` along its dimensions are folded into it.
  Buffer* make_table(const TileType& type, unsigned dimensions, const Extents& strides) const {
    bool is_flat = true;  // along the dimensions of the table
    Extents folded{};
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      if (is_in(dimensions, d)) folded[d] = strides[d];
      is_flat = is_flat && folded[d] == 0;
    }
    const RowView* shared = y.table == nullptr && by == 1 ? &x : x.table == nullptr && times == 1 ? &y : nullptr;
    if (shared != nullptr && is_flat) {
      ++shared->table->references;
      return shared->table;
    }
    const TableShape shape(type, dimensions), left(type, x.dimensions), right(type, y.dimensions);
    Buffer* made = x.pool.acquire(shape.count * 8);
    auto* values = reinterpret_cast<std::int64_t*>(made->data());
    shape.for_each({left.stride.data(), right.stride.data(), folded.data()},
                   [&](std::int64_t entry, const std::array<std::int64_t, 3>& at) {
                     values[entry] = wrapping_sum(wrapping_line(x.value(at[0]), by, y.value(at[1]), times), at[2]);
                   });
    set_range(*made, type, shape.count);
    return made;
  }

  bool make(const TileType& type, std::int32_t provenance, Tile& out) const {
    RowView made(x.pool);
    made.dimensions = x.dimensions | y.dimensions;
    if (made.dimensions == 0 || !pays(type, made.dimensions)) return false;
    made.affine.base = wrapping_line(x.affine.base, by, y.affine.base, times);
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      std::int64_t left = 0, right = 0;
      if (__builtin_mul_overflow(x.affine.stride[d], by, &left) ||
          __builtin_mul_overflow(y.affine.stride[d], times, &right) ||
          __builtin_add_overflow(left, right, &made.affine.stride[d]))
        return false;
      if (type.shape[d] == 1) made.affine.stride[d] = 0;
    }
    made.table = make_table(type, made.dimensions, made.affine.stride);
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      if (is_in(made.dimensions, d)) made.affine.stride[d] = 0;
    }
    if (type.kind != ScalarKind::pointer && !fits(made, type)) return false;
    out.form = Form::gather;
    out.row_dimensions = static_cast<std::uint8_t>(made.dimensions);
    out.provenance = provenance;
    out.base = static_cast<std::uint64_t>(made.affine.base);
    for (std::size_t d = 0; d < type.shape.size(); ++d) out.stride[d] = made.affine.stride[d];
    out.buffer = made.table;
    made.table = nullptr;
    return true;
  }
};

/// Neither operand has so many distinct elements that nothing would be saved.
bool may_pay(const Tile& a, const Tile& b, const TileType& type) {
  if (type.rank() < 2 || !type.is_strided()) return false;
  for (const Tile* tile : {&a, &b}) {
    if (tile->form == Form::dense && row_dimensions_of(*tile, type) == 0) return false;
  }
  return true;
}

}  // namespace

bool pays(const TileType& type, unsigned dimensions) {
  std::int64_t entries = 1;
  for (std::size_t d = 0; d < type.shape.size(); ++d) entries *= is_in(dimensions, d) ? type.shape[d] : 1;
  return 2 * entries <= type.count;
}

unsigned row_dimensions_of(const Tile& dense, const TileType& type) {
  unsigned found = 0;
  if (!type.is_strided()) return 0;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    if (type.shape[d] != 1 && dense.stride[d] != 0) found |= 1u << d;
  }
  return found != 0 && pays(type, found) ? found : 0;
}

bool add_rows(Machine& machine, const Tile& a, const Tile& b, const TileType& type, bool subtracts, Tile& out) {
  RowView x(machine.pool), y(machine.pool);
  return is_number(type) && may_pay(a, b, type) && as_rows(a, type, x) && as_rows(b, type, y) &&
         Combination{x, 1, y, subtracts ? -1 : 1}.make(type, -1, out);
}

bool multiply_rows(Machine& machine, const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  const bool a_is_factor = a.form == Form::uniform;
  if (!is_number(type) || (!a_is_factor && b.form != Form::uniform) || !may_pay(a, b, type)) return false;
  RowView x(machine.pool), nothing(machine.pool);
  const std::int64_t factor = sign_extend(type.kind, a_is_factor ? a.base : b.base);
  return as_rows(a_is_factor ? b : a, type, x) && Combination{x, factor, nothing, 0}.make(type, -1, out);
}

bool offset_pointer_rows(Machine& machine, const Tile& pointer, const TileType& pointer_type, const Tile& offset,
                         const TileType& offset_type, std::int64_t element_bytes, Tile& out) {
  if (pointer.form == Form::gather && offset.form == Form::uniform) {  // the same rows, further on
    out = pointer;
    BufferPool::retain(out);
    out.base += static_cast<std::uint64_t>(
        wrapping_product(sign_extend(offset_type.kind, offset.base), element_bytes));
    return true;
  }
  RowView p(machine.pool), o(machine.pool);
  return may_pay(pointer, offset, pointer_type) && as_rows(pointer, pointer_type, p) &&
         as_rows(offset, offset_type, o) &&
         Combination{p, 1, o, element_bytes}.make(pointer_type, pointer.provenance, out);
}

bool convert_rows(const Tile& a, const TileType& from, const TileType& to, bool is_unsigned, Tile& out) {
  if (a.form != Form::gather || !is_number(from) || !is_number(to) || from.kind == ScalarKind::pointer ||
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

bool as_row_mask(const Tile& mask, const TileType& type, RowMask& out) {
  const bool has_intervals = mask.form == Form::box || mask.form == Form::gather;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    out.low[d] = has_intervals ? mask.low(d) : 0;
    out.high[d] = has_intervals ? mask.high(d) : type.shape[d];
    out.stride[d] = 0;
  }
  out.row = nullptr;
  out.dimensions = 0;
  if (mask.form == Form::gather) {
    out.row = mask.row_mask();
    out.dimensions = mask.row_dimensions;
    out.stride = TableShape(type, out.dimensions).stride;
  } else if (mask.form == Form::dense) {
    out.dimensions = row_dimensions_of(mask, type);
    out.row = reinterpret_cast<const std::uint8_t*>(mask.data());
    for (std::size_t d = 0; d < type.shape.size(); ++d) out.stride[d] = is_in(out.dimensions, d) ? mask.stride[d] : 0;
    return out.dimensions != 0;
  }
  return mask.form != Form::affine;
}

bool and_row_masks(Machine& machine, const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  RowMask x, y;
  if (type.kind != ScalarKind::i1 || a.form == Form::uniform || b.form == Form::uniform || !may_pay(a, b, type) ||
      !as_row_mask(a, type, x) || !as_row_mask(b, type, y))
    return false;
  const unsigned dimensions = x.dimensions | y.dimensions;
  if (dimensions == 0 || !pays(type, dimensions)) return false;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    x.low[d] = std::max(x.low[d], y.low[d]);
    x.high[d] = std::min(x.high[d], y.high[d]);
    if (x.low[d] >= x.high[d]) {
      set_uniform(out, 0);
      return true;
    }
  }
  const TableShape shape(type, dimensions);
  Buffer* table = machine.pool.acquire(shape.count);
  auto* row = reinterpret_cast<std::uint8_t*>(table->data());
  shape.for_each({x.stride.data(), y.stride.data(), nullptr},
                 [&](std::int64_t entry, const auto& at) { row[entry] = x.at(at[0]) && y.at(at[1]) ? 1 : 0; });
  out.form = Form::gather;
  out.row_dimensions = static_cast<std::uint8_t>(dimensions);
  out.provenance = -1;
  out.base = 0;
  out.buffer = table;
  for (std::size_t d = 0; d < type.shape.size(); ++d) out.set_interval(d, x.low[d], x.high[d]);
  return true;
}

Extents row_strides(const TileType& type, unsigned dimensions) { return TableShape(type, dimensions).stride; }

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

/// The start of the table's entries for a line; along the last dimension they are neighbours or one.
std::int64_t entry_of(const Extents& strides, const Extents& index, std::size_t last) {
  std::int64_t entry = 0;
  for (std::size_t d = 0; d < last; ++d) entry += strides[d] * index[d];
  return entry;
}

void fill_mask_line(char* line, const Tile& tile, const TileType& type, const Extents& strides, const Extents& index) {
  const std::size_t last = type.shape.size() - 1;
  std::memset(line, 0, static_cast<std::size_t>(type.shape[last]));
  for (std::size_t d = 0; d < last; ++d) {
    if (index[d] < tile.low(d) || index[d] >= tile.high(d)) return;
  }
  const std::uint8_t* row = tile.row_mask() + entry_of(strides, index, last);
  for (std::int64_t i = tile.low(last); i < tile.high(last); ++i) line[i] = static_cast<char>(row[i * strides[last]]);
}

void fill_number_line(char* line, const Tile& tile, const TileType& type, const Extents& strides,
                      const Extents& index) {
  const std::size_t last = type.shape.size() - 1;
  const std::int64_t* row = tile.row_values() + entry_of(strides, index, last);
  auto start = static_cast<std::int64_t>(tile.base);
  for (std::size_t d = 0; d < last; ++d) start = wrapping_sum(start, wrapping_product(index[d], tile.stride[d]));
  if (strides[last] == 0) {
    kernels::iota(type.kind)(line, wrapping_sum(start, row[0]), tile.stride[last], type.shape[last]);
    return;
  }
  for (std::int64_t i = 0; i < type.shape[last]; ++i) {
    const std::int64_t value = wrapping_sum(start, row[i]);
    std::memcpy(line + i * type.element_bytes, &value, static_cast<std::size_t>(type.element_bytes));
  }
}

}  // namespace

void fill_rows(char* out, const Tile& tile, const TileType& type) {
  const Extents strides = row_strides(type, tile.row_dimensions);
  for_each_line(type, [&](const Extents& index, std::int64_t place) {
    char* line = out + place * type.element_bytes;
    if (type.kind == ScalarKind::i1) {
      fill_mask_line(line, tile, type, strides, index);
    } else {
      fill_number_line(line, tile, type, strides, index);
    }
  });
}

}  // namespace lockstep::interpreter
