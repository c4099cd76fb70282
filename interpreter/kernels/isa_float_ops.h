// Float operations on one element, shared by the elementwise loops, the reductions and the scans. For isa_*.cpp only.
// Minima and maxima follow PTX (min, max, min.NaN, max.NaN): -0 is less than +0; the number or the NaN wins.
#pragma once

#include <cstdint>

#include "interpreter/kernels/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

template <class T>
struct BitsOf;
template <>
struct BitsOf<float> {
  using type = std::uint32_t;
};
template <>
struct BitsOf<double> {
  using type = std::uint64_t;
};
template <>
struct BitsOf<LaneFloats> {
  using type = LaneBits;
};
template <class T>
using Bits = typename BitsOf<T>::type;

struct AddFloat {
  template <class T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct SubFloat {
  template <class T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct MulFloat {
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
};
struct Div {
  template <class T>
  static T apply(T a, T b) {
    return a / b;
  }
};
struct Rem {
  static float apply(float a, float b) { return __builtin_fmodf(a, b); }
  static double apply(double a, double b) { return __builtin_fmod(a, b); }
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
