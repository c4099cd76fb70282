// tl.dot_scaled: operands in microscaling formats, whose blocks of 32 elements along K share a power of two.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/semantics/semantics.h"

namespace lockstep::frontend::semantics {

namespace {

struct Format {
  std::string_view name;
  std::int64_t value;  // of the op's element type attribute
  Scalar element;
  Scalar storage;  // what may be reinterpreted as `element`
};

constexpr std::array<Format, 5> kFormats{{{"e4m3", 0, Scalar::fp8e4nv, Scalar::uint8},
                                          {"e5m2", 1, Scalar::fp8e5, Scalar::uint8},
                                          {"e2m1", 4, Scalar::uint8, Scalar::uint8},
                                          {"bf16", 5, Scalar::bf16, Scalar::uint16},
                                          {"fp16", 6, Scalar::fp16, Scalar::uint16}}};

const Format* find_format(std::string_view name) {
  const auto* found =
      std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& row) { return row.name == name; });
  return found == kFormats.end() ? nullptr : found;
}

bool is_packed(const std::string& format) { return format == "e2m1"; }

Tensor as_float_format(OpBuilder& in, const Tensor& value, const std::string& format) {
  const Format& row = *find_format(format);
  const Scalar scalar = value.element().is_ptr() ? Scalar::void_ : value.element().scalar();
  if (scalar == row.element) return value;
  if (scalar == row.storage) return bitcast(in, value, DType(row.element));
  in.reporter().error(codes::kDot,
                      fmt::format("tl.dot_scaled: the format {} needs elements of {} or {}, not {}", format,
                                  DType(row.element).name(), DType(row.storage).name(), value.element().name()));
  return {};
}

bool scale_fits(OpBuilder& in, const ScaledOperand& operand, std::int64_t rows, std::int64_t k, std::string_view side) {
  if (!operand.scale) return true;
  const Tensor& scale = *operand.scale;
  const std::int64_t group = !scale.element().is_ptr() && scale.element().scalar() == Scalar::fp8e4nv ? 16 : 32;
  const Shape needed{rows, k / group};
  if (scale.type.shape == needed) return true;
  in.reporter().error(codes::kDot, fmt::format("tl.dot_scaled: {}_scale must have shape {}, not {}", side,
                                               shape_to_string(needed), shape_to_string(scale.type.shape)));
  return false;
}

}  // namespace

Tensor dot_scaled(OpBuilder& in, ScaledOperand left, ScaledOperand right, const Tensor* accumulator, bool fast_math) {
  const auto fail = [&](std::string message) {
    in.reporter().error(codes::kDot, "tl.dot_scaled: " + std::move(message));
    return Tensor{};
  };
  if (!left.value || !right.value) return {};
  const std::size_t rank = left.value.type.shape.size();
  if (rank != right.value.type.shape.size() || (rank != 2 && rank != 3)) {
    return fail(fmt::format("both inputs must have two or three axes, not {} and {}", left.value.type.to_string(),
                            right.value.type.to_string()));
  }
  for (ScaledOperand* operand : {&left, &right}) {
    if (find_format(operand->format) == nullptr) return fail(fmt::format("'{}' is no format", operand->format));
    operand->value = as_float_format(in, operand->value, operand->format);
    if (!operand->value) return {};
  }
  for (const ScaledOperand* operand : {&left, &right}) {
    if (!operand->k_pack && !is_packed(operand->format))
      return fail("only e2m1 can be packed along another axis than K");
  }
  const Shape& a = left.value.type.shape;
  const Shape& b = right.value.type.shape;
  const auto factor = [](const ScaledOperand& operand) { return is_packed(operand.format) ? 2 : 1; };
  const std::int64_t k = a[rank - 1] * (left.k_pack ? factor(left) : 1);
  if (k != b[rank - 2] * (right.k_pack ? factor(right) : 1))
    return fail(fmt::format("the inner extents of {} and {} differ", shape_to_string(a), shape_to_string(b)));
  const std::int64_t m = a[rank - 2] * (left.k_pack ? 1 : factor(left));
  const std::int64_t n = b[rank - 1] * (right.k_pack ? 1 : factor(right));
  ValueType result{DType(Scalar::fp32), {m, n}};
  if (rank == 3) result.shape.insert(result.shape.begin(), a[0]);
  const Tensor zero = null_constant(in, DType(Scalar::fp32));
  if (accumulator != nullptr && !(accumulator->type == result))
    return fail(fmt::format("the accumulator must be {}, not {}", result.to_string(), accumulator->type.to_string()));
  const Tensor c = accumulator != nullptr ? *accumulator : splat(in, zero, result.shape);
  if (!c || !scale_fits(in, left, m, k, "lhs") || !scale_fits(in, right, n, k, "rhs")) return {};
  std::vector<ir::Value*> operands{left.value.handle, right.value.handle, c.handle};
  for (const ScaledOperand* operand : {&left, &right}) {
    if (operand->scale) operands.push_back(operand->scale->handle);
  }
  std::vector<ir::NamedAttribute> attributes{in.integer("a_elem_type", find_format(left.format)->value),
                                             in.integer("b_elem_type", find_format(right.format)->value),
                                             {"fastMath", in.emitter().context().boolean(fast_math)},
                                             {"lhs_k_pack", in.emitter().context().boolean(left.k_pack)},
                                             {"rhs_k_pack", in.emitter().context().boolean(right.k_pack)}};
  const std::vector<std::uint32_t> segments{1, 1, 1, left.scale ? 1U : 0U, right.scale ? 1U : 0U};
  const ir::Type lowered = to_ir(in.emitter().context(), result);
  return {in.emitter().create("tt.dot_scaled", operands, {lowered}, std::move(attributes), segments)->result(), result};
}

}  // namespace lockstep::frontend::semantics
