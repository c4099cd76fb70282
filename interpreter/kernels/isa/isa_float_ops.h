// Float operations on one element, shared by the elementwise loops, the reductions and the scans. For isa_*.cpp only.
// Minima and maxima follow PTX (min, max, min.NaN, max.NaN): -0 is less than +0; the number or the NaN wins.
#pragma once

#include <cstdint>

#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

struct Bits32 {
  static constexpr std::uint32_t kQuiet = 0x00400000, kMade = 0xFFC00000, kCanonical = 0x7FFFFFFF;
};
template <class T>
struct BitsOf;
template <>
struct BitsOf<float> : Bits32 {
  using type = std::uint32_t;
};
template <>
struct BitsOf<double> {
  using type = std::uint64_t;
  static constexpr type kQuiet = 0x0008000000000000, kMade = 0xFFF8000000000000, kCanonical = 0x7FFFFFFFFFFFFFFF;
};
template <>
struct BitsOf<LaneFloats> : Bits32 {
  using type = LaneBits;
};
template <class T>
using Bits = typename BitsOf<T>::type;

// The bits of a NaN are part of the result (S-36). For + - * / they are x86's: the first NaN operand, made quiet, else
// the negative default. The compiler may swap the operands of + and *, hence ordered() and binary_loop's handling of
// uniform operands and ends. For fused operations and folds, whose order is open, it is the GPU's only NaN.
template <class T>
inline T first_nan(T a, T b) {
  const T left = bits_as<T>(bits_as<Bits<T>>(a) | BitsOf<T>::kQuiet);
  const T right = bits_as<T>(bits_as<Bits<T>>(b) | BitsOf<T>::kQuiet);
  const T made = bits_as<T>(Bits<T>{} | BitsOf<T>::kMade);
  const T rest = b != b ? right : made;
  return a != a ? left : rest;
}
template <class T>
inline T canonical(T r) {
  const T nan = bits_as<T>(Bits<T>{} | BitsOf<T>::kCanonical);
  return r == r ? r : nan;
}
/// r, computed by an instruction from a and b.
template <class T>
inline T settled(T r, [[maybe_unused]] T a, [[maybe_unused]] T b) {
#if defined(__AVX__)
  return r;
#else
  const T nan = first_nan(a, b);
  return r == r ? r : nan;
#endif
}
struct KeepsNan {
  template <class T>
  static T of_nan(T a, T b) {
    return first_nan(a, b);
  }
};
/// The end of a fold by Op: all sums and products that are NaN have the same bits.
template <class Op, class T>
inline T folded(T r) {
  if constexpr (requires { Op::kFoldsToOneNan; }) {
    return canonical(r);
  } else {
    return r;
  }
}

struct AddFloat : KeepsNan {
#if defined(__AVX__)
  static constexpr bool kIsOrdered = true;
  static LaneFloats ordered(LaneFloats a, LaneFloats b) {
    LaneFloats r;
    asm("vaddps %2, %1, %0" : "=v"(r) : "v"(a), "vm"(b));
    return r;
  }
  static LaneDoubles ordered(LaneDoubles a, LaneDoubles b) {
    LaneDoubles r;
    asm("vaddpd %2, %1, %0" : "=v"(r) : "v"(a), "vm"(b));
    return r;
  }
#endif
  static constexpr bool kFoldsToOneNan = true;
  template <class T>
  static T apply(T a, T b) {
    return settled(a + b, a, b);
  }
};
struct SubFloat : KeepsNan {
  template <class T>
  static T apply(T a, T b) {
    return settled(a - b, a, b);
  }
};
struct MulFloat : KeepsNan {
#if defined(__AVX__)
  static constexpr bool kIsOrdered = true;
  static LaneFloats ordered(LaneFloats a, LaneFloats b) {
    LaneFloats r;
    asm("vmulps %2, %1, %0" : "=v"(r) : "v"(a), "vm"(b));
    return r;
  }
  static LaneDoubles ordered(LaneDoubles a, LaneDoubles b) {
    LaneDoubles r;
    asm("vmulpd %2, %1, %0" : "=v"(r) : "v"(a), "vm"(b));
    return r;
  }
#endif
  static constexpr bool kFoldsToOneNan = true;
  template <class T>
  static T apply(T a, T b) {
    return settled(a * b, a, b);
  }
};
struct Div : KeepsNan {
  template <class T>
  static T apply(T a, T b) {
    return settled(a / b, a, b);
  }
};
struct Rem {
  static float apply(float a, float b) { return settled(__builtin_fmodf(a, b), a, b); }
  static double apply(double a, double b) { return settled(__builtin_fmod(a, b), a, b); }
};
// Of two equal numbers only zeros differ in bits: "or" gives -0, "and" gives +0.
template <class T>
inline T lower(T a, T b) {
  const T smaller = a < b ? a : b;
  return a == b ? bits_as<T>(bits_as<Bits<T>>(a) | bits_as<Bits<T>>(b)) : smaller;
}
template <class T>
inline T upper(T a, T b) {
  const T larger = a > b ? a : b;
  return a == b ? bits_as<T>(bits_as<Bits<T>>(a) & bits_as<Bits<T>>(b)) : larger;
}
struct MinNumber {
  template <class T>
  static T apply(T a, T b) {
    const T r = lower(a, b);
    return b != b ? a : r;
  }
};
struct MaxNumber {
  template <class T>
  static T apply(T a, T b) {
    const T r = upper(a, b);
    return b != b ? a : r;
  }
};
struct Minimum {
  template <class T>
  static T apply(T a, T b) {
    const T r = lower(a, b);
    return a != a ? a : r;
  }
};
struct Maximum {
  template <class T>
  static T apply(T a, T b) {
    const T r = upper(a, b);
    return a != a ? a : r;
  }
};

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
