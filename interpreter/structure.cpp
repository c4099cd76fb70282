#include "interpreter/structure.h"

#include <algorithm>

namespace lockstep::interpreter {

namespace {

using kernels::CompareInt;

std::size_t rank_of(const TileType& type) { return type.shape.size(); }

bool fits(ScalarKind kind, std::int64_t value) { return value >= lowest_of(kind) && value <= highest_of(kind); }

}  // namespace

bool as_affine(const Tile& tile, const TileType& type, AffineView& out) {
  if (tile.form == Form::uniform) {
    out.base = sign_extend(type.kind, tile.base);
    return type.is_strided();
  }
  if (tile.form != Form::affine) return false;
  out.base = static_cast<std::int64_t>(tile.base);
  out.stride = tile.stride;
  return true;
}

bool range_of(const AffineView& view, const TileType& type, ValueRange& out) {
  out.lowest = out.highest = view.base;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    std::int64_t span = 0;
    if (__builtin_mul_overflow(view.stride[d], type.shape[d] - 1, &span)) return false;
    std::int64_t& end = span < 0 ? out.lowest : out.highest;
    if (__builtin_add_overflow(end, span, &end)) return false;
  }
  return true;
}

bool from_affine(const AffineView& view, const TileType& type, Tile& out) {
  ValueRange range;
  if (type.kind == ScalarKind::i1 || !range_of(view, type, range)) return false;
  if (!fits(type.kind, range.lowest) || !fits(type.kind, range.highest)) return false;
  Tile made;
  if (range.lowest == range.highest) {
    made.base = truncate_bits(type.kind, static_cast<std::uint64_t>(view.base));
  } else {
    made.form = Form::affine;
    made.base = static_cast<std::uint64_t>(view.base);
    for (std::size_t d = 0; d < rank_of(type); ++d) made.stride[d] = type.shape[d] == 1 ? 0 : view.stride[d];
  }
  out = made;
  return true;
}

bool add_affine(const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  AffineView x, y;
  if (!as_affine(a, type, x) || !as_affine(b, type, y)) return false;
  if (__builtin_add_overflow(x.base, y.base, &x.base)) return false;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    if (__builtin_add_overflow(x.stride[d], y.stride[d], &x.stride[d])) return false;
  }
  return from_affine(x, type, out);
}

bool subtract_affine(const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  AffineView x, y;
  if (!as_affine(a, type, x) || !as_affine(b, type, y)) return false;
  if (__builtin_sub_overflow(x.base, y.base, &x.base)) return false;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    if (__builtin_sub_overflow(x.stride[d], y.stride[d], &x.stride[d])) return false;
  }
  return from_affine(x, type, out);
}

bool multiply_affine(const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  const bool a_is_factor = a.form == Form::uniform;
  if (!a_is_factor && b.form != Form::uniform) return false;
  const std::int64_t factor = sign_extend(type.kind, a_is_factor ? a.base : b.base);
  AffineView x;
  if (!as_affine(a_is_factor ? b : a, type, x) || __builtin_mul_overflow(x.base, factor, &x.base)) return false;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    if (__builtin_mul_overflow(x.stride[d], factor, &x.stride[d])) return false;
  }
  return from_affine(x, type, out);
}

bool divide_affine(const Tile& a, const Tile& b, const TileType& type, bool remainder, Tile& out) {
  AffineView x;
  ValueRange range;
  if (b.form != Form::uniform || !as_affine(a, type, x) || !range_of(x, type, range)) return false;
  const std::int64_t divisor = sign_extend(type.kind, b.base);
  if (divisor <= 0 || range.lowest < 0 || range.lowest / divisor != range.highest / divisor) return false;
  const std::int64_t quotient = range.lowest / divisor;
  if (remainder) {
    x.base -= quotient * divisor;
  } else {
    x = AffineView{};
    x.base = quotient;
  }
  return from_affine(x, type, out);
}

bool offset_pointer(const Tile& pointer, const TileType& pointer_type, const Tile& offset, const TileType& offset_type,
                    std::int64_t element_bytes, Tile& out) {
  AffineView p, o;
  if (!as_affine(pointer, pointer_type, p) || !as_affine(offset, offset_type, o)) return false;
  Tile made;
  made.provenance = pointer.provenance;
  // Addresses wrap modulo 2^64, which 64-bit arithmetic does exactly; only the strides must stay true differences.
  made.base = static_cast<std::uint64_t>(p.base) +
              static_cast<std::uint64_t>(o.base) * static_cast<std::uint64_t>(element_bytes);
  bool varies = false;
  for (std::size_t d = 0; d < rank_of(pointer_type); ++d) {
    std::int64_t step = 0;
    if (__builtin_mul_overflow(o.stride[d], element_bytes, &step) || __builtin_add_overflow(step, p.stride[d], &step))
      return false;
    made.stride[d] = pointer_type.shape[d] == 1 ? 0 : step;
    varies = varies || made.stride[d] != 0;
  }
  made.form = varies ? Form::affine : Form::uniform;
  out = made;
  return true;
}

bool convert_affine(const Tile& a, const TileType& from, const TileType& to, bool is_unsigned, Tile& out) {
  AffineView x;
  ValueRange range;
  if (from.kind == ScalarKind::i1 || to.kind == ScalarKind::i1 || !as_affine(a, from, x)) return false;
  const bool is_pointer = from.kind == ScalarKind::pointer || to.kind == ScalarKind::pointer;
  if (is_pointer) {
    if (size_bytes(from.kind) != 8 || size_bytes(to.kind) != 8) return false;
    out = a;
    if (to.kind != ScalarKind::pointer) out.provenance = -1;
    return true;
  }
  if (!range_of(x, from, range) || (is_unsigned && range.lowest < 0)) return false;
  return from_affine(x, to, out);
}

namespace {

/// Truth of `value predicate 0` for signed predicates.
bool holds(CompareInt predicate, std::int64_t value) {
  switch (predicate) {
    case CompareInt::eq: return value == 0;
    case CompareInt::ne: return value != 0;
    case CompareInt::slt:
    case CompareInt::ult: return value < 0;
    case CompareInt::sle:
    case CompareInt::ule: return value <= 0;
    case CompareInt::sgt:
    case CompareInt::ugt: return value > 0;
    case CompareInt::sge:
    case CompareInt::uge: return value >= 0;
  }
  return false;
}

bool is_unsigned(CompareInt predicate) { return predicate >= CompareInt::ult; }
bool is_ordering(CompareInt predicate) { return predicate >= CompareInt::slt; }

/// First index in [0, n) for which the truth of `base + step * i predicate 0` differs from that at 0; n if none.
std::int64_t first_change(CompareInt predicate, std::int64_t base, std::int64_t step, std::int64_t n) {
  const bool at_start = holds(predicate, base);
  std::int64_t low = 0, high = n;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(predicate, base + step * middle) == at_start ? low : high) = middle;
  }
  return high;
}

/// The box on which one varying dimension of `difference` satisfies the predicate.
bool solve(CompareInt predicate, const AffineView& difference, const TileType& type, std::size_t dim, Tile& out) {
  const std::int64_t n = type.shape[dim], base = difference.base, step = difference.stride[dim];
  Box box;
  for (std::size_t d = 0; d < rank_of(type); ++d) box.high[d] = type.shape[d];
  if (is_ordering(predicate)) {
    const std::int64_t change = first_change(predicate, base, step, n);
    if (holds(predicate, base)) {
      box.high[dim] = change;
    } else {
      box.low[dim] = change;
    }
  } else {
    const bool hits = -base % step == 0 && -base / step >= 0 && -base / step < n;
    if (predicate == CompareInt::ne) {
      if (hits) return false;
    } else {
      box.low[dim] = hits ? -base / step : 0;
      box.high[dim] = hits ? box.low[dim] + 1 : 0;
    }
  }
  out = from_box(box, type);
  return true;
}

}  // namespace

bool compare_affine(CompareInt predicate, const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  AffineView x, y;
  ValueRange range;
  if (type.kind == ScalarKind::i1 || !as_affine(a, type, x) || !as_affine(b, type, y)) return false;
  if (is_unsigned(predicate)) {
    ValueRange other;
    if (!range_of(x, type, range) || !range_of(y, type, other) || range.lowest < 0 || other.lowest < 0) return false;
  }
  if (__builtin_sub_overflow(x.base, y.base, &x.base)) return false;
  std::size_t varying = 0, dim = 0;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    if (__builtin_sub_overflow(x.stride[d], y.stride[d], &x.stride[d])) return false;
    if (x.stride[d] != 0 && type.shape[d] > 1) {
      ++varying;
      dim = d;
    }
  }
  if (x.base == INT64_MIN || !range_of(x, type, range)) return false;
  if (varying == 1) return solve(predicate, x, type, dim, out);
  const bool low = holds(predicate, range.lowest), high = holds(predicate, range.highest);
  const bool decided = varying == 0 || (is_ordering(predicate) ? low == high : range.lowest > 0 || range.highest < 0);
  if (!decided) return false;
  out = uniform_tile(low ? 1 : 0);
  return true;
}

bool as_box(const Tile& mask, const TileType& type, Box& out) {
  if (mask.form == Form::dense || !type.is_strided()) return false;
  const bool is_box = mask.form == Form::box;
  out.is_full = !is_box && (mask.base & 1) != 0;
  out.is_empty = !is_box && !out.is_full;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    out.low[d] = is_box ? mask.low(d) : 0;
    out.high[d] = is_box ? mask.high(d) : out.is_full ? type.shape[d] : 0;
  }
  return true;
}

Tile from_box(const Box& box, const TileType& type) {
  bool full = true;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    if (box.low[d] >= box.high[d]) return uniform_tile(0);
    full = full && box.low[d] == 0 && box.high[d] == type.shape[d];
  }
  if (full) return uniform_tile(1);
  Tile made;
  made.form = Form::box;
  for (std::size_t d = 0; d < rank_of(type); ++d) made.set_interval(d, box.low[d], box.high[d]);
  return made;
}

bool and_boxes(const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  Box x, y;
  if (!as_box(a, type, x) || !as_box(b, type, y)) return false;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    x.low[d] = std::max(x.low[d], y.low[d]);
    x.high[d] = std::min(x.high[d], y.high[d]);
  }
  out = rank_of(type) == 0 ? uniform_tile(x.is_full && y.is_full ? 1 : 0) : from_box(x, type);
  return true;
}

bool not_box(const Tile& a, const TileType& type, Tile& out) {
  Box box;
  if (!as_box(a, type, box)) return false;
  if (box.is_full || box.is_empty) {
    out = uniform_tile(box.is_full ? 0 : 1);
    return true;
  }
  std::size_t cut = kMaxStridedRank;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    if (box.low[d] == 0 && box.high[d] == type.shape[d]) continue;
    if (cut != kMaxStridedRank || (box.low[d] != 0 && box.high[d] != type.shape[d])) return false;
    cut = d;
  }
  Box rest = box;
  rest.low[cut] = box.low[cut] == 0 ? box.high[cut] : 0;
  rest.high[cut] = box.low[cut] == 0 ? type.shape[cut] : box.low[cut];
  out = from_box(rest, type);
  return true;
}

}  // namespace lockstep::interpreter
