// The loops of a matrix product in registers: panels of columns, blocks of rows, one multiply-add (Op) per step. For
// isa_dot*.cpp only. Invariant: element (m, n) is one chain c = Op(a[m,k], b[k,n], c) with k ascending, whatever the
// block sizes, so that the bytes depend on neither the blocking nor the vector width. Operands are read in place. Not
// here: what Op computes (isa_dot.cpp: floats; isa_dot_pairs.cpp: pairs of i16; isa_dot_bf16.cpp:
// pairs of bf16).
#pragma once

#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

template <class T, int bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
  typedef T in_memory __attribute__((vector_size(bytes), aligned(sizeof(T)), may_alias));
};
/// `bytes` / sizeof(T) lanes in a register, and the same at any element of an array. One lane is the element itself.
template <class T, int bytes>
struct Lanes {
  using Register = typename VectorOf<T, bytes>::type;
  using InMemory = typename VectorOf<T, bytes>::in_memory;
  static constexpr Index kCount = bytes / static_cast<Index>(sizeof(T));
  // A subtraction of zero keeps -0 and NaN, so it costs no instruction.
  static Register broadcast(T value) { return value - Register{}; }
};
template <class T>
struct Lanes<T, sizeof(T)> {
  using Register = T;
  using InMemory = T;
  static constexpr Index kCount = 1;
  static T broadcast(T value) { return value; }
};

/// A NaN has the GPU's bits, so that they do not depend on the processor's choice among its operands.
template <class T, class V>
inline V canonical(V value) {
  if constexpr (static_cast<T>(1.5) == T{1}) {
    return value;
  } else if constexpr (sizeof(T) == 4) {
    const V nan = Lanes<T, sizeof(V)>::broadcast(bits_as<T>(0x7fffffff));
    return value == value ? value : nan;
  } else {
    const V nan = Lanes<T, sizeof(V)>::broadcast(bits_as<T>(0x7fffffffffffffff));
    return value == value ? value : nan;
  }
}

/// What a block stores of a sum, unless Op says otherwise.
template <class T>
struct CanonicalSums {
  template <class V>
  static V finish(V value) {
    return canonical<T>(value);
  }
};

/// `part_count` parts, k steps of each. The places in a and b are the same for all of them.
template <class T>
struct Operands {
  T* c;
  const T* start;
  const GemmPart* parts;
  Index part_count, a_place, b_place;
  Index c_pitch, start_pitch, start_column, a_row, a_column, b_row, k;
};

/// All steps of a block, whose sums are in registers.
template <class Op, class T, class L, unsigned rows, unsigned vectors>
inline void add_products(const Operands<T>& o, typename L::Register (&acc)[rows][vectors]) {
  using V = typename L::Register;
  using InMemory = typename L::InMemory;
  for (Index part = 0; part < o.part_count; ++part) {
    const T* a = static_cast<const T*>(o.parts[part].a) + o.a_place;
    const T* b = static_cast<const T*>(o.parts[part].b) + o.b_place;
    for (Index k = 0; k < o.k; ++k, a += o.a_column, b += o.b_row) {
      V right[vectors];
#pragma GCC unroll 4
      for (unsigned j = 0; j < vectors; ++j) right[j] = *reinterpret_cast<const InMemory*>(b + j * L::kCount);
#pragma GCC unroll 8
      for (unsigned i = 0; i < rows; ++i) {
        const V left = L::broadcast(a[i * o.a_row]);
#pragma GCC unroll 4
        for (unsigned j = 0; j < vectors; ++j) acc[i][j] = Op::apply(left, right[j], acc[i][j]);
      }
    }
  }
}

template <class Op, class T, class L, unsigned rows, unsigned vectors>
inline void finish_block(const Operands<T>& o, typename L::Register (&acc)[rows][vectors]) {
  using InMemory = typename L::InMemory;
  add_products<Op, T, L, rows, vectors>(o, acc);
#pragma GCC unroll 8
  for (unsigned i = 0; i < rows; ++i)
#pragma GCC unroll 4
    for (unsigned j = 0; j < vectors; ++j)
      *reinterpret_cast<InMemory*>(o.c + i * o.c_pitch + j * L::kCount) = Op::finish(acc[i][j]);
}

/// rows x (vectors * lanes) elements of c in registers over all parts. Where Op fits some starts only, it looks at them
/// here: they are in registers anyway.
template <class Op, class T, class L, unsigned rows, unsigned vectors>
inline void block(const Operands<T>& o) {
  using V = typename L::Register;
  using InMemory = typename L::InMemory;
  V acc[rows][vectors];
#pragma GCC unroll 8
  for (unsigned i = 0; i < rows; ++i)
#pragma GCC unroll 4
    for (unsigned j = 0; j < vectors; ++j)
      acc[i][j] = *reinterpret_cast<const InMemory*>(o.start + i * o.start_pitch + j * L::kCount);
  if constexpr (requires { typename Op::Otherwise; }) {
    if (!Op::template fits<V>(acc)) return finish_block<typename Op::Otherwise, T, L, rows, vectors>(o, acc);
  }
  finish_block<Op, T, L, rows, vectors>(o, acc);
}

template <class Op, class T, class L, unsigned rows, unsigned vectors>
inline Index row_blocks(Operands<T>& o, Index m) {
  for (; m >= rows; m -= rows) {
    block<Op, T, L, rows, vectors>(o);
    o.c += rows * o.c_pitch;
    o.start += rows * o.start_pitch;
    o.a_place += rows * o.a_row;
  }
  return m;
}

// The widest panel, in registers, and the rows that the registers hold of it and of a narrower one: each step of a
// block multiplies one more row of b by one more column of a, so that wide blocks read a less often.
#ifdef __AVX512F__
constexpr int kWidest = 64;
constexpr unsigned kWideVectors = 4, kWideRows = 6, kRows = 8;
#elif defined(__AVX2__)
constexpr int kWidest = 32;
constexpr unsigned kWideVectors = 4, kWideRows = 3, kRows = 6;
#else
constexpr int kWidest = 16;
constexpr unsigned kWideVectors = 2, kWideRows = 6, kRows = 6;
#endif

/// All m rows of one panel of columns.
template <class Op, class T, class L, unsigned vectors>
void panel(Operands<T> o, Index m) {
  constexpr unsigned kMost = vectors == kWideVectors ? kWideRows : kRows;
  m = row_blocks<Op, T, L, kMost, vectors>(o, m);
  if constexpr (kMost > 4) m = row_blocks<Op, T, L, 4, vectors>(o, m);
  if constexpr (kMost > 2) m = row_blocks<Op, T, L, 2, vectors>(o, m);
  row_blocks<Op, T, L, 1, vectors>(o, m);
}

/// Panels of decreasing width until the columns are used up; the narrowest is one element wide.
template <class Op, class T, class L, unsigned vectors>
inline Index panels(Operands<T>& o, Index m, Index n) {
  constexpr Index kColumns = L::kCount * vectors;
  for (; n >= kColumns; n -= kColumns) {
    panel<Op, T, L, vectors>(o, m);
    o.b_place += kColumns;
    o.c += kColumns;
    o.start += kColumns * o.start_column;
  }
  return n;
}

// Rows of b that stay in the first-level cache while all of a's rows pass by.
constexpr Index kDepth = 256;
// Of several parts with floats, which are read in place: registers of 64 bytes gain most from sums that stay in them.
#ifdef __AVX512F__
constexpr Index kDepthOfFloats = kDepth;
#else
constexpr Index kDepthOfFloats = 64;
#endif

template <class Op, class T>
void all_panels(Operands<T> o, Index m, Index n) {
  if constexpr (kWideVectors > 2) n = panels<Op, T, Lanes<T, kWidest>, kWideVectors>(o, m, n);
  n = panels<Op, T, Lanes<T, kWidest>, 2>(o, m, n);
  n = panels<Op, T, Lanes<T, kWidest>, 1>(o, m, n);
  if constexpr (kWidest > 32) n = panels<Op, T, Lanes<T, 32>, 1>(o, m, n);
  if constexpr (kWidest > 16) n = panels<Op, T, Lanes<T, 16>, 1>(o, m, n);
  panels<Op, T, Lanes<T, sizeof(T)>, 1>(o, m, n);
}

template <class Op, class T>
void gemm_loop(const Gemm& g) {
  constexpr unsigned kMostColumns = kWideVectors * unsigned{kWidest} / sizeof(T);
  T* const c = static_cast<T*>(g.out);
  const T* start = static_cast<const T*>(g.start);
  T uniform[kMostColumns];
  if (g.start_is_uniform) {
    for (T& element : uniform) element = *start;
    start = uniform;
  }
  const GemmPart one{g.a, g.b};
  const Index count = g.parts != nullptr ? g.part_count : 1;
  const Index depth = g.k < kDepth ? g.k : kDepth;              // steps of a part at a time
  constexpr Index kJoined = static_cast<T>(1.5) == T{1} ? kDepth : kDepthOfFloats;
  const Index at_once = 2 * depth > kJoined ? 1 : kJoined / (depth > 0 ? depth : 1);  // parts
  Operands<T> o{c,        start, g.parts != nullptr ? g.parts : &one,
                0,        0,     0,
                g.out_pitch, g.start_is_uniform ? 0 : g.start_pitch, g.start_is_uniform ? 0 : 1,
                g.a_row,  g.a_column, g.b_row,
                depth};
  for (Index part = 0; part < count; part += at_once, o.parts += at_once) {
    o.part_count = count - part < at_once ? count - part : at_once;
    o.a_place = o.b_place = 0;
    Index left = g.k;
    do {
      o.k = left < depth ? left : depth;
      all_panels<Op, T>(o, g.m, g.n);
      o.start = c;
      o.start_pitch = g.out_pitch;
      o.start_column = 1;
      o.a_place += o.k * o.a_column;
      o.b_place += o.k * o.b_row;
      left -= o.k;
    } while (left > 0);
  }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
