// Range: an interval of integers, and interval arithmetic for ops: 128 bits, exact before the result is fitted to a
// type. Invariant: the result holds every number that the op can make from numbers of the operands' ranges. Not here:
// the range of a kernel's value (access_places.h; for checkers sanitizer/memory/value_ranges.h).
#pragma once

#include <optional>
#include <string>

#include "ir/op_traits.h"
#include "support/scalar.h"

namespace lockstep::interpreter::apart {

__extension__ using Wide = __int128;

/// Integers as signed numbers (i1: true is -1), both ends included. low > high: no value (code that never runs).
struct Range {
  Wide low = 0, high = 0;
  bool is_one() const { return low == high; }
  bool is_within(const Range& other) const { return other.low <= low && high <= other.high; }
  bool contains(Wide value) const { return low <= value && value <= high; }
};

/// Every number of an integer kind.
Range full_range(ScalarKind kind);
/// "319" or "-1786249216".
std::string wide_text(Wide value);

Range hull(const Range& a, const Range& b);
/// a + b, a - b, a * b, not wrapped; 128 bits suffice for operands of 64.
Range sum_of(const Range& a, const Range& b);
Range difference_of(const Range& a, const Range& b);
Range product_of(const Range& a, const Range& b);
/// `range` if it fits the kind; every number of the kind otherwise.
Range fit(const Range& range, ScalarKind kind);
/// A counted loop's last number below the upper bound plus one step may not fit the type, whose numbers are `full`.
/// Precondition: the body runs.
bool counter_may_wrap(const Range& lower, const Range& upper, const Range& step, const Range& full);
/// A counted loop's counter, of `kind`, while its body runs; low > high: it never does. Every number where it may wrap.
Range counter_range(const Range& lower, const Range& upper, const Range& step, ScalarKind kind, bool is_unsigned);
/// An element-wise op on integers of `kind`; nullopt: no rule, the result may be anything.
std::optional<Range> binary_range(const ir::Calculation& what, const Range& a, const Range& b, ScalarKind kind);

}  // namespace lockstep::interpreter::apart
