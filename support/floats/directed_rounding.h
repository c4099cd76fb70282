// Arithmetic rounded in a named direction on processors with only one rounding mode (WebAssembly): the nearest result,
// moved by one number if the exact one lies on the other side. Invariant: as in IEEE 754, including signs of zeros,
// overflow and subnormal numbers; it reads and sets no rounding mode. Not here: NaN's bits.
#pragma once

#include <cmath>
#include <limits>

namespace lockstep::directed {

enum class Direction : int { zero, down, up };

/// `nearest`: the exact result rounded to nearest even; `side`: the sign of the exact result minus `nearest`.
template <class T>
T moved(Direction direction, T nearest, int side) {
  if (side == 0 || std::isnan(nearest)) return nearest;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (direction == Direction::zero) {
    const bool is_too_far = std::signbit(nearest) ? side > 0 : side < 0;
    return is_too_far && nearest != 0 ? std::nextafter(nearest, T{0}) : nearest;
  }
  if (direction == Direction::down) return side < 0 ? std::nextafter(nearest, -kInfinity) : nearest;
  return side > 0 ? std::nextafter(nearest, kInfinity) : nearest;
}

template <class T>
int sign_of(T x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/// A sum whose exact value is zero, of terms that are not both zeros of one sign.
template <class T>
T exact_zero(Direction direction, T nearest) {
  return direction == Direction::down ? -std::fabs(nearest) : nearest;
}

/// The sign of x + y - r, where r is their sum rounded to nearest. Exact for any terms: an addition's error is a
/// number.
template <class T>
int side_of_sum(T x, T y, T r) {
  if (std::isinf(r)) return std::isinf(x) || std::isinf(y) ? 0 : -sign_of(r);
  const T part = r - x;
  return sign_of((x - (r - part)) + (y - part));
}

/// `Wide` holds every product of two T: it has twice the bits, and enough exponents.
template <class T, class Wide>
struct Arithmetic {
  static T add(Direction direction, T a, T b) {
    const T r = a + b;
    const bool is_cancelled = r == 0 && !(a == 0 && b == 0 && std::signbit(a) == std::signbit(b));
    return is_cancelled ? exact_zero(direction, r) : moved(direction, r, side_of_sum(a, b, r));
  }
  static T subtract(Direction direction, T a, T b) { return add(direction, a, -b); }

  static T multiply(Direction direction, T a, T b) {
    const T r = a * b;
    if (std::isnan(r) || std::isinf(a) || std::isinf(b)) return r;
    return moved(direction, r, side(Wide(a) * Wide(b), r));
  }
  static T divide(Direction direction, T a, T b) {
    const T r = a / b;
    if (std::isnan(r) || std::isinf(a) || std::isinf(b) || b == 0) return r;
    if (std::isinf(r)) return moved(direction, r, -sign_of(r));
    const int above = sign_of(Wide(a) - Wide(r) * Wide(b));
    return moved(direction, r, b > 0 ? above : -above);
  }
  static T root(Direction direction, T a) {
    const T r = std::sqrt(a);
    if (std::isnan(r) || std::isinf(r)) return r;
    return moved(direction, r, sign_of(Wide(a) - Wide(r) * Wide(r)));
  }
  static T fused(Direction direction, T a, T b, T c) {
    const T r = std::fma(a, b, c);
    if (std::isnan(r) || std::isinf(a) || std::isinf(b) || std::isinf(c)) return r;
    const Wide product = Wide(a) * Wide(b), sum = product + Wide(c);
    if (sum == 0) {
      const bool has_one_sign = product == 0 && (std::signbit(a) != std::signbit(b)) == std::signbit(c);
      return has_one_sign ? r : exact_zero(direction, r);
    }
    // The sum's own error matters only where the sum is r.
    const int coarse = side(sum, r);
    const Wide part = sum - product, lost = (product - (sum - part)) + (Wide(c) - part);
    return moved(direction, r, coarse != 0 ? coarse : sign_of(lost));
  }
  /// Converts a number that Wide holds.
  static T convert(Direction direction, Wide exact, T nearest) {
    return moved(direction, nearest, side(exact, nearest));
  }

 private:
  static int side(Wide exact, T r) {
    if (std::isinf(r)) return -sign_of(r);
    return exact > Wide(r) ? 1 : exact < Wide(r) ? -1 : 0;
  }
};

}  // namespace lockstep::directed
