// Reductions along the middle axis by one commutative operation, in the halving-tree order (isa_tree.h). Compiled once
// per instruction set. f16, bf16 and f8 are combined in f32 and rounded to their type at every combination, as the type
// demands.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_fold_ops.h"
#include "interpreter/kernels/isa/isa_row_fold.h"
#include "interpreter/kernels/isa/isa_tree.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

template <class Op, class T>
inline void combine_into(T* __restrict a, const T* __restrict b, Index width) {
  for (Index c = 0; c < width; ++c) a[c] = Op::apply(a[c], b[c]);
}

/// Eight rows, `step` elements apart, combined in tree order.
template <class Op, class T>
inline void eight_rows(T* __restrict r, const T* x, Index step, Index width) {
  for (Index c = 0; c < width; ++c) {
    const T* p = x + c;
    const T even = Op::apply(Op::apply(p[0], p[4 * step]), Op::apply(p[2 * step], p[6 * step]));
    const T odd = Op::apply(Op::apply(p[step], p[5 * step]), Op::apply(p[3 * step], p[7 * step]));
    r[c] = Op::apply(even, odd);
  }
}

/// The last halvings of values side by side in one strip, down to one.
template <class Op, class T, unsigned width>
inline T fold_strip(T* x) {
  if constexpr (width == 1) {
    return x[0];
  } else {
    for (unsigned c = 0; c < width / 2; ++c) x[c] = Op::apply(x[c], x[c + width / 2]);
    return fold_strip<Op, T, width / 2>(x);
  }
}
template <class Op, class T>
inline void fold_to_inner(T* strip, Index width, Index inner) {
  if (inner == 1 && width == 64) {
    strip[0] = fold_strip<Op, T, 64>(strip);
    return;
  }
  for (; width > inner; width /= 2)
    for (Index c = 0; c < width / 2; ++c) strip[c] = Op::apply(strip[c], strip[c + width / 2]);
}

/// One [rows, pitch] slab of which `width` <= kColumns columns are reduced over the rows into stack[0].
template <class Op, class T>
inline void reduce_rows(T (*stack)[kColumns], const T* x, Index rows, Index pitch, Index width) {
  if (rows >= 8) {
    const Index groups = rows / 8;
    walk_tree(
        groups, stack,
        [=](Index first, T* strip) { eight_rows<Op, T>(strip, x + first * pitch, groups * pitch, width); },
        [=](T* a, const T* b) { combine_into<Op, T>(a, b, width); });
    return;
  }
  walk_tree(
      rows, stack,
      [=](Index first, T* strip) {
        for (Index c = 0; c < width; ++c) strip[c] = x[first * pitch + c];
      },
      [=](T* a, const T* b) { combine_into<Op, T>(a, b, width); });
}

/// Short runs of the last axis: every result is a small tree of neighbours.
template <class Op, class T, unsigned n>
void reduce_short(T* out, const T* x, Index outer) {
  for (Index o = 0; o < outer; ++o) {
    T values[n];
    for (unsigned i = 0; i < n; ++i) values[i] = x[o * n + i];
    out[o] = folded<Op>(fold_strip<Op, T, n>(values));
  }
}

/// Two rows of `inner` elements each, as tl.topk halves its candidates.
template <class Op, class T, Index inner>
void reduce_two(T* __restrict out, const T* __restrict x, Index outer) {
  for (Index o = 0; o < outer; ++o, x += 2 * inner, out += inner)
    for (Index c = 0; c < inner; ++c) out[c] = folded<Op>(Op::apply(x[c], x[inner + c]));
}

template <class Op, class T>
void reduce_loop(void* out, const void* in, Index outer, Index n, Index inner) {
  const T* x = static_cast<const T*>(in);
  T* r = static_cast<T*>(out);
  if (inner == 1) {
    if (n == 2) return reduce_short<Op, T, 2>(r, x, outer);
    if (n == 4) return reduce_short<Op, T, 4>(r, x, outer);
    if (n == 8) return reduce_short<Op, T, 8>(r, x, outer);
    if constexpr (sizeof(T) == 4) {
      const Index done = reduce_last_axis<Op, T>(r, x, outer, n);
      r += done;
      x += done * n;
      outer -= done;
    }
    if (n == 16) return reduce_short<Op, T, 16>(r, x, outer);
  }
  if constexpr (sizeof(T) == 4) {
    if (n == 2 && inner == 4) return reduce_two<Op, T, 4>(r, x, outer);
    if (n == 2 && inner == 8) return reduce_two<Op, T, 8>(r, x, outer);
    if (n == 2 && inner == 16) return reduce_two<Op, T, 16>(r, x, outer);
  }
  alignas(64) T stack[kLevels][kColumns];
  const Index together = rows_side_by_side(n, inner);
  const Index rows = n / together;
  if (rows < 1) __builtin_unreachable();  // else the compiler warns of an unwritten stack
  const Index pitch = inner * together;
  for (Index o = 0; o < outer; ++o, x += n * inner, r += inner) {
    for (Index begin = 0; begin < pitch; begin += kColumns) {
      const Index width = pitch - begin < kColumns ? pitch - begin : kColumns;
      reduce_rows<Op, T>(stack, x + begin, rows, pitch, width);
      fold_to_inner<Op, T>(stack[0], width, together == 1 ? width : inner);
      const Index count = together == 1 ? width : inner;
      for (Index c = 0; c < count; ++c) r[begin + c] = folded<Op>(stack[0][c]);
    }
  }
}

// ---- minima and maxima of floats: one instruction per combination if there is neither NaN nor a zero to choose ----

/// The processor's own maximum and minimum: of numbers, and of zeros any.
struct Larger {
  template <class T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct Smaller {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
template <class Op>
struct PlainExtremum {
  using type = Larger;
};
template <>
struct PlainExtremum<MinNumber> {
  using type = Smaller;
};
template <>
struct PlainExtremum<Minimum> {
  using type = Smaller;
};

template <class T>
bool has_nan(const T* x, Index n) {
  Index i = 0;
  unsigned found = 0;
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4)
    for (; i + 32 <= n; i += 32)
      found |= _mm512_cmp_ps_mask(_mm512_loadu_ps(x + i), _mm512_loadu_ps(x + i + 16), _CMP_UNORD_Q);
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    __m256 any = _mm256_setzero_ps();
    for (; i + 16 <= n; i += 16)
      any = _mm256_or_ps(any, _mm256_cmp_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(x + i + 8), _CMP_UNORD_Q));
    found = static_cast<unsigned>(_mm256_movemask_ps(any));
  }
#endif
  for (; i < n; ++i) found |= static_cast<unsigned>(x[i] != x[i]);
  return found != 0;
}
template <class T>
bool has_zero(const T* x, Index n) {
  unsigned found = 0;
  for (Index i = 0; i < n; ++i) found |= static_cast<unsigned>(x[i] == T{0});
  return found != 0;
}

#if defined(__AVX2__)
/// The extremum of n numbers, n a multiple of 4 * kLanes, in any order. False: there is a NaN.
template <class Plain>
bool extremum_of_row(const float* x, Index n, float& out) {
  using InMemory = typename LanesOf<float>::in_memory;
  constexpr Index kCount = kLanes;
  const auto at = [x](Index i) -> LaneFloats { return *reinterpret_cast<const InMemory*>(x + i); };
  LaneFloats best[4] = {at(0), at(kCount), at(2 * kCount), at(3 * kCount)};
#if defined(__AVX512F__)
  unsigned found = 0;
  const auto look = [&found](LaneFloats a, LaneFloats b) { found |= _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q); };
#else
  __m256 any = _mm256_setzero_ps();
  const auto look = [&any](LaneFloats a, LaneFloats b) { any = _mm256_or_ps(any, _mm256_cmp_ps(a, b, _CMP_UNORD_Q)); };
#endif
  look(best[0], best[1]);
  look(best[2], best[3]);
  for (Index i = 4 * kCount; i < n; i += 4 * kCount) {
    const LaneFloats a = at(i), b = at(i + kCount), c = at(i + 2 * kCount), d = at(i + 3 * kCount);
    look(a, b);
    look(c, d);
    best[0] = Plain::apply(best[0], a);
    best[1] = Plain::apply(best[1], b);
    best[2] = Plain::apply(best[2], c);
    best[3] = Plain::apply(best[3], d);
  }
#if !defined(__AVX512F__)
  const int found = _mm256_movemask_ps(any);
#endif
  if (found != 0) return false;
  alignas(64) float lanes[kLanes];
  *reinterpret_cast<InMemory*>(lanes) = Plain::apply(Plain::apply(best[0], best[1]), Plain::apply(best[2], best[3]));
  for (unsigned half = kLanes / 2; half > 0; half /= 2)
    for (unsigned c = 0; c < half; ++c) lanes[c] = Plain::apply(lanes[c], lanes[c + half]);
  out = lanes[0];
  return true;
}
#endif

/// Without NaN, and if no zero wins, neither the order of the combinations nor their rules matter.
template <class Op, class T>
void reduce_extremum(void* out, const void* in, Index outer, Index n, Index inner) {
  constexpr Index kElements = 16384;
  using Plain = typename PlainExtremum<Op>::type;
  const Index size = n * inner;
  const Index at_once = size >= kElements ? 1 : kElements / size;
  const T* x = static_cast<const T*>(in);
  T* r = static_cast<T*>(out);
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    if (inner == 1 && n >= 8 * static_cast<Index>(kLanes)) {  // memory is read once
      for (Index o = 0; o < outer; ++o) {
        if (!extremum_of_row<Plain>(x + o * n, n, r[o]) || r[o] == T{0}) reduce_loop<Op, T>(r + o, x + o * n, 1, n, 1);
      }
      return;
    }
  }
#endif
  for (Index o = 0; o < outer; o += at_once) {
    const Index rows = outer - o < at_once ? outer - o : at_once;
    const T* from = x + o * size;
    T* to = r + o * inner;
    const bool is_plain = !has_nan(from, rows * size);
    if (is_plain) reduce_loop<Plain, T>(to, from, rows, n, inner);
    if (!is_plain || has_zero(to, rows * inner)) reduce_loop<Op, T>(to, from, rows, n, inner);
  }
}

/// The same for a small float kind: strips hold its values in f32.
struct SmallFloat {
  ConvertFn widen, narrow;
  Index bytes;
  bool must_round;  // the operation can leave the kind's values
  void round(float* strip, Index width) const {
    if (!must_round) return;
    alignas(64) std::uint16_t bits[kColumns];
    narrow(bits, strip, width);
    widen(strip, bits, width);
  }
};

template <class Op>
void reduce_small(const SmallFloat& kind, char* out, const char* in, Index outer, Index n, Index inner) {
  alignas(64) float stack[kLevels][kColumns];
  const Index together = rows_side_by_side(n, inner);
  const Index rows = n / together;
  const Index pitch = inner * together;
  for (Index o = 0; o < outer; ++o, in += n * inner * kind.bytes, out += inner * kind.bytes) {
    for (Index begin = 0; begin < pitch; begin += kColumns) {
      const Index width = pitch - begin < kColumns ? pitch - begin : kColumns;
      walk_tree(
          rows, stack,
          [&](Index row, float* strip) { kind.widen(strip, in + (row * pitch + begin) * kind.bytes, width); },
          [&](float* a, const float* b) {
            combine_into<Op, float>(a, b, width);
            kind.round(a, width);
          });
      Index count = width;
      if (together > 1)
        for (; count > inner; count /= 2) {
          for (Index c = 0; c < count / 2; ++c) stack[0][c] = Op::apply(stack[0][c], stack[0][c + count / 2]);
          kind.round(stack[0], count / 2);
        }
      for (Index c = 0; c < count; ++c) stack[0][c] = folded<Op>(stack[0][c]);
      kind.narrow(out + begin * kind.bytes, stack[0], count);
    }
  }
}

template <class Op, Kind kind, bool must_round>
void small_loop(void* out, const void* in, Index outer, Index n, Index inner) {
  const SmallFloat small{find_convert(kind, Kind::f32, Conversion::signed_),
                         find_convert(Kind::f32, kind, Conversion::signed_), bytes_of(kind), must_round};
  reduce_small<Op>(small, static_cast<char*>(out), static_cast<const char*>(in), outer, n, inner);
}

struct Loops {
  static ReduceFn bit(Binary op) {
    return pick_bit_fold<ReduceFn>(op, []<class Op>() -> ReduceFn { return reduce_loop<Op, std::uint8_t>; });
  }
  template <class T>
  static ReduceFn integer(Binary op) {
    return pick_integer_fold<ReduceFn>(op, []<class Op>() -> ReduceFn { return reduce_loop<Op, T>; });
  }
  template <class T>
  static ReduceFn real(Binary op) {
    if (op == Binary::addf || op == Binary::mulf)
      return pick_float_fold<ReduceFn>(op, []<class Op>() -> ReduceFn { return reduce_loop<Op, T>; });
    return pick_float_fold<ReduceFn>(op, []<class Op>() -> ReduceFn { return reduce_extremum<Op, T>; });
  }
  /// Sums and products round to the kind at every step; minima and maxima are exact.
  template <Kind kind>
  static ReduceFn small(Binary op) {
    if (op == Binary::addf || op == Binary::mulf) {
      return pick_float_fold<ReduceFn>(op, []<class Op>() -> ReduceFn { return small_loop<Op, kind, true>; });
    }
    return pick_float_fold<ReduceFn>(op, []<class Op>() -> ReduceFn { return small_loop<Op, kind, false>; });
  }
};

}  // namespace

ReduceFn find_reduce(Binary op, Kind kind) { return find_fold<ReduceFn, Loops>(op, kind); }

namespace {

/// Eight rows of products, `step` elements apart, added in tree order. The bits of a NaN do not matter (folded).
inline void eight_products(float* __restrict r, const float* x, const float* y, Index step) {
  for (Index c = 0; c < kColumns / 2; ++c) {
    const auto product = [=](Index i) { return x[i * step + c] * y[i * step + c]; };
    const float even =
        AddFloat::apply(AddFloat::apply(product(0), product(4)), AddFloat::apply(product(2), product(6)));
    const float odd = AddFloat::apply(AddFloat::apply(product(1), product(5)), AddFloat::apply(product(3), product(7)));
    r[c] = AddFloat::apply(even, odd);
  }
}

}  // namespace

void sum_products(float* out, const float* x, const float* y, Index outer, Index n) {
  constexpr Index kWidth = kColumns / 2;
  alignas(64) float stack[kLevels][kColumns];
  const Index groups = n / kWidth / 8;
  if (groups < 1) __builtin_unreachable();  // else the compiler warns of an unwritten stack
  for (Index o = 0; o < outer; ++o, x += n, y += n) {
    walk_tree(
        groups, stack,
        [=](Index first, float* strip) { eight_products(strip, x + first * kWidth, y + first * kWidth, groups * kWidth); },
        [](float* a, const float* b) { combine_into<AddFloat, float>(a, b, kWidth); });
    fold_to_inner<AddFloat, float>(stack[0], kWidth, 1);
    out[o] = folded<AddFloat>(stack[0][0]);
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
