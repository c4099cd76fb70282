// Elementwise comparisons: ten integer and sixteen float predicates, result i1 (a byte 0 or 1). Compiled once per
// instruction set. Small floats are widened to f32, which keeps their order exactly.
#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

using Bit = std::uint8_t;

struct Equal {
  template <class T>
  static Bit apply(T a, T b) {
    return a == b;
  }
};
struct NotEqual {
  template <class T>
  static Bit apply(T a, T b) {
    return a != b;
  }
};
struct Less {
  template <class T>
  static Bit apply(T a, T b) {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  static Bit apply(T a, T b) {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  static Bit apply(T a, T b) {
    return a > b;
  }
};
struct GreaterEqual {
  template <class T>
  static Bit apply(T a, T b) {
    return a >= b;
  }
};
struct Never {
  template <class T>
  static Bit apply(T, T) {
    return 0;
  }
};
struct Always {
  template <class T>
  static Bit apply(T, T) {
    return 1;
  }
};
struct OrderedNotEqual {
  template <class T>
  static Bit apply(T a, T b) {
    return static_cast<Bit>((a < b) | (a > b));
  }
};
struct Ordered {
  template <class T>
  static Bit apply(T a, T b) {
    return static_cast<Bit>((a == a) & (b == b));
  }
};
/// The opposite of an ordered predicate is the unordered form of the opposite comparison.
template <class Op>
struct Not {
  template <class T>
  static Bit apply(T a, T b) {
    return static_cast<Bit>(Op::apply(a, b) ^ 1);
  }
};

template <class S, class U>
BinaryFn find_integer(CompareInt predicate) {
  switch (predicate) {
    case CompareInt::eq: return binary_loop<Equal, U, Bit>;
    case CompareInt::ne: return binary_loop<NotEqual, U, Bit>;
    case CompareInt::slt: return binary_loop<Less, S, Bit>;
    case CompareInt::sle: return binary_loop<LessEqual, S, Bit>;
    case CompareInt::sgt: return binary_loop<Greater, S, Bit>;
    case CompareInt::sge: return binary_loop<GreaterEqual, S, Bit>;
    case CompareInt::ult: return binary_loop<Less, U, Bit>;
    case CompareInt::ule: return binary_loop<LessEqual, U, Bit>;
    case CompareInt::ugt: return binary_loop<Greater, U, Bit>;
    case CompareInt::uge: return binary_loop<GreaterEqual, U, Bit>;
  }
  return nullptr;
}

// As signed numbers the bits are 0 and -1, so the signed order is the reverse of the unsigned one.
BinaryFn find_bit(CompareInt predicate) {
  switch (predicate) {
    case CompareInt::slt: return binary_loop<Greater, Bit, Bit>;
    case CompareInt::sle: return binary_loop<GreaterEqual, Bit, Bit>;
    case CompareInt::sgt: return binary_loop<Less, Bit, Bit>;
    case CompareInt::sge: return binary_loop<LessEqual, Bit, Bit>;
    default: return find_integer<Bit, Bit>(predicate);
  }
}

template <class T>
BinaryFn find_real(CompareFloat predicate) {
  switch (predicate) {
    case CompareFloat::always_false: return binary_loop<Never, T, Bit>;
    case CompareFloat::oeq: return binary_loop<Equal, T, Bit>;
    case CompareFloat::ogt: return binary_loop<Greater, T, Bit>;
    case CompareFloat::oge: return binary_loop<GreaterEqual, T, Bit>;
    case CompareFloat::olt: return binary_loop<Less, T, Bit>;
    case CompareFloat::ole: return binary_loop<LessEqual, T, Bit>;
    case CompareFloat::one: return binary_loop<OrderedNotEqual, T, Bit>;
    case CompareFloat::ord: return binary_loop<Ordered, T, Bit>;
    case CompareFloat::ueq: return binary_loop<Not<OrderedNotEqual>, T, Bit>;
    case CompareFloat::ugt: return binary_loop<Not<LessEqual>, T, Bit>;
    case CompareFloat::uge: return binary_loop<Not<Less>, T, Bit>;
    case CompareFloat::ult: return binary_loop<Not<GreaterEqual>, T, Bit>;
    case CompareFloat::ule: return binary_loop<Not<Greater>, T, Bit>;
    case CompareFloat::une: return binary_loop<Not<Equal>, T, Bit>;
    case CompareFloat::uno: return binary_loop<Not<Ordered>, T, Bit>;
    case CompareFloat::always_true: return binary_loop<Always, T, Bit>;
  }
  return nullptr;
}

template <Kind kind, CompareFloat predicate>
void small_compare(void* out, const void* a, const void* b, Index n, int a_step, int b_step) {
  SmallFloatStrips<2> strips;
  strips.widen = find_convert(kind, Kind::f32, Conversion::signed_);
  strips.in[0] = static_cast<const char*>(a);
  strips.in[1] = static_cast<const char*>(b);
  const int steps[2] = {a_step, b_step};
  strips.load_uniforms(steps, bytes_of(kind), n);
  const BinaryFn compare_f32 = find_real<float>(predicate);
  Bit* r = static_cast<Bit*>(out);
  for (Index begin = 0; begin < n; begin += kStrip) {
    const Index count = n - begin < kStrip ? n - begin : kStrip;
    strips.load(begin, count);
    compare_f32(r + begin, strips.strip[0], strips.strip[1], count, 1, 1);
  }
}

template <Kind kind, int... index>
BinaryFn find_small(CompareFloat predicate) {
  constexpr BinaryFn kTable[] = {small_compare<kind, static_cast<CompareFloat>(index)>...};
  return kTable[static_cast<int>(predicate)];
}
template <Kind kind>
BinaryFn find_small_of(CompareFloat predicate) {
  return find_small<kind, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(predicate);
}

}  // namespace

BinaryFn find_compare_int(CompareInt predicate, Kind kind) {
  switch (kind) {
    case Kind::i1: return find_bit(predicate);
    case Kind::i8: return find_integer<std::int8_t, std::uint8_t>(predicate);
    case Kind::i16: return find_integer<std::int16_t, std::uint16_t>(predicate);
    case Kind::i32: return find_integer<std::int32_t, std::uint32_t>(predicate);
    case Kind::i64:
    case Kind::pointer: return find_integer<std::int64_t, std::uint64_t>(predicate);
    default: return nullptr;
  }
}

BinaryFn find_compare_float(CompareFloat predicate, Kind kind) {
  switch (kind) {
    case Kind::f8E4M3FN: return find_small_of<Kind::f8E4M3FN>(predicate);
    case Kind::f8E5M2: return find_small_of<Kind::f8E5M2>(predicate);
    case Kind::f8E4M3FNUZ: return find_small_of<Kind::f8E4M3FNUZ>(predicate);
    case Kind::f8E5M2FNUZ: return find_small_of<Kind::f8E5M2FNUZ>(predicate);
    case Kind::f16: return find_small_of<Kind::f16>(predicate);
    case Kind::bf16: return find_small_of<Kind::bf16>(predicate);
    case Kind::f32: return find_real<float>(predicate);
    case Kind::f64: return find_real<double>(predicate);
    default: return nullptr;
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
