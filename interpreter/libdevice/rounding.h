// libdevice's operations with a named rounding direction: + - * / fma sqrt reciprocal, and conversions between numbers.
// Invariant: every result is the exact one rounded once in that direction; the caller's rounding mode is restored.
// Conversions to integers saturate. NaN gives 0 from f32 to 32 bits, otherwise the result's top bit alone (PTX ISA,
// cvt). Subnormals are numbers (a GPU under Triton flushes those of f32). Its source file is compiled with
// -frounding-math.
#pragma once

#include <cstdint>

namespace lockstep::interpreter::libdevice {

enum class Round : std::uint8_t { nearest, zero, down, up };

/// T: float or double.
template <Round round, class T>
T add(T a, T b);
template <Round round, class T>
T subtract(T a, T b);
template <Round round, class T>
T multiply(T a, T b);
template <Round round, class T>
T divide(T a, T b);
template <Round round, class T>
T fused(T a, T b, T c);
template <Round round, class T>
T root(T a);
template <Round round, class T>
T reciprocal(T a);

/// From: double, or an integer of 32 or 64 bits, signed or not. To: float or double.
template <Round round, class To, class From>
To to_float(From x);
/// To: an integer of 32 or 64 bits, signed or not. From: float or double.
template <Round round, class To, class From>
To to_integer(From x);
/// Half away from zero, then as to_integer.
template <class From>
std::int64_t round_to_i64(From x);

}  // namespace lockstep::interpreter::libdevice
