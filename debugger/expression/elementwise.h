// Operators and functions on tensors, element by element with NumPy's broadcasting, Python's division and exact
// integers: what does not fit into int64 is an error. Comparisons of integers with floats are exact. Linear time;
// results have at most kMaxElements elements. Errors are sentences without a place; the evaluator adds it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/expression/syntax.h"
#include "debugger/expression/value.h"

namespace lockstep::debugger {

using Computed = Expected<Tensor, std::string>;

/// Errors: shapes that do not broadcast, too many elements.
Expected<std::vector<std::int64_t>, std::string> broadcast_shape(const std::vector<std::int64_t>& a,
                                                                 const std::vector<std::int64_t>& b);
/// add .. shift_right.
Computed apply_binary(Operator op, const Tensor& a, const Tensor& b);
/// equal .. greater_equal: bools.
Computed apply_comparison(Operator op, const Tensor& a, const Tensor& b);
/// negate, plus, invert, logical_not (of each element).
Computed apply_unary(Operator op, const Tensor& a);
/// a where `condition` holds, else b.
Computed select(const Tensor& condition, const Tensor& a, const Tensor& b);
/// The lesser or greater of two; NaN wins.
Computed pick(bool greater, const Tensor& a, const Tensor& b);
/// "sqrt", "exp", "abs", "isnan", "floor", "int", ... Precondition: is_elementwise_function(name).
Computed apply_function(std::string_view name, const Tensor& a);
bool is_elementwise_function(std::string_view name);
std::vector<std::string_view> elementwise_functions();
/// Distance in numbers of the coarser float format of the two; inf if one of the two is NaN.
Computed ulp_distance(const Tensor& a, const Tensor& b);
/// The bits of each element, as integers for people in base 16.
Tensor bits_of(const Tensor& a);
/// -1, 0, 1; 2: a NaN is among them.
int compare_numbers(const Tensor& a, std::size_t i, const Tensor& b, std::size_t j);

}  // namespace lockstep::debugger
