// Layout: which elements of a tile each thread of a block holds, and in which of its registers. Extents are powers of
// two, so an element's row-major index is a row of bits, and a layout names, for every bit of the register number, the
// lane and the warp, the index bit that it decides (or none: the threads that differ there hold the same elements).
// Every shape op is then a renaming of index bits. Invariant: each index bit of the tile is named exactly once; no
// register bit is kReplicated. Not here: which layout a tile gets (layout_plan.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::backend_cuda {

inline constexpr int kReplicated = -1;
inline constexpr int kLaneBits = 5;

/// For each index bit of a result, the index bit of the operand that it is; kReplicated where the operand has none.
using BitMap = std::vector<int>;

struct Layout {
  std::vector<int> reg, lane, warp;  // by bit: index bit or kReplicated

  int registers() const { return 1 << reg.size(); }
  /// Number of index bits.
  int bits() const;
  /// True if threads that differ hold the same element.
  bool is_replicated() const;
  friend bool operator==(const Layout&, const Layout&) = default;

  /// The layout of a shape op's operand such that a result in this layout needs no other thread's elements.
  Layout mapped(const BitMap& map) const;
  /// After a reduction along the index bits [first, first + count): removes those bits, moves higher ones down.
  Layout without(int first, int count) const;
  /// How many of the lowest index bits are register bits 0, 1, 2 ... in order along `order` (index bits, fastest
  /// first).
  int contiguous_bits(const std::vector<int>& order) const;

  /// The index bits that lanes and warps decide, as a set.
  std::int64_t thread_bits() const;
  /// C++ text of the thread's part of the index, from variables `lane` and `warp`.
  std::string thread_text() const;
  /// C++ text of register `r`'s part of the index.
  std::string register_text() const;
  /// C++ condition that is true in exactly one of the threads that hold an element; empty if each holds its own.
  std::string owner_text() const;
  /// For people: "registers 1 0, lanes 6 5 4 3 2, warps 8 7".
  std::string to_string() const;
};

/// Number of bits of a power of two.
int bits_of(std::int64_t extent);
/// Index bits of a tile of this shape in the order in which `order` (dimensions, fastest first) runs through it.
std::vector<int> bits_in_order(const std::vector<std::int64_t>& shape, const std::vector<int>& order);
/// `per_thread` adjacent elements in registers, then lanes, then warps, then the rest in registers again.
Layout blocked_layout(const std::vector<std::int64_t>& shape, const std::vector<int>& order, int per_thread, int warps);
/// The same with the index bits of warps given.
Layout blocked_layout(const std::vector<std::int64_t>& shape, const std::vector<int>& order, int per_thread,
                      const std::vector<int>& warps);
/// Accumulators of mma m16n8 (and of wgmma) for a [rows, columns] tile, warps spread over `warp_rows` rows of 16 first.
Layout mma_layout(std::int64_t rows, std::int64_t columns, int warp_rows, int warps);

/// Text that moves bits of `variable`: bit i goes to bit targets[i]; drops kReplicated ones. "0" if none.
std::string move_bits_text(std::string_view variable, const std::vector<int>& targets);

}  // namespace lockstep::backend_cuda
