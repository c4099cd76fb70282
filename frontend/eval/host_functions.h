// Python builtins and math functions on compile-time values, shared by module-level code, kernels and constexpr
// functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/semantics/value.h"
#include "support/result.h"

namespace lockstep::frontend {

using ValueResult = Expected<Value, std::string>;  // error: Python's exception text, or "unknown" why

/// len, int, float, bool, str, abs, min, max, sum, tuple, list, round, isinstance, math.sqrt ... on compile-time
/// values.
ValueResult call_host_function(const std::string& name, const std::vector<Value>& arguments);
/// Whether call_host_function knows the name.
bool is_host_function(const std::string& name);
/// math.pi, math.inf ...; nullopt if math has no such value.
std::optional<Value> math_attribute(const std::string& name);

/// Operators on compile-time values, tuples included.
ValueResult apply_host(ast::BinaryOperator op, const Value& left, const Value& right);
ValueResult apply_host(ast::UnaryOperator op, const Value& operand);
/// All comparison operators, `in` and `is` included.
ValueResult compare_host(ast::CompareOperator op, const Value& left, const Value& right);
/// sequence[index], with integers and slices.
ValueResult subscript_host(const Value& sequence, const Value& index);
/// Attributes of dtypes: name, itemsize, element_ty ...; nullopt if there is none. Methods come as BoundMethod.
std::optional<Value> dtype_attribute(const Value& dtype, const std::string& name);
ValueResult call_dtype_method(const ValueType& type, const std::string& name, const std::vector<Value>& arguments);

/// Methods of Python integers: bit_length and bit_count, of the magnitude.
bool is_integer_method(std::string_view name);
ValueResult call_integer_method(Integer value, const std::string& name, const std::vector<Value>& arguments);

}  // namespace lockstep::frontend
