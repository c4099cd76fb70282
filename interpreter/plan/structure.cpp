#include "interpreter/plan/structure.h"

#include <algorithm>

namespace lockstep::interpreter {

namespace {

using kernels::CompareInt;

std::size_t rank_of(const TileType& type) { return type.shape.size(); }

bool is_plain(const Tile& tile) { return tile.form == Form::uniform || tile.form == Form::affine; }

/// For a plain tile: the value at index 0, signed.
std::int64_t base_of(const Tile& tile, const TileType& type) {
  return tile.form == Form::uniform ? sign_extend(type.kind, tile.base) : static_cast<std::int64_t>(tile.base);
}

/// Adds stride * (extent - 1) to the end of the range that it moves; false if that leaves 64 bits.
bool widen(ValueRange& range, std::int64_t stride, std::int64_t extent) {
  std::int64_t span = 0;
  if (__builtin_mul_overflow(stride, extent - 1, &span)) return false;
  std::int64_t& end = span < 0 ? range.lowest : range.highest;
  return !__builtin_add_overflow(end, span, &end);
}

/// The tile base + sum(stride[d] * i_d) in `out`; false if a value leaves the kind. `stride_of(d, stride)` gives the
/// strides, or false.
template <typename StrideOf>
bool make_affine(std::int64_t base, const TileType& type, Tile& out, StrideOf&& stride_of) {
  ValueRange range{base, base};
  const std::size_t rank = rank_of(type);
  const std::int64_t* shape = type.shape.data();
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t stride = 0;
    if (!stride_of(d, stride) || !widen(range, stride, shape[d])) return false;
    out.stride[d] = shape[d] == 1 ? 0 : stride;
  }
  if (range.lowest < lowest_of(type.kind) || range.highest > highest_of(type.kind)) return false;
  const bool varies = range.lowest != range.highest;
  out.form = varies ? Form::affine : Form::uniform;
  out.provenance = -1;
  out.buffer = nullptr;
  out.base = varies ? static_cast<std::uint64_t>(base) : truncate_bits(type.kind, static_cast<std::uint64_t>(base));
  return true;
}

/// The uniform mask; only strides that the type has are written.
void set_mask(Tile& out, const TileType& type, bool truth) {
  out.form = Form::uniform;
  out.provenance = -1;
  out.buffer = nullptr;
  out.base = truth ? 1 : 0;
  for (std::size_t d = 0; d < rank_of(type); ++d) out.stride[d] = 0;
}

/// Forms of `type` that arithmetic can stay in.
bool are_plain(const Tile& a, const Tile& b, const TileType& type) {
  return is_plain(a) && is_plain(b) && type.is_strided() && type.kind != ScalarKind::i1;
}

/// Neither tile has a negative value, so that unsigned predicates order as signed ones.
bool are_natural(const Tile& a, const Tile& b, const TileType& type) {
  for (const Tile* tile : {&a, &b}) {
    ValueRange range{base_of(*tile, type), base_of(*tile, type)};
    for (std::size_t d = 0; d < rank_of(type); ++d) {
      if (!widen(range, tile->stride[d], type.shape[d])) return false;
    }
    if (range.lowest < 0) return false;
  }
  return true;
}

}  // namespace

bool as_affine(const Tile& tile, const TileType& type, AffineView& out) {
  if (!is_plain(tile) || !type.is_strided()) return false;
  out.base = base_of(tile, type);
  for (std::size_t d = 0; d < rank_of(type); ++d) out.stride[d] = tile.stride[d];
  return true;
}

bool range_of(const AffineView& view, const TileType& type, ValueRange& out) {
  out.lowest = out.highest = view.base;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    if (!widen(out, view.stride[d], type.shape[d])) return false;
  }
  return true;
}

bool from_affine(const AffineView& view, const TileType& type, Tile& out) {
  if (type.kind == ScalarKind::i1) return false;
  return make_affine(view.base, type, out, [&](std::size_t d, std::int64_t& stride) {
    stride = view.stride[d];
    return true;
  });
}

bool add_affine(const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  std::int64_t base = 0;
  if (!are_plain(a, b, type) || __builtin_add_overflow(base_of(a, type), base_of(b, type), &base)) return false;
  return make_affine(base, type, out, [&](std::size_t d, std::int64_t& stride) {
    return !__builtin_add_overflow(a.stride[d], b.stride[d], &stride);
  });
}

bool subtract_affine(const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  std::int64_t base = 0;
  if (!are_plain(a, b, type) || __builtin_sub_overflow(base_of(a, type), base_of(b, type), &base)) return false;
  return make_affine(base, type, out, [&](std::size_t d, std::int64_t& stride) {
    return !__builtin_sub_overflow(a.stride[d], b.stride[d], &stride);
  });
}

bool multiply_affine(const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  const bool a_is_factor = a.form == Form::uniform;
  if (!are_plain(a, b, type) || (!a_is_factor && b.form != Form::uniform)) return false;
  const std::int64_t factor = base_of(a_is_factor ? a : b, type);
  const Tile& other = a_is_factor ? b : a;
  std::int64_t base = 0;
  if (__builtin_mul_overflow(base_of(other, type), factor, &base)) return false;
  return make_affine(base, type, out, [&](std::size_t d, std::int64_t& stride) {
    return !__builtin_mul_overflow(other.stride[d], factor, &stride);
  });
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
  if (!is_plain(pointer) || !is_plain(offset) || !pointer_type.is_strided()) return false;
  const std::size_t rank = rank_of(pointer_type);
  const std::int64_t* shape = pointer_type.shape.data();
  bool varies = false;
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t step = 0;
    if (__builtin_mul_overflow(offset.stride[d], element_bytes, &step) ||
        __builtin_add_overflow(step, pointer.stride[d], &step))
      return false;
    out.stride[d] = shape[d] == 1 ? 0 : step;
    varies = varies || out.stride[d] != 0;
  }
  // Addresses wrap modulo 2^64, which 64-bit arithmetic does exactly; only the strides must stay true differences.
  const std::uint64_t base = pointer.base + static_cast<std::uint64_t>(base_of(offset, offset_type)) *
                                                static_cast<std::uint64_t>(element_bytes);
  out.form = varies ? Form::affine : Form::uniform;
  out.provenance = pointer.provenance;
  out.buffer = nullptr;
  out.base = base;
  return true;
}

bool convert_affine(const Tile& a, const TileType& from, const TileType& to, bool is_unsigned, Tile& out) {
  if (!are_plain(a, a, from) || to.kind == ScalarKind::i1) return false;
  if (from.kind == ScalarKind::pointer || to.kind == ScalarKind::pointer) {
    if (size_bytes(from.kind) != 8 || size_bytes(to.kind) != 8) return false;
    out = a;
    if (to.kind != ScalarKind::pointer) out.provenance = -1;
    return true;
  }
  if (is_unsigned && !are_natural(a, a, from)) return false;
  return make_affine(base_of(a, from), to, out, [&](std::size_t d, std::int64_t& stride) {
    stride = a.stride[d];
    return true;
  });
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

/// How many of the first n indices have base + step * i < 0, for a rising line (step > 0); they come first.
std::int64_t count_negative(std::int64_t base, std::int64_t step, std::int64_t n) {
  if (base >= 0) return 0;
  const std::int64_t last = -(base + 1);  // the largest distance that stays below 0
  return std::min(n, step == 1 ? last + 1 : last / step + 1);
}

/// [low, high) of the indices below n at which the line base + step * i (step not 0, base above INT64_MIN, no wrap)
/// compares with 0 by the predicate.
void solve_ordering(CompareInt predicate, std::int64_t base, std::int64_t step, std::int64_t n, std::int64_t& low,
                    std::int64_t& high) {
  const bool at_or_above = !holds(predicate, -1), with_zero = holds(predicate, 0);
  // For the rising line: value >= 0 comes last; `with_zero` tells on which side zero falls.
  if (step < 0) {
    // -line rises; line < 0 where -line > 0.
    const std::int64_t change = count_negative(at_or_above == with_zero ? -base - 1 : -base, -step, n);
    low = at_or_above ? 0 : change;
    high = at_or_above ? change : n;
  } else {
    const std::int64_t change = count_negative(at_or_above == with_zero ? base : base - 1, step, n);
    low = at_or_above ? change : 0;
    high = at_or_above ? n : change;
  }
}

/// The box on which one varying dimension of the difference base + step * i_dim satisfies the predicate.
bool solve(CompareInt predicate, std::int64_t base, std::int64_t step, const TileType& type, std::size_t dim,
           Tile& out) {
  const std::int64_t n = type.shape[dim];
  std::int64_t low = 0, high = n;
  if (is_ordering(predicate)) {
    solve_ordering(predicate, base, step, n, low, high);
  } else {
    const bool hits = -base % step == 0 && -base / step >= 0 && -base / step < n;
    if (predicate == CompareInt::ne && hits) return false;
    if (predicate == CompareInt::eq) {
      low = hits ? -base / step : 0;
      high = hits ? low + 1 : 0;
    }
  }
  if (low >= high || (low == 0 && high == n)) {
    set_mask(out, type, low < high);
    return true;
  }
  out.form = Form::box;
  out.provenance = -1;
  out.buffer = nullptr;
  out.base = 0;
  for (std::size_t d = 0; d < rank_of(type); ++d) out.set_interval(d, 0, type.shape[d]);
  out.set_interval(dim, low, high);
  return true;
}

}  // namespace

bool compare_scalars(CompareInt predicate, ScalarKind kind, std::uint64_t a, std::uint64_t b) {
  const std::int64_t x = sign_extend(kind, a), y = sign_extend(kind, b);
  const bool is_below = is_unsigned(predicate) ? a < b : x < y;
  return holds(predicate, a == b ? 0 : is_below ? -1 : 1);
}

bool compare_affine(CompareInt predicate, const Tile& a, const Tile& b, const TileType& type, Tile& out) {
  if (!are_plain(a, b, type) || (is_unsigned(predicate) && !are_natural(a, b, type))) return false;
  std::int64_t base = 0, step = 0;
  if (__builtin_sub_overflow(base_of(a, type), base_of(b, type), &base) || base == INT64_MIN) return false;
  ValueRange range{base, base};
  std::size_t varying = 0, dim = 0;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    std::int64_t stride = 0;
    if (__builtin_sub_overflow(a.stride[d], b.stride[d], &stride) || !widen(range, stride, type.shape[d])) return false;
    if (stride != 0 && type.shape[d] > 1) {
      ++varying;
      dim = d;
      step = stride;
    }
  }
  const bool low = holds(predicate, range.lowest);
  const bool decided =
      is_ordering(predicate) ? low == holds(predicate, range.highest) : range.lowest > 0 || range.highest < 0;
  if (decided || varying == 0) {
    set_mask(out, type, low);
    return true;
  }
  return varying == 1 && step != INT64_MIN && solve(predicate, base, step, type, dim, out);
}

namespace {
bool is_mask_form(const Tile& tile) { return tile.form == Form::uniform || tile.form == Form::box; }
}  // namespace

bool as_box(const Tile& mask, const TileType& type, Box& out) {
  if (!is_mask_form(mask) || !type.is_strided()) return false;
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
  if (!is_mask_form(a) || !is_mask_form(b)) return false;
  if (a.form == Form::uniform || b.form == Form::uniform) {
    const Tile& decider = a.form == Form::uniform ? a : b;
    const Tile& other = a.form == Form::uniform ? b : a;
    if ((decider.base & 1) == 0) {
      set_mask(out, type, false);
    } else {
      out = other;
    }
    return true;
  }
  bool is_empty = false;
  for (std::size_t d = 0; d < rank_of(type); ++d) {
    const std::int64_t low = std::max(a.low(d), b.low(d)), high = std::min(a.high(d), b.high(d));
    is_empty = is_empty || low >= high;
    out.set_interval(d, low, high);
  }
  if (is_empty) {
    set_mask(out, type, false);
    return true;
  }
  out.form = Form::box;
  out.provenance = -1;
  out.buffer = nullptr;
  out.base = 0;
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
