#include "frontend/request_value.h"

#include <charconv>

namespace lockstep::frontend {

std::optional<ConstantValue> to_request(const Value& value) {
  const Constant* constant = value.constant();
  if (constant == nullptr) return std::nullopt;
  if (constant->is_none()) return ConstantValue::of_none();
  if (constant->is_bool()) return ConstantValue::of_bool(constant->truth());
  if (constant->is_float()) return ConstantValue::of_float(constant->as_double());
  if (constant->is_string()) return ConstantValue{ConstantValue::Kind::string, 0, 0, constant->text()};
  if (constant->is_dtype()) {
    const DType& type = constant->type().element;
    return ConstantValue{ConstantValue::Kind::dtype, 0, 0, type.is_int() ? type.mangle() : type.name()};
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
