// Bits of intervals of integers: and, or, xor, shifts, and floats as integers. Invariant: the op's result for any
// numbers within the operands is within the result; mixed signs and numbers beyond f64 are unbounded. Private to the
// room.
#pragma once

#include "enclosure/bounds.h"
#include "ir/op_traits.h"

namespace lockstep::enclosure {

/// And, or, xor of two's complement numbers of `width` bits.
Interval bitwise(ir::Arithmetic what, int width, const Interval& a, const Interval& b);
/// Shifts by a certain distance within the width; unbounded otherwise.
Interval shifted(const ir::Calculation& what, int width, const Interval& a, const Interval& distance);
/// f32, f16 or bf16 as the integer of its pattern, and back. A zero may have either sign.
Interval bits_of_float(ScalarKind kind, const Interval& value);
Interval float_of_bits(ScalarKind kind, const Interval& value);

}  // namespace lockstep::enclosure
