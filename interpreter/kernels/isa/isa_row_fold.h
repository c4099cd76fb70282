// Reductions of the last axis for 4-byte kinds, several rows at a time. For isa_*.cpp only. A row is first halved down
// to one register of lanes; then as many rows as there are lanes are folded together: a register of results takes the
// place of a register of halves, so no lane is idle. It follows the tree of isa_tree.h exactly: lane i combines with
// lane i + half of the same row.
#pragma once

#include <cstdint>

#include "interpreter/kernels/isa/isa_float_ops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

template <class T>
struct LanesOf;
template <>
struct LanesOf<float> {
  using type = LaneFloats;
  typedef float in_memory __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
};
template <>
struct LanesOf<std::int32_t> {
  using type = LaneIntegers;
  typedef std::int32_t in_memory __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
};
template <class T>
using LaneVector = typename LanesOf<T>::type;

/// Rows of lanes first, first + step, ... of `rows`, in tree order: the lowest bit of the row number is combined last.
template <class Op, class T, unsigned first, unsigned step, unsigned rows>
inline LaneVector<T> fold_rows(const T* x) {
  if constexpr (step == rows) {
    return *reinterpret_cast<const typename LanesOf<T>::in_memory*>(x + first * kLanes);
  } else {
    return Op::apply(fold_rows<Op, T, first, 2 * step, rows>(x), fold_rows<Op, T, first + step, 2 * step, rows>(x));
  }
}

/// Lane o of the lower (upper) halves of two registers that hold groups of `group` lanes.
constexpr unsigned half_lane(unsigned o, unsigned group, bool upper) {
  const unsigned half = group / 2;
  return o / half * group + o % half + (upper ? half : 0);
}

#define LOCKSTEP_LANE(o) static_cast<int>(half_lane(o, group, upper))
template <unsigned group, bool upper>
inline LaneBits pick_halves(LaneBits a, LaneBits b) {
#if defined(__AVX512F__)
  return __builtin_shufflevector(a, b, LOCKSTEP_LANE(0), LOCKSTEP_LANE(1), LOCKSTEP_LANE(2), LOCKSTEP_LANE(3),
                                 LOCKSTEP_LANE(4), LOCKSTEP_LANE(5), LOCKSTEP_LANE(6), LOCKSTEP_LANE(7),
                                 LOCKSTEP_LANE(8), LOCKSTEP_LANE(9), LOCKSTEP_LANE(10), LOCKSTEP_LANE(11),
                                 LOCKSTEP_LANE(12), LOCKSTEP_LANE(13), LOCKSTEP_LANE(14), LOCKSTEP_LANE(15));
#elif defined(__AVX2__)
  return __builtin_shufflevector(a, b, LOCKSTEP_LANE(0), LOCKSTEP_LANE(1), LOCKSTEP_LANE(2), LOCKSTEP_LANE(3),
                                 LOCKSTEP_LANE(4), LOCKSTEP_LANE(5), LOCKSTEP_LANE(6), LOCKSTEP_LANE(7));
#else
  return __builtin_shufflevector(a, b, LOCKSTEP_LANE(0), LOCKSTEP_LANE(1), LOCKSTEP_LANE(2), LOCKSTEP_LANE(3));
#endif
}
#undef LOCKSTEP_LANE

/// Registers of groups of `group` lanes are folded pairwise until one register holds one result per row.
template <class Op, class T, unsigned group>
inline void fold_together(LaneVector<T>* x) {
  if constexpr (group > 1) {
#pragma GCC unroll 8
    for (unsigned pair = 0; pair < group / 2; ++pair) {
      const LaneBits a = bits_as<LaneBits>(x[2 * pair]), b = bits_as<LaneBits>(x[2 * pair + 1]);
      x[pair] = Op::apply(bits_as<LaneVector<T>>(pick_halves<group, false>(a, b)),
                          bits_as<LaneVector<T>>(pick_halves<group, true>(a, b)));
    }
    fold_together<Op, T, group / 2>(x);
  }
}

/// Results of as many whole batches of kLanes rows of n = rows * kLanes elements as there are in `outer`; returns their
/// number.
template <class Op, class T, unsigned rows>
Index reduce_batches(T* out, const T* x, Index outer) {
  constexpr Index n = rows * kLanes;
  Index o = 0;
  for (; o + static_cast<Index>(kLanes) <= outer; o += kLanes) {
    LaneVector<T> batch[kLanes];
#pragma GCC unroll 1
    for (unsigned r = 0; r < kLanes; ++r) batch[r] = fold_rows<Op, T, 0, 1, rows>(x + (o + r) * n);
    fold_together<Op, T, kLanes>(batch);
    *reinterpret_cast<typename LanesOf<T>::in_memory*>(out + o) = folded<Op>(batch[0]);
  }
  return o;
}

template <class Op, class T>
inline Index reduce_last_axis(T* out, const T* x, Index outer, Index n) {
  switch (n / static_cast<Index>(kLanes)) {
    case 1: return reduce_batches<Op, T, 1>(out, x, outer);
    case 2: return reduce_batches<Op, T, 2>(out, x, outer);
    case 4: return reduce_batches<Op, T, 4>(out, x, outer);
    case 8: return reduce_batches<Op, T, 8>(out, x, outer);
    case 16: return reduce_batches<Op, T, 16>(out, x, outer);
    case 32: return reduce_batches<Op, T, 32>(out, x, outer);
    case 64: return reduce_batches<Op, T, 64>(out, x, outer);
    default: return 0;
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
