// The numbers that a constant of a kernel may have had before its format rounded it. Private to the room.
#pragma once

#include "enclosure/bounds.h"

namespace lockstep::enclosure {

/// A number with few digits in decimal or binary (0.1, 1e-5, 0.125) is what those digits say; any other one may be
/// whatever rounds to it (log2(e) written with 16 digits). `value`: a point of the kind; others stay.
Interval written_number(ScalarKind kind, const Interval& value);

}  // namespace lockstep::enclosure
