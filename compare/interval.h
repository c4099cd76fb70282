// Bounds that hold whatever the rounding: the one place that uses Boost.Interval. Its source file is compiled with
// -frounding-math (cmake/LockstepRooms.cmake); without that flag the bounds are wrong, which a unit test would show.
// Private to the room. Source: Boost.Interval 1.74 documentation.
#pragma once

#include <cstdint>

namespace lockstep::compare {

/// True if |actual - expected| > atol + rtol * |expected| for the exact real numbers; false if not, or if it is too
/// close to tell. All finite, rtol and atol >= 0.
bool certainly_outside(double actual, double expected, double rtol, double atol);
/// The same for a difference and a magnitude that are integers.
bool certainly_outside_integers(std::uint64_t difference, std::uint64_t magnitude, double rtol, double atol);

/// Width of the interval that encloses numerator / denominator: 0 only if the quotient is exact.
double quotient_width(double numerator, double denominator);

}  // namespace lockstep::compare
