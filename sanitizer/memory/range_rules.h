// What ops make of ranges of integers: interval arithmetic in 128 bits, exact before a type is asked. Invariant: the
// result holds every number that the op can make of numbers of the operands' ranges. Private to the room.
#pragma once

#include <optional>

#include "ir/op_traits.h"
#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {

Range hull(const Range& a, const Range& b);
/// a + b, a - b, a * b, not wrapped; 128 bits suffice for operands of 64.
Range sum_of(const Range& a, const Range& b);
Range difference_of(const Range& a, const Range& b);
Range product_of(const Range& a, const Range& b);
/// An element-wise op on integers of `kind`; nullopt: there is no rule, the result may be anything.
std::optional<Range> binary_range(const ir::Calculation& what, const Range& a, const Range& b, ScalarKind kind);

}  // namespace lockstep::checkers
