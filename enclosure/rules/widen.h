// Widening: the error of an approximate operation, added to the exact range of its results. Invariant: the widened
// interval holds every number that differs from a number of the interval by no more than the error. Private to the
// room.
#pragma once

#include "enclosure/bounds.h"

namespace lockstep::enclosure {

struct ErrorOf {
  double ulp = 0;        // of the result type (of f32 for 16-bit types, which a GPU computes in f32)
  double per_unit = 0;   // more ulp for each unit of the argument's magnitude (S-80: exp)
  bool flushes = false;  // f32: subnormal results may be zero
};

/// In place, before rounding. Infinite ends stay, but an error next to the largest number may reach infinity.
/// `argument`: with per_unit, as many elements; magnitudes beyond 150 count as 150 (exp is 0 or infinite).
void widen(ScalarKind kind, const ErrorOf& error, Bounds& bounds, const Bounds* argument = nullptr);

/// f32 numbers that an .ftz instruction may treat as zero: the interval, with zero if it holds a subnormal.
Interval with_flushed(const Interval& value);

}  // namespace lockstep::enclosure
