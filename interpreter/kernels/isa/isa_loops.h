// The loop skeletons of the elementwise kernels: a functor on one element becomes a loop that the compiler vectorises,
// and a small float kind becomes strips of f32. For isa_*.cpp only: all of it is in the namespace of the instruction
// set. Invariant: uniform operands are read once, before anything is written, so that they may alias the output.
#pragma once

#include <cstdint>

#include "interpreter/kernels/isa/isa.h"

// Before a loop in which no iteration reads what an earlier one wrote: an output may be an operand, but only at the
// same place.
#if defined(__clang__)
#define LOCKSTEP_NO_CARRY _Pragma("clang loop vectorize(assume_safety)")
#else
#define LOCKSTEP_NO_CARRY _Pragma("GCC ivdep")
#endif

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

using Index = std::int64_t;
inline constexpr Index kStrip = 512;  // elements per strip: three f32 strips stay in the first-level cache

template <Kind kind>
struct TypeOf;
template <>
struct TypeOf<Kind::i1> {
  using type = std::uint8_t;
};
template <>
struct TypeOf<Kind::i8> {
  using type = std::int8_t;
};
template <>
struct TypeOf<Kind::i16> {
  using type = std::int16_t;
};
template <>
struct TypeOf<Kind::i32> {
  using type = std::int32_t;
};
template <>
struct TypeOf<Kind::i64> {
  using type = std::int64_t;
};
template <>
struct TypeOf<Kind::f32> {
  using type = float;
};
template <>
struct TypeOf<Kind::f64> {
  using type = double;
};
template <Kind kind>
using Element = typename TypeOf<kind>::type;

constexpr bool is_small_float(Kind kind) { return kind >= Kind::f8E4M3FN && kind <= Kind::bf16; }
constexpr Index bytes_of(Kind kind) {
  switch (kind) {
    case Kind::i16:
    case Kind::f16:
    case Kind::bf16: return 2;
    case Kind::i32:
    case Kind::f32: return 4;
    case Kind::i64:
    case Kind::f64:
    case Kind::pointer: return 8;
    default: return 1;
  }
}

/// One register of 4-byte lanes. The operations of isa_float_ops.h and isa_integer_ops.h work on it as on one element.
#if defined(__AVX512F__)
inline constexpr unsigned kLanes = 16;
#elif defined(__AVX2__)
inline constexpr unsigned kLanes = 8;
#else
inline constexpr unsigned kLanes = 4;
#endif
typedef float LaneFloats __attribute__((vector_size(kLanes * 4)));
typedef std::int32_t LaneIntegers __attribute__((vector_size(kLanes * 4)));
typedef std::uint32_t LaneBits __attribute__((vector_size(kLanes * 4)));

template <class To, class From>
constexpr To bits_as(From value) {
  return __builtin_bit_cast(To, value);
}

template <class Op, class T, class R = T>
void unary_loop(void* out, const void* a, Index n) {
  const T* x = static_cast<const T*>(a);
  R* r = static_cast<R*>(out);
  LOCKSTEP_NO_CARRY
  for (Index i = 0; i < n; ++i) r[i] = Op::apply(x[i]);
}

#if defined(__AVX__)
typedef double LaneDoubles __attribute__((vector_size(kLanes * 4)));
struct FloatsInMemory {  // a template argument would lose the attributes
  typedef float type __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
};
struct DoublesInMemory {
  typedef double type __attribute__((vector_size(kLanes * 4), aligned(8), may_alias));
};
template <class Memory, class Op, class T>
inline Index ordered_registers(T* r, const T* x, const T* y, Index n) {
  constexpr Index kCount = static_cast<Index>(kLanes * 4 / sizeof(T));
  using Lanes = typename Memory::type;
  Index i = 0;
  for (; i + kCount <= n; i += kCount) {
    *reinterpret_cast<Lanes*>(r + i) =
        Op::ordered(*reinterpret_cast<const Lanes*>(x + i), *reinterpret_cast<const Lanes*>(y + i));
  }
  return i;
}
#endif
/// Runs whole registers by an operation whose operands the compiler must not swap; returns the number of elements.
template <class Op, class T>
inline Index ordered_part([[maybe_unused]] T* r, [[maybe_unused]] const T* x, [[maybe_unused]] const T* y,
                          [[maybe_unused]] Index n) {
#if defined(__AVX__)
  if constexpr (requires { Op::kIsOrdered; } && sizeof(T) == 4)
    return ordered_registers<FloatsInMemory, Op>(r, x, y, n);
  if constexpr (requires { Op::kIsOrdered; } && sizeof(T) == 8)
    return ordered_registers<DoublesInMemory, Op>(r, x, y, n);
#endif
  return 0;
}

template <class Op, class T, class R = T>
void binary_loop(void* out, const void* a, const void* b, Index n, int a_step, int b_step) {
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(b);
  R* r = static_cast<R*>(out);
  if (a_step != 0 && b_step != 0) {
    Index begin = 0;
    if constexpr (requires { Op::of_nan(*x, *y); }) {
      begin = ordered_part<Op>(r, x, y, n);
      if (begin != 0 || n < 16) {
        for (; begin < n; ++begin) {
          const T left = x[begin], right = y[begin];
          const R value = Op::apply(left, right);
          r[begin] = value == value ? value : Op::of_nan(left, right);
        }
        return;
      }
    }
    LOCKSTEP_NO_CARRY
    for (Index i = begin; i < n; ++i) r[i] = Op::apply(x[i], y[i]);
  } else if (a_step != 0) {
    const T uniform = *y;
    if constexpr (requires { Op::of_nan(uniform, uniform); }) {  // which operand comes first matters here
      if (uniform != uniform) {
        for (Index i = 0; i < n; ++i) r[i] = Op::of_nan(x[i], uniform);
        return;
      }
    }
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) r[i] = Op::apply(x[i], uniform);
  } else if (b_step != 0) {
    const T uniform = *x;
    if constexpr (requires { Op::of_nan(uniform, uniform); }) {
      if (uniform != uniform) {
        const R nan = Op::of_nan(uniform, uniform);
        for (Index i = 0; i < n; ++i) r[i] = nan;
        return;
      }
    }
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) r[i] = Op::apply(uniform, y[i]);
  } else {
    const T left = *x, right = *y;
    R value = Op::apply(left, right);
    if constexpr (requires { Op::of_nan(left, right); }) {
      if (value != value) value = Op::of_nan(left, right);
    }
    for (Index i = 0; i < n; ++i) r[i] = value;
  }
}

/// Runs `body(strip_out, strip_operands..., count)` over strips of small floats held in f32. `operands` are read
/// through `widen`, the result written by `narrow`; a step of 0 widens the single value over the whole strip once.
template <unsigned operands>
struct SmallFloatStrips {
  ConvertFn widen;
  const char* in[operands];
  Index step_bytes[operands];
  alignas(64) float strip[operands][kStrip];

  void load_uniforms(const int* steps, Index element_bytes, Index n) {
    const Index count = n < kStrip ? n : kStrip;
    for (unsigned j = 0; j < operands; ++j) {
      step_bytes[j] = steps[j] != 0 ? element_bytes : 0;
      if (steps[j] != 0) continue;
      widen(strip[j], in[j], 1);
      for (Index i = 1; i < count; ++i) strip[j][i] = strip[j][0];
    }
  }
  void load(Index begin, Index count) {
    for (unsigned j = 0; j < operands; ++j)
      if (step_bytes[j] != 0) widen(strip[j], in[j] + begin * step_bytes[j], count);
  }
};

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
