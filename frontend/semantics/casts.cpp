// Conversions between number and pointer types (language reference B.5).
#include <fmt/format.h>

#include "frontend/semantics/semantics.h"

namespace lockstep::frontend::semantics {

namespace {

constexpr std::int64_t kTowardZero = 0;

constexpr std::int64_t kToNearestEven = 1;

Tensor not_zero(OpBuilder& in, const Tensor& value) {
  const Tensor zero = null_constant(in, value.element());
  return zero ? compare(in, ast::CompareOperator::NotEq, value, zero) : Tensor{};
}

Tensor cast_float(OpBuilder& in, const Tensor& value, const ValueType& type, std::optional<std::int64_t> rounding,
                  bool custom) {
  const DType& from = value.element();
  const DType& to = type.element;
  if (from.is_fp8() || to.is_fp8() || custom) {
    std::vector<ir::NamedAttribute> attributes;
    if (rounding) attributes.push_back(in.integer("rounding", *rounding));
    return in.make("tt.fp_to_fp", {value.handle}, type, std::move(attributes));
  }
  const bool from_half = from.scalar() == Scalar::fp16 || from.scalar() == Scalar::bf16;
  if (from_half && to.scalar() != Scalar::fp32) return cast(in, cast(in, value, DType(Scalar::fp32)), to);
  return in.make(from.bit_width() > to.bit_width() ? "arith.truncf" : "arith.extf", {value.handle}, type);
}

Tensor cast_number(OpBuilder& in, const Tensor& value, const ValueType& type) {
  const DType& from = value.element();
  const DType& to = type.element;
  const bool from_half = from.scalar() == Scalar::fp16 || from.scalar() == Scalar::bf16;
  if (from_half) return cast(in, cast(in, value, DType(Scalar::fp32)), to);
  if (from.is_int() && to.is_int()) {
    if (to.is_bool()) return not_zero(in, value);
    const int difference = to.bit_width() - from.bit_width();
    const std::string_view op = difference == 0    ? "arith.bitcast"
                                : difference < 0   ? "arith.trunci"
                                : from.is_signed() ? "arith.extsi"
                                                   : "arith.extui";
    return in.make(op, {value.handle}, type);
  }
  if (from.is_standard_floating() && to.is_int()) {
    if (to.is_bool()) return not_zero(in, value);
    return in.make(to.is_signed() ? "arith.fptosi" : "arith.fptoui", {value.handle}, type);
  }
  if (from.is_int() && to.is_standard_floating())
    return in.make(from.is_signed() ? "arith.sitofp" : "arith.uitofp", {value.handle}, type);
  if (from.is_ptr() && to.is_int() && to.bit_width() == 64) return in.make("tt.ptr_to_int", {value.handle}, type);
  if (from.is_ptr() && to.is_bool()) {
    const Tensor address = cast(in, value, DType(Scalar::int64));
    return compare(in, ast::CompareOperator::NotEq, address, null_constant(in, DType(Scalar::int64)));
  }
  if (from.is_int() && to.is_ptr()) return in.make("tt.int_to_ptr", {value.handle}, type);
  if (from.is_ptr() && to.is_ptr()) return in.make("tt.bitcast", {value.handle}, type);
  in.reporter().error(codes::kCast, fmt::format("cannot cast {} to {}", from.name(), to.name()));
  return {};
}

}  // namespace

Tensor bitcast(OpBuilder& in, const Tensor& value, const DType& type) {
  if (!value) return {};
  const ValueType target = value.type.with_element(type);
  if (value.type == target) return value;
  if (value.element().is_ptr() || type.is_ptr()) return cast(in, value, type);
  const int from = value.element().bit_width();
  const int to = type.bit_width();
  if (from != to) {
    in.reporter().error(
        codes::kCast,
        fmt::format("cannot bitcast {} ({} bits) to {} ({} bits)", value.element().name(), from, type.name(), to),
        "a bitcast keeps the number of bits; use a cast to convert the value");
    return {};
  }
  return in.make("tt.bitcast", {value.handle}, target);
}

Tensor cast(OpBuilder& in, const Tensor& value, const DType& type, std::string_view rounding) {
  if (!value) return {};
  const DType& from = value.element();
  if (from == type) return value;
  const ValueType target = value.type.with_element(type);
  std::optional<std::int64_t> mode;
  if (!rounding.empty()) {
    if (rounding != "rtne" && rounding != "rtz") {
      in.reporter().error(codes::kCast, fmt::format("unknown rounding '{}'", rounding), "use \"rtne\" or \"rtz\"");
      return {};
    }
    mode = rounding == "rtz" ? kTowardZero : kToNearestEven;
  }
  const bool narrows = type.is_floating() && from.is_floating() && type.bit_width() < from.bit_width();
  if (!narrows && mode) {
    in.reporter().error(codes::kCast,
                        fmt::format("fp_downcast_rounding is only for casts to a narrower float, not {} to {}",
                                    from.name(), type.name()));
    return {};
  }
  if (from.scalar() == Scalar::fp8e4b15 || type.scalar() == Scalar::fp8e4b15)
    return cast_custom_float8(in, value, type);
  const bool custom = narrows && mode.value_or(kToNearestEven) != kToNearestEven;
  if (from.is_floating() && type.is_floating())
    return cast_float(in, value, target, narrows ? mode.value_or(kToNearestEven) : mode, custom);
  return cast_number(in, value, target);
}

}  // namespace lockstep::frontend::semantics
