// Operators, indexing and dtype attributes on compile-time values.
#include "frontend/host/host_operators.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "frontend/host/host_values.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

constexpr std::size_t kMaxListed = 4096;

ValueResult join(const std::vector<Value>& left, const std::vector<Value>& right) {
  if (left.size() + right.size() > kMaxListed) return failure("MemoryError: tuple of too many elements");
  std::vector<Value> all = left;
  all.insert(all.end(), right.begin(), right.end());
  return Value::tuple(std::move(all));
}

ValueResult repeat(const std::vector<Value>& unit, const Constant& count) {
  if (!count.is_integral()) return failure("TypeError: can't multiply a tuple by a value that is not an integer");
  const Integer times = std::max(count.as_integer(), Integer{0});
  if (static_cast<Integer>(unit.size()) * times > static_cast<Integer>(kMaxListed))
    return failure("MemoryError: tuple of too many elements");
  std::vector<Value> all;
  for (Integer i = 0; i < times; ++i) all.insert(all.end(), unit.begin(), unit.end());
  return Value::tuple(std::move(all));
}

/// Equality of compile-time values; nullopt if it involves tensors.
std::optional<bool> equal(const Value& left, const Value& right) {
  if (left.tensor() != nullptr || right.tensor() != nullptr) return std::nullopt;
  const bool is_unknown = left.record() != nullptr || right.record() != nullptr || left.opaque() != nullptr ||
                          right.opaque() != nullptr || left.dict() != nullptr || right.dict() != nullptr;
  if (is_unknown) return is_identical(left, right) && left.opaque() == nullptr ? std::optional(true) : std::nullopt;
  if (left.constant() != nullptr && right.constant() != nullptr) return *left.constant() == *right.constant();
  if (left.elements() == nullptr || right.elements() == nullptr) return is_identical(left, right);
  if (left.elements()->size() != right.elements()->size()) return false;
  for (std::size_t i = 0; i < left.elements()->size(); ++i) {
    const std::optional<bool> same = equal((*left.elements())[i], (*right.elements())[i]);
    if (!same || !*same) return same;
  }
  return true;
}

ValueResult contains(const Value& item, const Value& container) {
  if (container.is_string() && item.is_string()) {
    return Value(Constant::boolean(container.constant()->text().find(item.constant()->text()) != std::string::npos));
  }
  if (const std::vector<DictEntry>* entries = container.dict()) {
    for (const DictEntry& entry : *entries) {
      if (equal(item, entry.key).value_or(false)) return Value(Constant::boolean(true));
    }
    return Value(Constant::boolean(false));
  }
  if (container.elements() == nullptr)
    return failure(fmt::format("TypeError: {} is not a sequence", describe(container)));
  for (const Value& element : *container.elements()) {
    const std::optional<bool> same = equal(item, element);
    if (!same) return failure("TypeError: 'in' on tensors");
    if (*same) return Value(Constant::boolean(true));
  }
  return Value(Constant::boolean(false));
}

/// A slice bound, adjusted by Python's rules for a sequence of `size`.
std::optional<Integer> bound(const Value& value, Integer fallback, Integer size, Integer lowest, Integer highest) {
  if (value.is_none() || value.is_invalid()) return fallback;
  if (value.constant() == nullptr || !value.constant()->is_integral()) return std::nullopt;
  Integer index = value.constant()->as_integer();
  if (index < 0) index += size;
  return std::clamp(index, lowest, highest);
}

ValueResult take_slice(const std::vector<Value>& sequence, const std::vector<Value>& bounds) {
  const Integer size = static_cast<Integer>(sequence.size());
  Integer step = 1;
  if (!bounds[2].is_none() && !bounds[2].is_invalid()) {
    if (bounds[2].constant() == nullptr || !bounds[2].constant()->is_integral())
      return failure("TypeError: slice indices must be integers");
    step = bounds[2].constant()->as_integer();
    if (step == 0) return failure("ValueError: slice step cannot be zero");
  }
  const bool forward = step > 0;
  const std::optional<Integer> start =
      bound(bounds[0], forward ? 0 : size - 1, size, forward ? 0 : -1, forward ? size : size - 1);
  const std::optional<Integer> stop =
      bound(bounds[1], forward ? size : -1, size, forward ? 0 : -1, forward ? size : size - 1);
  if (!start || !stop) return failure("TypeError: slice indices must be compile-time integers");
  std::vector<Value> taken;
  for (Integer i = *start; forward ? i < *stop : i > *stop; i += step)
    taken.push_back(sequence[static_cast<std::size_t>(i)]);
  return Value::tuple(std::move(taken));
}

using Predicate = bool (*)(const DType&);
struct PredicateRow {
  std::string_view name;
  Predicate holds;
};
template <Scalar S>
bool is_scalar(const DType& type) {
  return type.scalar() == S;
}
constexpr std::array<PredicateRow, 26> kPredicates{{
    {"is_fp8", [](const DType& t) { return t.is_fp8(); }},
    {"is_fp8e4nv", is_scalar<Scalar::fp8e4nv>},
    {"is_fp8e4b8", is_scalar<Scalar::fp8e4b8>},
    {"is_fp8e4b15", is_scalar<Scalar::fp8e4b15>},
    {"is_fp8e5", is_scalar<Scalar::fp8e5>},
    {"is_fp8e5b16", is_scalar<Scalar::fp8e5b16>},
    {"is_fp16", is_scalar<Scalar::fp16>},
    {"is_bf16", is_scalar<Scalar::bf16>},
    {"is_fp32", is_scalar<Scalar::fp32>},
    {"is_fp64", is_scalar<Scalar::fp64>},
    {"is_int1", is_scalar<Scalar::int1>},
    {"is_int8", is_scalar<Scalar::int8>},
    {"is_int16", is_scalar<Scalar::int16>},
    {"is_int32", is_scalar<Scalar::int32>},
    {"is_int64", is_scalar<Scalar::int64>},
    {"is_uint8", is_scalar<Scalar::uint8>},
    {"is_uint16", is_scalar<Scalar::uint16>},
    {"is_uint32", is_scalar<Scalar::uint32>},
    {"is_uint64", is_scalar<Scalar::uint64>},
    {"is_floating", [](const DType& t) { return t.is_floating(); }},
    {"is_standard_floating", [](const DType& t) { return t.is_standard_floating(); }},
    {"is_int_signed", [](const DType& t) { return t.is_signed(); }},
    {"is_int_unsigned", [](const DType& t) { return t.is_unsigned(); }},
    {"is_int", [](const DType& t) { return t.is_int(); }},
    {"is_bool", [](const DType& t) { return t.is_bool(); }},
    {"is_const", [](const DType& t) { return t.is_const(); }},
}};

bool is_method(std::string_view name) {
  const auto named = [&](const PredicateRow& row) { return row.name == name; };
  return std::any_of(kPredicates.begin(), kPredicates.end(), named) || name == "is_block" || name == "is_ptr" ||
         name == "kind" || name == "get_int_max_value" || name == "get_int_min_value" || name == "get_block_shapes" ||
         name == "with_element_ty";
}

Value integer_limit(const DType& type, bool highest) {
  const int bits = type.bit_width();
  if (type.is_signed()) return integer_value(highest ? (Integer{1} << (bits - 1)) - 1 : -(Integer{1} << (bits - 1)));
  return integer_value(highest ? (Integer{1} << bits) - 1 : 0);
}

}  // namespace

ValueResult apply_host(ast::BinaryOperator op, const Value& left, const Value& right) {
  if (left.constant() != nullptr && right.constant() != nullptr) {
    const ConstantResult result = apply(op, *left.constant(), *right.constant());
    return result ? ValueResult(Value(*result)) : failure(result.error());
  }
  if (op == ast::BinaryOperator::Add && left.elements() != nullptr && right.elements() != nullptr)
    return join(*left.elements(), *right.elements());
  if (op == ast::BinaryOperator::Mult && left.elements() != nullptr && right.constant() != nullptr)
    return repeat(*left.elements(), *right.constant());
  if (op == ast::BinaryOperator::Mult && right.elements() != nullptr && left.constant() != nullptr)
    return repeat(*right.elements(), *left.constant());
  return failure(fmt::format("TypeError: unsupported operands for {}: {} and {}", ast::operator_symbol(op),
                             describe(left), describe(right)));
}

ValueResult apply_host(ast::UnaryOperator op, const Value& operand) {
  if (op == ast::UnaryOperator::Not) {
    if (const std::optional<bool> value = truth(operand)) return Value(Constant::boolean(!*value));
  }
  if (operand.constant() == nullptr)
    return failure(fmt::format("TypeError: bad operand for unary {}: {}", ast::operator_symbol(op), describe(operand)));
  const ConstantResult result = apply(op, *operand.constant());
  return result ? ValueResult(Value(*result)) : failure(result.error());
}

ValueResult compare_host(ast::CompareOperator op, const Value& left, const Value& right) {
  switch (op) {
    case ast::CompareOperator::Is: return Value(Constant::boolean(is_identical(left, right)));
    case ast::CompareOperator::IsNot: return Value(Constant::boolean(!is_identical(left, right)));
    case ast::CompareOperator::In: return contains(left, right);
    case ast::CompareOperator::NotIn: {
      ValueResult found = contains(left, right);
      return found ? apply_host(ast::UnaryOperator::Not, *found) : found;
    }
    case ast::CompareOperator::Eq:
    case ast::CompareOperator::NotEq: {
      const std::optional<bool> same = equal(left, right);
      if (!same) return failure("TypeError: a comparison that is only known when Python runs");
      return Value(Constant::boolean(*same == (op == ast::CompareOperator::Eq)));
    }
    default: break;
  }
  if (left.constant() == nullptr || right.constant() == nullptr) {
    return failure(fmt::format("TypeError: '{}' not supported between {} and {}", ast::operator_symbol(op),
                               describe(left), describe(right)));
  }
  const ConstantResult result = compare(op, *left.constant(), *right.constant());
  return result ? ValueResult(Value(*result)) : failure(result.error());
}

ValueResult subscript_host(const Value& sequence, const Value& index) {
  if (sequence.is_string() && index.slice() == nullptr) {
    std::vector<Value> letters;
    for (const char letter : sequence.constant()->text())
      letters.emplace_back(Constant::string(std::string(1, letter)));
    return subscript_host(Value::tuple(std::move(letters)), index);
  }
  const std::vector<Value>* elements = sequence.elements();
  if (elements == nullptr) return failure(fmt::format("TypeError: {} cannot be indexed", describe(sequence)));
  if (index.slice() != nullptr) return take_slice(*elements, *index.slice()->bounds);
  if (index.constant() == nullptr || !index.constant()->is_integral())
    return failure("TypeError: tuple indices must be compile-time integers");
  const Integer size = static_cast<Integer>(elements->size());
  const Integer position = index.constant()->as_integer() + (index.constant()->as_integer() < 0 ? size : 0);
  if (position < 0 || position >= size) return failure("IndexError: tuple index out of range");
  return (*elements)[static_cast<std::size_t>(position)];
}

std::optional<Value> dtype_attribute(const Value& dtype, const std::string& name) {
  const ValueType& type = dtype.constant()->type();
  const DType& element = type.element;
  if (is_method(name)) return Value(BoundMethod{std::make_shared<const Value>(dtype), nullptr, nullptr, name});
  if (name == "scalar") return Value(Constant::dtype(ValueType{element, {}}));
  if (name == "element_ty") {
    if (type.is_block()) return Value(Constant::dtype(ValueType{element, {}}));
    if (element.is_ptr()) return Value(Constant::dtype(element.pointee()));
    return std::nullopt;
  }
  if (type.is_block() && name == "shape") return tuple_of_integers(type.shape);
  if (type.layout != nullptr && name == "layout") return Value(Constant::layout(type.layout));
  if (type.is_block() && name == "numel") return integer_value(type.numel());
  if (type.is_block() && name == "nbytes") return integer_value(type.numel() * (element.bit_width() / 8));
  if (name == "name") return Value(Constant::string(element.name()));
  if (element.is_ptr()) {
    if (name == "address_space") return integer_value(element.address_space());
    if (name == "const") return Value(Constant::boolean(element.is_const()));
    return std::nullopt;
  }
  if (type.is_block()) return std::nullopt;
  if (name == "primitive_bitwidth") return integer_value(element.bit_width());
  if (name == "itemsize") return integer_value(element.bit_width() / 8);
  if (name == "int_bitwidth" && element.is_int()) return integer_value(element.bit_width());
  if (name == "fp_mantissa_width" && element.is_floating()) return integer_value(element.mantissa_width());
  if (name == "exponent_bias" && element.is_floating()) return integer_value(element.exponent_bias());
  return std::nullopt;
}

ValueResult call_dtype_method(const ValueType& type, const std::string& name, const std::vector<Value>& arguments) {
  if (name == "with_element_ty") {
    if (arguments.size() != 1 || !arguments[0].is_dtype()) return failure("TypeError: with_element_ty() needs a dtype");
    return Value(Constant::dtype(type.with_element(arguments[0].constant()->type().element)));
  }
  if (!arguments.empty()) return failure(fmt::format("TypeError: {}() takes no arguments", name));
  if (name == "is_block") return Value(Constant::boolean(type.is_block()));
  if (name == "is_ptr") return Value(Constant::boolean(!type.is_block() && type.element.is_ptr()));
  if (name == "get_block_shapes") return tuple_of_integers(type.shape);
  if (name == "kind") return integer_value(type.element.is_bool() ? 0 : type.element.is_int() ? 1 : 2);
  if (name.starts_with("get_int_m")) {
    if (!type.element.is_int()) return failure("AssertionError: not an integer type");
    return integer_limit(type.element, name == "get_int_max_value");
  }
  for (const PredicateRow& row : kPredicates) {
    // For a block type, every predicate about scalars is false, as for its Python object.
    if (row.name == name) return Value(Constant::boolean(!type.is_block() && row.holds(type.element)));
  }
  return failure(fmt::format("AttributeError: dtype has no method '{}'", name));
}

bool is_integer_method(std::string_view name) { return name == "bit_length" || name == "bit_count"; }

ValueResult call_integer_method(Integer value, const std::string& name, const std::vector<Value>& arguments) {
  if (!arguments.empty()) return failure(fmt::format("TypeError: int.{}() takes no arguments", name));
  __extension__ using Magnitude = unsigned __int128;
  const auto magnitude = value < 0 ? -static_cast<Magnitude>(value) : static_cast<Magnitude>(value);
  const auto low = static_cast<std::uint64_t>(magnitude), high = static_cast<std::uint64_t>(magnitude >> 64);
  if (name == "bit_count") return integer_value(std::popcount(low) + std::popcount(high));
  return integer_value(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
}

}  // namespace lockstep::frontend
