// Integer operations on one element, shared by the elementwise loops, the reductions and the scans. For isa_*.cpp only.
// Overflow wraps: everything is computed without sign. Source of the shift rule: measured on sm_90.
#pragma once

#include <cstdint>

#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

template <class T>
struct UnsignedOf;
template <>
struct UnsignedOf<std::int8_t> {
  using type = std::uint8_t;
  using wide = std::uint32_t;
};
template <>
struct UnsignedOf<std::int16_t> {
  using type = std::uint16_t;
  using wide = std::uint32_t;
};
template <>
struct UnsignedOf<std::int32_t> {
  using type = std::uint32_t;
  using wide = std::uint64_t;
};
__extension__ typedef unsigned __int128 Wide128;
template <>
struct UnsignedOf<std::int64_t> {
  using type = std::uint64_t;
  using wide = Wide128;
};
template <>
struct UnsignedOf<LaneIntegers> {
  using type = LaneBits;
};
template <class T>
using Unsigned = typename UnsignedOf<T>::type;
template <class T>
using Wide = typename UnsignedOf<T>::wide;

/// The low bits of a result that may have been promoted. T may be a register of lanes, for which value casts do not
/// exist.
template <class T, class R>
inline T wrapped(R value) {
  if constexpr (sizeof(R) == sizeof(T))
    return bits_as<T>(value);
  else
    return static_cast<T>(value);
}
template <class T>
inline Unsigned<T> as_unsigned(T value) {
  return bits_as<Unsigned<T>>(value);
}

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return wrapped<T>(as_unsigned(a) + as_unsigned(b));
  }
};
struct Sub {
  template <class T>
  static T apply(T a, T b) {
    return wrapped<T>(as_unsigned(a) - as_unsigned(b));
  }
};
struct Mul {
  // 1u keeps the product of 16-bit operands out of signed int.
  template <class T>
  static T apply(T a, T b) {
    return wrapped<T>(1u * as_unsigned(a) * as_unsigned(b));
  }
};
struct And {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
template <class T>
constexpr Unsigned<T> kWidth = static_cast<Unsigned<T>>(8 * sizeof(T));
template <class T>
inline Unsigned<T> shift_amount(T b) {
  return static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(b) & (kWidth<T> - 1));
}
/// Only the low 32 bits of a 64-bit amount count (PTX shifts take a .u32).
template <class T>
inline bool is_in_width(T b) {
  constexpr auto kCounted = sizeof(T) == 8 ? static_cast<Unsigned<T>>(0xffffffffu) : static_cast<Unsigned<T>>(-1);
  return (static_cast<Unsigned<T>>(b) & kCounted) < kWidth<T>;
}
struct ShiftLeft {
  template <class T>
  static T apply(T a, T b) {
    const T shifted = static_cast<T>(static_cast<Unsigned<T>>(a) << shift_amount(b));
    return is_in_width(b) ? shifted : T{0};
  }
};
struct ShiftRightUnsigned {
  template <class T>
  static T apply(T a, T b) {
    const T shifted = static_cast<T>(static_cast<Unsigned<T>>(a) >> shift_amount(b));
    return is_in_width(b) ? shifted : T{0};
  }
};
struct ShiftRightSigned {
  template <class T>
  static T apply(T a, T b) {
    const Unsigned<T> amount = is_in_width(b) ? shift_amount(b) : static_cast<Unsigned<T>>(kWidth<T> - 1);
    return static_cast<T>(a >> amount);
  }
};
struct MinSigned {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct MaxSigned {
  template <class T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct MinUnsigned {
  template <class T>
  static T apply(T a, T b) {
    return as_unsigned(a) < as_unsigned(b) ? a : b;
  }
};
struct MaxUnsigned {
  template <class T>
  static T apply(T a, T b) {
    return as_unsigned(a) > as_unsigned(b) ? a : b;
  }
};
struct MulHighUnsigned {
  template <class T>
  static T apply(T a, T b) {
    const Wide<T> product = static_cast<Wide<T>>(static_cast<Unsigned<T>>(a)) * static_cast<Unsigned<T>>(b);
    return static_cast<T>(product >> (8 * sizeof(T)));
  }
};

// One-bit integers are bytes 0 or 1; as signed numbers they are 0 and -1.
struct BitAnd {
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) { return a & b; }
};
struct BitOr {
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) { return a | b; }
};
struct BitXor {
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) { return a ^ b; }
};

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
