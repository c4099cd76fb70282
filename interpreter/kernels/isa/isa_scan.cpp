// Inclusive scans along the middle axis by one operation, element after element: acc = acc op next. Compiled once per
// instruction set. If the axis is the last one, many rows advance together: blocks of them are transposed in registers,
// so that a register holds one position of each.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstring>

#include "interpreter/kernels/isa/isa_fold_ops.h"
#include "interpreter/kernels/isa/isa_row_fold.h"
#include "interpreter/kernels/isa/isa_small_float.h"
#include "interpreter/kernels/isa/isa_transpose.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

/// One scan waits for its own sums, so there is time to ask for what lies behind its row: often the next program's. A
/// prefetch of memory that is not there does nothing.
template <class Op, class T>
void scan_row(T* out, const T* in, Index n, Index step) {
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));
  T acc = out[0] = in[0];
  Index i = 1;
  const auto scan_to = [&](Index end) {
    for (; i < end; ++i) {
      acc = Op::apply(acc, in[i * step]);
      out[i * step] = folded<Op>(acc);
    }
  };
  while (i + kLine <= n) {
    __builtin_prefetch(in + (n + i) * step);
    scan_to(i + kLine);
  }
  scan_to(n);
}

/// `rows` scans of n elements, `pitch` apart; `step` is 1 or -1.
template <class Op, class T, unsigned rows>
void scan_rows(T* out, const T* in, Index pitch, Index n, Index step) {
  T acc[rows];
  for (unsigned r = 0; r < rows; ++r) out[r * pitch] = acc[r] = in[r * pitch];
  for (Index i = 1; i < n; ++i) {
    for (unsigned r = 0; r < rows; ++r) {
      acc[r] = Op::apply(acc[r], in[r * pitch + i * step]);
      out[r * pitch + i * step] = folded<Op>(acc[r]);
    }
  }
}

// ---- rows side by side: a register holds one column of many rows ----

constexpr Index kTogether = 16;  // rows
constexpr Index kSpan = 64;      // columns that are turned at a time

/// out[j * out_pitch + r] = in[r * in_pitch + j] for r < rows, j < columns. `outer_is_row`: the long runs, those of the
/// tile, are the input's rows (else the output's). They go outside, because lines of many rows share a cache set.
template <bool outer_is_row, class T>
inline void turn(T* out, Index out_pitch, const T* in, Index in_pitch, Index rows, Index columns) {
  constexpr Index kSize = sizeof(T), kSide = block_side(kSize);
  Index whole_rows = 0, whole_columns = 0;
  if constexpr (kSide > 1) {
    whole_rows = rows / kSide * kSide;
    whole_columns = columns / kSide * kSide;
    const Index outer = outer_is_row ? whole_rows : whole_columns, inner = outer_is_row ? whole_columns : whole_rows;
    for (Index a = 0; a < outer; a += kSide)
      for (Index b = 0; b < inner; b += kSide) {
        const Index r = outer_is_row ? a : b, j = outer_is_row ? b : a;
        transpose_block(reinterpret_cast<char*>(out + j * out_pitch + r), out_pitch * kSize,
                        reinterpret_cast<const char*>(in + r * in_pitch + j), in_pitch * kSize,
                        bits_as<std::uint32_t>(T{}));
      }
  }
  for (Index r = 0; r < rows; ++r)
    for (Index j = r < whole_rows ? whole_columns : 0; j < columns; ++j) out[j * out_pitch + r] = in[r * in_pitch + j];
}

/// The step after every combination: nothing, or the rounding to a small kind.
struct KeepsAll {
  template <class T>
  static void round(T*) {}
};
template <Kind kind>
struct RoundsTo {
  static void round(float* x) {
#if defined(__F16C__)
    if constexpr (kind == Kind::f16) {
      for (Index i = 0; i < kTogether; i += 8) {
        const __m128i bits = _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT);
        _mm256_storeu_ps(x + i, _mm256_cvtph_ps(bits));
      }
      return;
    }
#endif
    if constexpr (kind == Kind::bf16) {
      for (Index i = 0; i < kTogether; ++i) x[i] = decode_bf16(encode_bf16<false>(x[i]));
    } else {
      alignas(64) char bits[static_cast<std::size_t>(kTogether * bytes_of(kind))];
      find_convert(Kind::f32, kind, Conversion::signed_)(bits, x, kTogether);
      find_convert(kind, Kind::f32, Conversion::signed_)(x, bits, kTogether);
    }
  }
};

template <Kind kind, bool rounds>
struct RoundOf {
  using type = RoundsTo<kind>;
};
template <Kind kind>
struct RoundOf<kind, false> {
  using type = KeepsAll;
};

/// Scans of kTogether lanes: position i is at columns + i * kTogether; `acc` is the position before, if there is one.
template <class Op, class Round, class T>
inline void scan_columns(T* columns, T* acc, Index count, bool is_first, bool reverse) {
  for (Index k = 0; k < count; ++k) {
    T* here = columns + (reverse ? count - 1 - k : k) * kTogether;
    if (k > 0 || !is_first) {
      for (Index r = 0; r < kTogether; ++r) here[r] = folded<Op>(Op::apply(acc[r], here[r]));
      Round::round(here);
    }
    for (Index r = 0; r < kTogether; ++r) acc[r] = here[r];
  }
}
template <class Op, class T>
inline void scan_columns_in_registers(T* columns, T* acc, Index count, bool is_first, bool reverse) {
  constexpr unsigned kRegisters = kTogether / kLanes;
  using Memory = typename LanesOf<T>::in_memory;
  LaneVector<T> sum[kRegisters];
  for (unsigned v = 0; v < kRegisters; ++v) sum[v] = reinterpret_cast<const Memory*>(acc)[v];
  for (Index k = 0; k < count; ++k) {
    Memory* here = reinterpret_cast<Memory*>(columns + (reverse ? count - 1 - k : k) * kTogether);
    for (unsigned v = 0; v < kRegisters; ++v) {
      const LaneVector<T> next = here[v];
      if (k > 0 || !is_first) {
        sum[v] = Op::apply(sum[v], next);
        here[v] = folded<Op>(sum[v]);
      } else {
        sum[v] = next;
      }
    }
  }
  for (unsigned v = 0; v < kRegisters; ++v) reinterpret_cast<Memory*>(acc)[v] = sum[v];
}

/// Columns `first`.. of the rows behind these, which come next or are other programs': the work leaves time to ask for
/// them. A prefetch of memory that is not there does nothing.
template <class T>
inline void ask_for_rows_behind(const T* in, Index rows, Index n, Index first, Index count) {
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < count; c += kLine) __builtin_prefetch(in + (rows + r) * n + first + c, 0, 2);
}

#if defined(__AVX512F__)
/// Four elements of rows r, r + 4, r + 8 and r + 12: no instruction but loads moves between the parts of a register.
inline __m512 load_parts(const float* x, Index pitch) {
  __m512 parts = _mm512_castps128_ps512(_mm_loadu_ps(x));
  parts = _mm512_mask_broadcast_f32x4(parts, 0x00f0, _mm_loadu_ps(x + 4 * pitch));
  parts = _mm512_mask_broadcast_f32x4(parts, 0x0f00, _mm_loadu_ps(x + 8 * pitch));
  return _mm512_mask_broadcast_f32x4(parts, 0xf000, _mm_loadu_ps(x + 12 * pitch));
}

constexpr __mmask16 kAll = 0xffff;  // the forms without a mask make g++ 12 warn of what they leave open

/// Transposes 4 x 4 elements in each part.
inline void transpose_parts(__m512* x) {
  const __m512 a = _mm512_maskz_unpacklo_ps(kAll, x[0], x[1]), b = _mm512_maskz_unpackhi_ps(kAll, x[0], x[1]);
  const __m512 c = _mm512_maskz_unpacklo_ps(kAll, x[2], x[3]), d = _mm512_maskz_unpackhi_ps(kAll, x[2], x[3]);
  x[0] = _mm512_maskz_shuffle_ps(kAll, a, c, _MM_SHUFFLE(1, 0, 1, 0));
  x[1] = _mm512_maskz_shuffle_ps(kAll, a, c, _MM_SHUFFLE(3, 2, 3, 2));
  x[2] = _mm512_maskz_shuffle_ps(kAll, b, d, _MM_SHUFFLE(1, 0, 1, 0));
  x[3] = _mm512_maskz_shuffle_ps(kAll, b, d, _MM_SHUFFLE(3, 2, 3, 2));
}

/// x[4 g] has columns 4 g.. of rows 0, 4, 8 and 12; `out` gets the whole lines.
inline void store_parts(float* out, Index pitch, const __m512* x) {
  const __m512 a = _mm512_maskz_shuffle_f32x4(kAll, x[0], x[4], 0x44);
  const __m512 b = _mm512_maskz_shuffle_f32x4(kAll, x[0], x[4], 0xee);
  const __m512 c = _mm512_maskz_shuffle_f32x4(kAll, x[8], x[12], 0x44);
  const __m512 d = _mm512_maskz_shuffle_f32x4(kAll, x[8], x[12], 0xee);
  _mm512_storeu_ps(out, _mm512_maskz_shuffle_f32x4(kAll, a, c, 0x88));
  _mm512_storeu_ps(out + 4 * pitch, _mm512_maskz_shuffle_f32x4(kAll, a, c, 0xdd));
  _mm512_storeu_ps(out + 8 * pitch, _mm512_maskz_shuffle_f32x4(kAll, b, d, 0x88));
  _mm512_storeu_ps(out + 12 * pitch, _mm512_maskz_shuffle_f32x4(kAll, b, d, 0xdd));
}

/// Sixteen rows of n elements of 4 bytes, n a multiple of 16: a register holds one position of each row.
template <class Op, class T>
void scan_sixteen(T* out, const T* in, Index n, bool reverse) {
  const float* x = reinterpret_cast<const float*>(in);
  float* r = reinterpret_cast<float*>(out);
  LaneVector<T> sum{};
  for (Index done = 0; done < n; done += 16) {
    const Index first = reverse ? n - done - 16 : done;
    ask_for_rows_behind(in, 16, n, first, 16);
    __m512 columns[16];
    for (unsigned g = 0; g < 4; ++g) {
      for (unsigned i = 0; i < 4; ++i) columns[4 * g + i] = load_parts(x + i * n + first + 4 * g, n);
      transpose_parts(columns + 4 * g);
    }
    for (unsigned k = 0; k < 16; ++k) {
      __m512& here = columns[reverse ? 15 - k : k];
      const LaneVector<T> next = bits_as<LaneVector<T>>(here);
      if (done == 0 && k == 0) {
        sum = next;
        continue;
      }
      sum = Op::apply(sum, next);
      here = bits_as<__m512>(folded<Op>(sum));
    }
    for (unsigned g = 0; g < 4; ++g) transpose_parts(columns + 4 * g);
    for (unsigned i = 0; i < 4; ++i) store_parts(r + i * n + first, n, columns + i);
  }
}
#endif

/// Up to kTogether rows of n elements of 4 bytes, one after the other.
template <class Op, class T>
void scan_together(T* out, const T* in, Index rows, Index n, bool reverse) {
#if defined(__AVX512F__)
  if (rows == 16 && n % 16 == 0) return scan_sixteen<Op>(out, in, n, reverse);
#endif
  alignas(64) T columns[kSpan * kTogether] = {};
  alignas(64) T acc[kTogether] = {};
  for (Index done = 0; done < n; done += kSpan) {
    const Index count = n - done < kSpan ? n - done : kSpan;
    const Index first = reverse ? n - done - count : done;
    ask_for_rows_behind(in, rows, n, first, count);
    turn<true>(columns, kTogether, in + first, n, rows, count);
    scan_columns_in_registers<Op>(columns, acc, count, done == 0, reverse);
    turn<false>(out + first, n, columns, kTogether, count, rows);
  }
}

template <class Op, class T>
void scan_last_axis(T* out, const T* in, Index rows, Index n, bool reverse) {
  const Index first = reverse ? n - 1 : 0, step = reverse ? -1 : 1;
  Index o = 0;
  if constexpr (sizeof(T) == 4) {
    for (; rows - o >= kTogether / 2; o += kTogether)
      scan_together<Op>(out + o * n, in + o * n, rows - o < kTogether ? rows - o : kTogether, n, reverse);
  } else {
    for (; o + 8 <= rows; o += 8) scan_rows<Op, T, 8>(out + o * n + first, in + o * n + first, n, n, step);
  }
  for (; o + 4 <= rows; o += 4) scan_rows<Op, T, 4>(out + o * n + first, in + o * n + first, n, n, step);
  for (; o < rows; ++o) scan_row<Op>(out + o * n + first, in + o * n + first, n, step);
}

template <class Op, class T>
void scan_loop(void* out, const void* in, Index outer, Index n, Index inner, bool reverse) {
  const T* x = static_cast<const T*>(in);
  T* r = static_cast<T*>(out);
  if (inner == 1) return scan_last_axis<Op>(r, x, outer, n, reverse);
  const Index first = reverse ? n - 1 : 0;
  const Index step = reverse ? -1 : 1;
  for (Index o = 0; o < outer; ++o, x += n * inner, r += n * inner) {
    if (r != x) std::memcpy(r + first * inner, x + first * inner, static_cast<std::size_t>(inner) * sizeof(T));
    for (Index i = 1; i < n; ++i) {
      const Index row = (first + i * step) * inner;
      const T* before = r + row - step * inner;
      LOCKSTEP_NO_CARRY
      for (Index c = 0; c < inner; ++c) r[row + c] = folded<Op>(Op::apply(before[c], x[row + c]));
    }
  }
}

// ---- small floats: in f32, rounded to the kind at every step ----

template <Kind kind>
struct SmallScan {
  static constexpr Index kBytes = bytes_of(kind);
  char* out;
  const char* in;
  Index n;
  bool reverse;
  ConvertFn widen = find_convert(kind, Kind::f32, Conversion::signed_);
  ConvertFn narrow = find_convert(Kind::f32, kind, Conversion::signed_);

  /// Rows `first`.. of the last axis.
  template <class Op, class Round>
  void rows_together(Index first, Index rows) const {
    alignas(64) float line[kTogether * kSpan], columns[kSpan * kTogether] = {}, acc[kTogether] = {};
    for (Index done = 0; done < n; done += kSpan) {
      const Index count = n - done < kSpan ? n - done : kSpan;
      const Index from = reverse ? n - done - count : done;
      const auto offset = [&](Index r) { return ((first + r) * n + from) * kBytes; };
      for (Index r = 0; r < rows; ++r) widen(line + r * kSpan, in + offset(r), count);
      turn<true>(columns, kTogether, line, kSpan, rows, count);
      scan_columns<Op, Round>(columns, acc, count, done == 0, reverse);
      turn<false>(line, kSpan, columns, kTogether, count, rows);
      for (Index r = 0; r < rows; ++r) narrow(out + offset(r), line + r * kSpan, count);
    }
  }
  /// Columns [begin, begin + width) of one [n, inner] tile at element `base`, width at most kStrip.
  template <class Op, bool rounds>
  void columns_of(Index base, Index inner, Index begin, Index width) const {
    alignas(64) float acc[kStrip], next[kStrip];
    for (Index i = 0; i < n; ++i) {
      const Index at = (base + (reverse ? n - 1 - i : i) * inner + begin) * kBytes;
      if (i == 0) {
        widen(acc, in + at, width);
      } else {
        widen(next, in + at, width);
        for (Index c = 0; c < width; ++c) acc[c] = folded<Op>(Op::apply(acc[c], next[c]));
      }
      narrow(out + at, acc, width);
      if (rounds && i > 0) widen(acc, out + at, width);
    }
  }
};

template <class Op, Kind kind, bool rounds>
void scan_small(void* out, const void* in, Index outer, Index n, Index inner, bool reverse) {
  using Round = typename RoundOf<kind, rounds>::type;
  const SmallScan<kind> scan{static_cast<char*>(out), static_cast<const char*>(in), n, reverse};
  if (inner == 1) {
    for (Index o = 0; o < outer; o += kTogether)
      scan.template rows_together<Op, Round>(o, outer - o < kTogether ? outer - o : kTogether);
    return;
  }
  for (Index o = 0; o < outer; ++o)
    for (Index begin = 0; begin < inner; begin += kStrip)
      scan.template columns_of<Op, rounds>(o * n * inner, inner, begin,
                                           inner - begin < kStrip ? inner - begin : kStrip);
}

struct Loops {
  static ScanFn bit(Binary op) {
    return pick_bit_fold<ScanFn>(op, []<class Op>() -> ScanFn { return scan_loop<Op, std::uint8_t>; });
  }
  template <class T>
  static ScanFn integer(Binary op) {
    return pick_integer_fold<ScanFn>(op, []<class Op>() -> ScanFn { return scan_loop<Op, T>; });
  }
  template <class T>
  static ScanFn real(Binary op) {
    return pick_float_fold<ScanFn>(op, []<class Op>() -> ScanFn { return scan_loop<Op, T>; });
  }
  /// Sums and products round to the kind at every step; minima and maxima are exact.
  template <Kind kind>
  static ScanFn small(Binary op) {
    if (op == Binary::addf || op == Binary::mulf)
      return pick_float_fold<ScanFn>(op, []<class Op>() -> ScanFn { return scan_small<Op, kind, true>; });
    return pick_float_fold<ScanFn>(op, []<class Op>() -> ScanFn { return scan_small<Op, kind, false>; });
  }
};

}  // namespace

ScanFn find_scan(Binary op, Kind kind) { return find_fold<ScanFn, Loops>(op, kind); }

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
