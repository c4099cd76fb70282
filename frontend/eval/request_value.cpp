#include "frontend/eval/request_value.h"

#include <charconv>

namespace lockstep::frontend {

namespace {

std::optional<ConstantValue> tuple_to_request(const std::vector<Value>& elements) {
  ConstantValue tuple;
  tuple.kind = ConstantValue::Kind::tuple;
  for (const Value& element : elements) {
    std::optional<ConstantValue> constant = to_request(element);
    if (!constant) return std::nullopt;
    tuple.elements.push_back(std::move(*constant));
  }
  return tuple;
}

}  // namespace

Value from_request(const ConstantValue& value) {
  if (value.kind != ConstantValue::Kind::tuple) return Constant::from_request(value);
  std::vector<Value> elements;
  for (const ConstantValue& element : value.elements) elements.push_back(from_request(element));
  return Value::tuple(std::move(elements));
}

std::optional<ConstantValue> to_request(const Value& value) {
  if (value.elements() != nullptr) return tuple_to_request(*value.elements());
  const Constant* constant = value.constant();
  if (constant == nullptr) return std::nullopt;
  if (constant->is_none()) return ConstantValue::of_none();
  if (constant->is_bool()) return ConstantValue::of_bool(constant->truth());
  if (constant->is_float()) return ConstantValue::of_float(constant->as_double());
  if (constant->is_string()) return ConstantValue{ConstantValue::Kind::string, 0, 0, constant->text(), {}};
  if (constant->is_dtype()) {
    const DType& type = constant->type().element;
    return ConstantValue{ConstantValue::Kind::dtype, 0, 0, type.is_int() ? type.mangle() : type.name(), {}};
  }
  if (constant->is_integer() && constant->as_integer() <= INT64_MAX && constant->as_integer() >= INT64_MIN) {
    return ConstantValue::of_integer(static_cast<std::int64_t>(constant->as_integer()));
  }
  return std::nullopt;
}

int capability_of(std::string_view target) {
  if (target.starts_with("sm_")) target.remove_prefix(3);
  int value = 0;
  const std::from_chars_result end = std::from_chars(target.data(), target.data() + target.size(), value);
  const std::string_view rest(end.ptr, static_cast<std::size_t>(target.data() + target.size() - end.ptr));
  return end.ec == std::errc() && (rest.empty() || rest == "a") && value >= 50 && value < 200 ? value : 0;
}

}  // namespace lockstep::frontend
