// Interval arithmetic that is right for any rounding: the one place that uses Boost.Interval. Its source file is
// compiled with -frounding-math (cmake/LockstepRooms.cmake); without that flag the bounds are wrong, which a unit test
// would show. The array functions set the processor's rounding mode once and put it back. Private to the room. Source:
// Boost.Interval 1.74 documentation.
#pragma once

#include <cstdint>

#include "enclosure/bounds.h"

namespace lockstep::enclosure {

/// True if |actual - expected| > atol + rtol * |expected| for the exact real numbers; false if not, or if the
/// difference is too small to decide. All finite, rtol and atol >= 0.
bool certainly_outside(double actual, double expected, double rtol, double atol);
/// The same for a difference and a magnitude that are integers.
bool certainly_outside_integers(std::uint64_t difference, std::uint64_t magnitude, double rtol, double atol);

/// Width of the interval that encloses numerator / denominator: 0 only if the quotient is exact.
double quotient_width(double numerator, double denominator);

/// result[i] holds every exact real result for numbers of the operands' elements (bounds.h), and includes NaN where one
/// is possible: infinity - infinity, 0 * infinity, 0 / 0, infinity / infinity, the root of a negative number. A divisor
/// that holds zero gives both infinities. All have one count; the result may be one of the operands.
void add(const Bounds& a, const Bounds& b, Bounds& result);
void subtract(const Bounds& a, const Bounds& b, Bounds& result);
void multiply(const Bounds& a, const Bounds& b, Bounds& result);
void divide(const Bounds& a, const Bounds& b, Bounds& result);
void multiply_add(const Bounds& a, const Bounds& b, const Bounds& c, Bounds& result);
void square_root(const Bounds& a, Bounds& result);

}  // namespace lockstep::enclosure
