// Tiles: the run-time value of an SSA value, held in the cheapest exact form. A scalar is a tile of rank 0 in uniform
// form, so that programs have one kind of slot. Invariants: a form always represents the exact values (an integer
// affine tile never leaves the range of its type; a wrapping one is dense); tiles of more than kMaxStridedRank
// dimensions are uniform or dense and contiguous; strides of a uniform tile are 0; a dense tile without a buffer is in
// memory that nothing writes during its life. Not here: the meaning of ops (elementwise.cpp and its neighbours),
// algebra of forms (structure.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/scalar.h"

namespace lockstep::interpreter {

inline constexpr int kMaxStridedRank = 6;
inline constexpr int kMaxRank = 24;

/// Type of a slot: element kind and shape (rank 0: scalar). Interned by the plan.
struct TileType {
  ScalarKind kind = ScalarKind::i32;
  int element_bytes = 4;
  std::int64_t count = 1;
  std::vector<std::int64_t> shape;

  int rank() const { return static_cast<int>(shape.size()); }
  bool is_scalar() const { return shape.empty(); }
  /// True if affine and box forms and strided views can describe the tile.
  bool is_strided() const { return rank() <= kMaxStridedRank; }
  std::int64_t bytes() const { return count * element_bytes; }
};

enum class Form : std::uint8_t {
  uniform,  // every element is `base` (bits of the element, zero-extended)
  affine,  // element = base + sum(stride[d] * i_d); integers as signed values, pointers as addresses (strides in bytes)
  box,     // i1: true where lo_d <= i_d < hi_d for every d; see Tile::low and Tile::high
  dense,   // element at address base + element_bytes * sum(stride[d] * i_d)
  gather,  // integers and pointers: base + row[i] + sum(stride[d] * i_d), row[] a 64-bit table over row_dimensions in
           // the buffer; i1: row[i], one byte each, where lo_d <= i_d < hi_d for every d. See rows.h
  listed,  // of rank 2: the elements of row i are neighbours at row_addresses()[i], in memory that nothing writes during
           // the tile's life. Only what a load gives to a product that alone reads it (access_rows.h)
};

/// Reference-counted memory of dense tiles; owned by one worker, so counts are plain.
struct Buffer {
  std::uint32_t references = 0;
  std::uint32_t size_class = 0;
  std::int64_t lowest = 0, highest = 0;  // of row[], where a tile of integers is in the form gather
  char* data() { return reinterpret_cast<char*>(this) + 64; }
};

/// A plain record: copies must be retained, and overwritten tiles released, by hand (see BufferPool).
struct Tile {
  Form form = Form::uniform;
  bool is_contiguous = false;       // dense: row-major without gaps
  std::uint8_t row_dimensions = 0;  // gather: bit d
  std::int32_t provenance = -1;     // pointers: index of the view they were derived from; -1 unknown
  Buffer* buffer = nullptr;
  std::uint64_t base = 0;
  std::array<std::int64_t, kMaxStridedRank> stride{};

  char* data() const { return reinterpret_cast<char*>(base); }
  const std::int64_t* row_values() const { return reinterpret_cast<const std::int64_t*>(buffer->data()); }
  std::uint64_t* row_addresses() const { return reinterpret_cast<std::uint64_t*>(buffer->data()); }
  const std::uint8_t* row_mask() const { return reinterpret_cast<const std::uint8_t*>(buffer->data()); }
  std::int64_t low(std::size_t d) const { return stride[d] & 0xffffffff; }
  std::int64_t high(std::size_t d) const { return stride[d] >> 32; }
  void set_interval(std::size_t d, std::int64_t low, std::int64_t high) { stride[d] = (high << 32) | low; }
};

constexpr bool is_signed_negative(ScalarKind kind, std::uint64_t bits) {
  return (bits >> (bit_width(kind) - 1) & 1) != 0;
}
/// The bits of an integer or pointer kind as a signed number; i1 true is -1 as in two's complement.
constexpr std::int64_t sign_extend(ScalarKind kind, std::uint64_t bits) {
  const int shift = 64 - bit_width(kind);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}
/// The low bits that `kind` holds.
constexpr std::uint64_t truncate_bits(ScalarKind kind, std::uint64_t bits) {
  return bits & (~std::uint64_t{0} >> (64 - bit_width(kind)));
}
constexpr std::int64_t lowest_of(ScalarKind kind) { return INT64_MIN >> (64 - bit_width(kind)); }
constexpr std::int64_t highest_of(ScalarKind kind) { return INT64_MAX >> (64 - bit_width(kind)); }

/// A uniform tile of the given bits.
inline Tile uniform_tile(std::uint64_t bits, std::int32_t provenance = -1) {
  Tile tile;
  tile.base = bits;
  tile.provenance = provenance;
  return tile;
}
/// The same in place. Precondition: the tile holds no count.
inline void set_uniform(Tile& tile, std::uint64_t bits, std::int32_t provenance = -1) {
  tile.form = Form::uniform;
  tile.provenance = provenance;
  tile.buffer = nullptr;
  tile.base = bits;
  tile.stride = {};
}
/// Row-major strides of `type` into `strides` (elements).
void set_row_major(const TileType& type, std::array<std::int64_t, kMaxStridedRank>& strides);

}  // namespace lockstep::interpreter
