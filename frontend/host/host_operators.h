// Python's operators on compile-time values, and the attributes and methods of dtypes and integers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

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
