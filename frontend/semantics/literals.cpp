// From Python numbers to constants, with Triton's choice of type and rounding.
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "frontend/semantics/semantics.h"
#include "frontend/semantics/value_text.h"
#include "support/float_formats.h"
#include "support/floats/read_float.h"

namespace lockstep::frontend::semantics {

namespace {

constexpr Integer power_of_two(int exponent) { return Integer{1} << exponent; }

std::optional<DType> literal_type(Integer value) {
  if (value >= -power_of_two(31) && value < power_of_two(31)) return DType(Scalar::int32);
  if (value >= power_of_two(31) && value < power_of_two(32)) return DType(Scalar::uint32);
  if (value >= -power_of_two(63) && value < power_of_two(63)) return DType(Scalar::int64);
  if (value >= power_of_two(63) && value < power_of_two(64)) return DType(Scalar::uint64);
  return std::nullopt;
}

DType literal_type(double value) {
  const double magnitude = std::fabs(value);
  const bool fits = !std::isfinite(value) || magnitude == 0 ||
                    (magnitude >= static_cast<double>(std::numeric_limits<float>::min()) &&
                     magnitude <= static_cast<double>(std::numeric_limits<float>::max()));
  return DType(fits ? Scalar::fp32 : Scalar::fp64);
}

/// The number that a C float has when printed with six decimals: get_bf16 of Triton's builder (3.6 to 3.9) makes bf16
/// constants from that text, so that 1e-7 becomes 0, on a GPU too.
double with_six_decimals(float value) {
  if (!std::isfinite(value)) return static_cast<double>(value);
  const std::string text = fmt::format("{:.6f}", static_cast<double>(value));
  double parsed = 0;
  read_float(text.data(), text.data() + text.size(), parsed);
  return parsed;
}

/// Triton passes every number for fp16, bf16 and fp32 through a C float first.
std::uint64_t float_bits(double value, const DType& type) {
  if (type.scalar() == Scalar::fp64) return std::bit_cast<std::uint64_t>(value);
  const float narrowed = static_cast<float>(value);
  if (type.scalar() == Scalar::fp32) return std::bit_cast<std::uint32_t>(narrowed);
  if (type.scalar() == Scalar::bf16) return encode_float(ScalarKind::bf16, with_six_decimals(narrowed));
  return encode_float(ScalarKind::f16, static_cast<double>(narrowed));
}

std::uint64_t integer_bits(Integer value, int width) {
  const auto bits = static_cast<std::uint64_t>(static_cast<unsigned long long>(value & ((power_of_two(64))-1)));
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

}  // namespace

Tensor to_tensor(OpBuilder& in, const Value& value) {
  if (const Tensor* tensor = value.tensor()) return *tensor;
  if (value.is_invalid()) return {};
  const Constant* constant = value.constant();
  if (constant == nullptr || !constant->is_number()) {
    in.reporter().error(codes::kOperandTypes, fmt::format("{} cannot become a tensor", describe(value)));
    return {};
  }
  if (constant->is_float()) return scalar_constant(in, *constant, literal_type(constant->as_double()));
  if (constant->is_bool())
    return {in.emitter().constant(in.emitter().context().integer(1), constant->truth() ? 1 : 0),
            {DType(Scalar::int1), {}}};
  const std::optional<DType> type = literal_type(constant->as_integer());
  if (!type) {
    in.reporter().error(codes::kScalarRange, fmt::format("the integer {} does not fit 64 bits", constant->str()));
    return {};
  }
  return scalar_constant(in, *constant, *type);
}

Tensor null_constant(OpBuilder& in, const DType& type) {
  const std::optional<ir::Type> lowered = in.ir_type({type, {}});
  if (!lowered) return {};
  if (type.is_ptr() || type.is_void()) {
    in.reporter().error(codes::kOperandTypes, fmt::format("there is no constant of type {}", type.name()));
    return {};
  }
  return {in.emitter().constant(*lowered, 0), {type, {}}};
}

Tensor scalar_constant(OpBuilder& in, const Constant& value, const DType& type) {
  if (!value.is_number()) {
    in.reporter().error(codes::kOperandTypes, fmt::format("a number is needed, not {}", value.repr()));
    return {};
  }
  if (value.as_double() == 0) return null_constant(in, type);
  if (type.is_ptr() || type.is_void() || type.is_fp8()) {
    in.reporter().error(codes::kDtypeRule, fmt::format("there is no constant {} of type {}", value.str(), type.name()),
                        "make it in fp32 and cast it");
    return {};
  }
  const ir::Type lowered = to_ir(in.emitter().context(), type);
  if (type.is_floating()) return {in.emitter().constant(lowered, float_bits(value.as_double(), type)), {type, {}}};
  if (type.is_bool()) return {in.emitter().constant(lowered, 1), {type, {}}};
  if (value.is_float()) {
    in.reporter().error(codes::kDtypeRule, fmt::format("the number {} is not a {}", value.str(), type.name()),
                        fmt::format("write int({})", value.str()));
    return {};
  }
  // Narrower types take the low bits of a 64-bit value.
  const Integer lowest = type.is_signed() ? Integer{INT64_MIN} : 0, highest = type.is_signed() ? INT64_MAX : UINT64_MAX;
  if (value.as_integer() < lowest || value.as_integer() > highest) {
    in.reporter().error(codes::kScalarRange,
                        fmt::format("a constant of {} takes {} to {}, not {}", type.name(), to_string(lowest),
                                    to_string(highest), value.str()),
                        "make it in a type that holds it, and cast that");
    return {};
  }
  return {in.emitter().constant(lowered, integer_bits(value.as_integer(), type.bit_width())), {type, {}}};
}

Tensor full(OpBuilder& in, const Shape& shape, const Value& value, const DType& type, const LayoutPtr& layout) {
  if (value.is_invalid() || !check_shape(in, shape)) return {};
  Tensor scalar;
  if (const Tensor* tensor = value.tensor()) {
    if (tensor->type.numel() != 1) {
      in.reporter().error(codes::kShapeMismatch,
                          fmt::format("tl.full needs a single value, not {}", tensor->type.to_string()));
      return {};
    }
    scalar = cast(in, *tensor, type);
  } else if (value.is_number()) {
    scalar = scalar_constant(in, *value.constant(), type);
  } else {
    in.reporter().error(codes::kOperandTypes, fmt::format("tl.full needs a number, not {}", describe(value)));
  }
  if (!scalar) return {};
  if (scalar.is_block()) {
    in.reporter().error(codes::kShapeMismatch, "tl.full needs a scalar, not a block of one element", "use .item()");
    return {};
  }
  return splat(in, scalar, ValueType{scalar.element(), shape, layout});
}

}  // namespace lockstep::frontend::semantics
