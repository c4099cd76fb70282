// Inclusive scans along the middle axis by one operation, element after element: acc = acc op next. Compiled once per
// instruction set. Several rows advance together where the axis is the last one, so that the chain of one row does not
// set the pace.
#include <cstring>

#include "interpreter/kernels/isa_fold_ops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

/// `rows` scans of n elements, `pitch` apart; `step` is 1 or -1.
template <class Op, class T, unsigned rows>
void scan_rows(T* out, const T* in, Index pitch, Index n, Index step) {
  T acc[rows];
  for (unsigned r = 0; r < rows; ++r) out[r * pitch] = acc[r] = in[r * pitch];
  for (Index i = 1; i < n; ++i) {
    for (unsigned r = 0; r < rows; ++r) {
      acc[r] = Op::apply(acc[r], in[r * pitch + i * step]);
      out[r * pitch + i * step] = acc[r];
    }
  }
}

template <class Op, class T>
void scan_loop(void* out, const void* in, Index outer, Index n, Index inner, bool reverse) {
  const T* x = static_cast<const T*>(in);
  T* r = static_cast<T*>(out);
  const Index first = reverse ? n - 1 : 0;
  const Index step = reverse ? -1 : 1;
  if (inner == 1) {
    constexpr unsigned kRows = 8;
    Index o = 0;
    for (; o + kRows <= outer; o += kRows) scan_rows<Op, T, kRows>(r + o * n + first, x + o * n + first, n, n, step);
    for (; o < outer; ++o) scan_rows<Op, T, 1>(r + o * n + first, x + o * n + first, n, n, step);
    return;
  }
  for (Index o = 0; o < outer; ++o, x += n * inner, r += n * inner) {
    if (r != x) std::memcpy(r + first * inner, x + first * inner, static_cast<std::size_t>(inner) * sizeof(T));
    for (Index i = 1; i < n; ++i) {
      const Index row = (first + i * step) * inner;
      const T* before = r + row - step * inner;
      LOCKSTEP_NO_CARRY
      for (Index c = 0; c < inner; ++c) r[row + c] = Op::apply(before[c], x[row + c]);
    }
  }
}

/// Small floats: strips of up to kStrip neighbouring scans advance together in f32, rounded to the kind at every step.
/// Element i of lane l is at (l / inner) * n * inner + i * inner + l % inner.
template <Kind kind, Binary op>
void scan_small(void* out, const void* in, Index outer, Index n, Index inner, bool reverse) {
  constexpr Index kBytes = bytes_of(kind);
  const ConvertFn widen = find_convert(kind, Kind::f32, Conversion::signed_);
  const ConvertFn narrow = find_convert(Kind::f32, kind, Conversion::signed_);
  const BinaryFn combine = find_float_binary(op, Kind::f32);
  alignas(64) float acc[kStrip], next[kStrip];
  alignas(64) char bits[static_cast<std::size_t>(kStrip * kBytes)];
  const Index lanes = outer * inner;
  for (Index begin = 0; begin < lanes; begin += kStrip) {
    const Index count = lanes - begin < kStrip ? lanes - begin : kStrip;
    for (Index i = 0; i < n; ++i) {
      const Index row = reverse ? n - 1 - i : i;
      const auto offset = [=](Index c) {
        return (((begin + c) / inner * n + row) * inner + (begin + c) % inner) * kBytes;
      };
      for (Index c = 0; c < count; ++c)
        std::memcpy(bits + c * kBytes, static_cast<const char*>(in) + offset(c), kBytes);
      widen(next, bits, count);
      if (i == 0)
        std::memcpy(acc, next, sizeof(acc));
      else
        combine(acc, acc, next, count, 1, 1);
      narrow(bits, acc, count);
      widen(acc, bits, count);
      for (Index c = 0; c < count; ++c) std::memcpy(static_cast<char*>(out) + offset(c), bits + c * kBytes, kBytes);
    }
  }
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
  template <Kind kind>
  static ScanFn small(Binary op) {
    switch (op) {
      case Binary::addf: return scan_small<kind, Binary::addf>;
      case Binary::mulf: return scan_small<kind, Binary::mulf>;
      case Binary::minnumf: return scan_small<kind, Binary::minnumf>;
      case Binary::maxnumf: return scan_small<kind, Binary::maxnumf>;
      case Binary::minimumf: return scan_small<kind, Binary::minimumf>;
      case Binary::maximumf: return scan_small<kind, Binary::maximumf>;
      default: return nullptr;
    }
  }
};

}  // namespace

ScanFn find_scan(Binary op, Kind kind) { return find_fold<ScanFn, Loops>(op, kind); }

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
