// Reductions of tensors, of all elements or along one axis, in row-major order and in double (integers exactly). min,
// max, argmin, argmax and mean give NaN if an element is NaN, as in NumPy.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "debugger/expression/elementwise.h"

namespace lockstep::debugger {

/// any all sum min max mean std argmin argmax count (elements that are not zero).
bool is_reduction(std::string_view name);
const std::vector<std::string_view>& reductions();
/// Errors: an axis that the tensor lacks, sums of integers beyond int64, min and the like of no elements.
Computed reduce(std::string_view name, const Tensor& a, std::optional<std::int64_t> axis);

/// Statistics of all floats (or numbers), for a line of text. NaN and infinities are counted apart.
struct Statistics {
  std::int64_t count = 0, nans = 0, infinities = 0, zeros = 0;
  double least = 0, greatest = 0, mean = 0;  // of the finite ones, if there are any
  std::int64_t finite() const { return count - nans - infinities; }
};
Statistics statistics_of(const Tensor& a);

}  // namespace lockstep::debugger
