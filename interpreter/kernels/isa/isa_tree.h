// The halving tree of the reductions. For isa_*.cpp only. To reduce n values (n a power of two), x[i] is combined with
// x[i + n/2], the n/2 results likewise, until one is left. Seen from the last combination, the tree splits the indices
// by their lowest bit first; so walking groups of rows in bit-reversed order, with a stack of one strip per level,
// gives the same tree while every input is read once and nothing larger than the stack is written.
#pragma once

#include <cstdint>

#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

inline constexpr Index kColumns = 128;  // widest strip of a reduction
inline constexpr int kLevels = 32;

inline int log2_of(Index power) { return __builtin_ctzll(static_cast<unsigned long long>(power)); }
inline Index reverse_bits(Index value, int bits) {
  Index result = 0;
  for (int i = 0; i < bits; ++i) result |= ((value >> i) & 1) << (bits - 1 - i);
  return result;
}

/// Reduces `groups` leaves (a power of two) in tree order. leaf(first_row, strip) computes the value of one group;
/// combine(strip, other) does strip = strip op other. The result is left in stack[0].
template <class T, class Leaf, class Combine>
inline void walk_tree(Index groups, T (*stack)[kColumns], Leaf leaf, Combine combine) {
  const int bits = log2_of(groups);
  int depth = 0;
  for (Index g = 0; g < groups; ++g) {
    leaf(reverse_bits(g, bits), stack[depth]);
    for (Index done = g; (done & 1) != 0; done >>= 1, --depth) combine(stack[depth - 1], stack[depth]);
    ++depth;
  }
}

/// How many rows of `inner` elements are laid side by side so that strips are wide enough for vectors.
inline Index rows_side_by_side(Index n, Index inner) {
  Index together = 1;
  while (together < n && 2 * together * inner <= kColumns / 2) together *= 2;
  return together;
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
