#include "frontend/builtins/builtin_arguments.h"

#include <fmt/format.h>

#include "frontend/builtins/builtins.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

std::string parameter_name(const BuiltinCall& call, std::size_t i) {
  return parse_signature(call.row.signature)[i].name;
}

/// The function's name in the kernel's text.
std::string function_name(const BuiltinCall& call) {
  constexpr std::string_view kPython = "builtin_";
  return call.row.name.starts_with(kPython) ? std::string(call.row.name.substr(kPython.size()))
                                            : full_name(call.row);
}

void complain(BuiltinCall& call, std::size_t i, std::string_view needed) {
  if (call[i].is_invalid()) return;
  const bool dynamic = call[i].tensor() != nullptr;
  reporter(call).error(
      dynamic ? codes::kNotConstexpr : codes::kArguments,
      fmt::format("{}: '{}' must be {}, not {}", function_name(call), parameter_name(call, i), needed,
                  describe(call[i])),
      dynamic ? "only values known at compile time can be used here: literals, tl.constexpr parameters" : "");
}

}  // namespace

Tensor tensor_argument(BuiltinCall& call, std::size_t i) { return semantics::to_tensor(builder(call), call[i]); }

Tensor pointer_argument(BuiltinCall& call, std::size_t i) {
  if (!call[i].is_wrapped_tensor()) return tensor_argument(call, i);
  reporter(call).error(codes::kPointer,
                       fmt::format("tl.{} needs a pointer, not one that was annotated tl.constexpr", call.row.name),
                       std::string(kLeaveAnnotationOut));
  return {};
}

std::optional<std::int64_t> nan_argument(BuiltinCall& call, std::size_t i, bool is_used) {
  const EnumMember* member = call[i].constant() != nullptr ? call[i].constant()->enum_member() : nullptr;
  if (member != nullptr) return member->number;
  if (!is_used && call[i].constant() != nullptr) return kPropagateNone.number;
  complain(call, i, "tl.PropagateNan.NONE or tl.PropagateNan.ALL");
  return std::nullopt;
}

std::optional<Tensor> optional_tensor(BuiltinCall& call, std::size_t i) {
  if (call[i].is_none()) return std::nullopt;
  return semantics::to_tensor(builder(call), call[i]);
}

std::optional<std::int64_t> integer_argument(BuiltinCall& call, std::size_t i) {
  const Constant* constant = call[i].constant();
  if (constant == nullptr || !constant->is_integral()) {
    complain(call, i, "a compile-time integer");
    return std::nullopt;
  }
  const Integer value = constant->as_integer();
  if (value > INT64_MAX || value < INT64_MIN) {
    complain(call, i, "a 64-bit integer");
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

std::optional<std::optional<std::int64_t>> optional_integer(BuiltinCall& call, std::size_t i) {
  if (call[i].is_none()) return std::optional<std::int64_t>();
  const std::optional<std::int64_t> value = integer_argument(call, i);
  return value ? std::optional(value) : std::nullopt;
}

std::optional<bool> boolean_argument(BuiltinCall& call, std::size_t i) {
  const std::optional<bool> value = truth(call[i]);
  if (!value) complain(call, i, "a compile-time bool");
  return value;
}

std::optional<bool> flag_argument(BuiltinCall& call, std::size_t i, bool takes_text) {
  if (call[i].elements() == nullptr && (takes_text || !call[i].is_string())) return boolean_argument(call, i);
  complain(call, i, "a compile-time bool");
  return std::nullopt;
}

std::optional<std::string> text_argument(BuiltinCall& call, std::size_t i) {
  if (call[i].is_none()) return std::string();
  if (!call[i].is_string()) {
    complain(call, i, "a string");
    return std::nullopt;
  }
  return call[i].constant()->text();
}

std::optional<DType> dtype_argument(BuiltinCall& call, std::size_t i) {
  if (call[i].is_dtype()) return call[i].constant()->type().element;
  complain(call, i, "a dtype such as tl.float32");
  return std::nullopt;
}

bool check_list(BuiltinCall& call, std::size_t i) {
  if (!call[i].is_number()) return true;
  reporter(call).error(
      codes::kArguments,
      fmt::format("{}: '{}' must be a tuple, not {}", function_name(call), parameter_name(call, i), describe(call[i])),
      fmt::format("write ({},)", python_str(call[i])));
  return false;
}

std::optional<Shape> shape_argument(BuiltinCall& call, const Value& value, std::string_view name) {
  if (value.is_invalid()) return std::nullopt;
  const std::vector<Value> single{value};
  const std::vector<Value>& parts = value.elements() != nullptr ? *value.elements() : single;
  Shape shape;
  for (const Value& part : parts) {
    const Constant* constant = part.constant();
    if (constant == nullptr || !constant->is_integer() || constant->as_integer() > INT64_MAX ||
        constant->as_integer() < INT64_MIN) {
      reporter(call).error(
          codes::kNotConstexpr,
          fmt::format("tl.{}: '{}' needs compile-time integers, not {}", call.row.name, name, describe(part)),
          "shapes must be known at compile time: use tl.constexpr parameters");
      return std::nullopt;
    }
    shape.push_back(static_cast<std::int64_t>(constant->as_integer()));
  }
  return shape;
}

std::optional<Shape> shape_of_rest(BuiltinCall& call) {
  const bool is_single = call.rest.size() == 1 && call.rest[0].elements() != nullptr;
  return shape_argument(call, is_single ? call.rest[0] : Value::tuple(call.rest), "shape");
}

std::optional<std::int64_t> wrap_axis(BuiltinCall& call, std::int64_t axis, std::int64_t rank) {
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  reporter(call).error(
      codes::kAxis, fmt::format("tl.{}: invalid axis {}, expected {} <= axis < {}", call.row.name, axis, -rank, rank));
  return std::nullopt;
}

}  // namespace lockstep::frontend
