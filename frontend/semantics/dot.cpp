// tl.dot: its operands and its accumulator.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "frontend/semantics/semantics.h"

namespace lockstep::frontend::semantics {

namespace {

constexpr std::int64_t kHopperImpreciseAccumulation = std::int64_t{1} << 30;

std::optional<std::int64_t> precision_value(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 5> kNames{"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"};
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  return found == kNames.end() ? std::nullopt : std::optional<std::int64_t>(found - kNames.begin());
}

bool is_dot_type(const DType& type) {
  switch (type.scalar()) {
    case Scalar::int8:
    case Scalar::uint8:
    case Scalar::fp16:
    case Scalar::bf16:
    case Scalar::fp32:
    case Scalar::fp64: return true;
    default: return false;
  }
}

/// Leading axes of a block of rank 4 or more folded into one.
Shape batched(const Shape& shape) {
  Shape folded{1, shape[shape.size() - 2], shape.back()};
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) folded[0] *= shape[i];
  return folded;
}

bool dot_operands_fit(OpBuilder& in, const Tensor& left, const Tensor& right) {
  const auto fail = [&](const std::string& why, std::string hint = {}) {
    in.reporter().error(codes::kDot,
                        fmt::format("tl.dot of {} and {}: {}", left.type.to_string(), right.type.to_string(), why),
                        std::move(hint));
    return false;
  };
  const Shape& a = left.type.shape;
  const Shape& b = right.type.shape;
  if (a.size() != b.size() || a.size() < 2) return fail("both must have the same rank, at least 2");
  if (!std::equal(a.begin(), a.end() - 2, b.begin())) return fail("the batch axes differ");
  if (a.back() != b[b.size() - 2])
    return fail(fmt::format("the inner extents {} and {} differ", a.back(), b[b.size() - 2]));
  const DType& x = left.element();
  const DType& y = right.element();
  if (!(x.is_fp8() && y.is_fp8())) {
    if (!is_dot_type(x) || !is_dot_type(y)) return fail("operands must be int8, fp8, fp16, bf16, fp32 or fp64");
    if (!(x == y)) return fail("operands must have the same type", "cast one of them with .to(...)");
  }
  if (x.scalar() == Scalar::uint8) return fail("only int8 is supported, not uint8");
  const std::int64_t least = x.bit_width() == 8 ? 32 : 16;
  if (a.back() < least) return fail(fmt::format("the inner extent must be at least {} for {}", least, x.name()));
  return true;
}

}  // namespace

std::optional<std::int64_t> dot_precision(const std::string& text) { return precision_value(text.empty() ? "tf32" : text); }

Tensor dot(OpBuilder& in, const Tensor& left, const Tensor& right, const Tensor* accumulator,
           const std::string& precision, std::optional<std::int64_t> imprecise, const DType& out) {
  if (!left || !right || (accumulator != nullptr && !*accumulator) || !dot_operands_fit(in, left, right)) return {};
  const std::optional<std::int64_t> input_precision = precision_value(precision);
  if (!input_precision) {
    in.reporter().error(codes::kDot, fmt::format("'{}' is not an input precision", precision),
                        "use tf32, tf32x3, ieee, bf16x3 or bf16x6");
    return {};
  }
  const DType& element = left.element();
  if (!element.is_int() && out.scalar() == Scalar::bf16) {
    in.reporter().error(codes::kDot, "tl.dot cannot give bf16", "use out_dtype=tl.float32 and cast the result");
    return {};
  }
  const bool is_wide = left.type.shape.size() > 3;
  Shape full_shape = left.type.shape;
  full_shape.back() = right.type.shape.back();
  DType result = out;
  if (element.is_int()) result = DType(Scalar::int32);
  if (element.scalar() == Scalar::fp32 || element.scalar() == Scalar::bf16) result = DType(Scalar::fp32);
  if (element.scalar() == Scalar::fp64) result = DType(Scalar::fp64);
  if (accumulator != nullptr && (accumulator->type.shape != full_shape || !(accumulator->element() == out))) {
    in.reporter().error(codes::kDot,
                        fmt::format("the accumulator must be {}, not {}", ValueType{out, full_shape}.to_string(),
                                    accumulator->type.to_string()),
                        "its type is out_dtype (fp32 unless given)");
    return {};
  }
  if (accumulator != nullptr && !(result == out)) {
    in.reporter().error(codes::kDot, fmt::format("tl.dot of {} gives {}, so the accumulator cannot be {}",
                                                 element.name(), result.name(), out.name()));
    return {};
  }
  const Tensor a = is_wide ? reshape(in, left, batched(left.type.shape), false) : left;
  const Tensor b = is_wide ? reshape(in, right, batched(right.type.shape), false) : right;
  Tensor c = accumulator != nullptr ? *accumulator : Tensor{};
  const Shape shape = is_wide ? batched(full_shape) : full_shape;
  if (c && is_wide) c = reshape(in, c, shape, false);
  // Triton makes the zero in any case.
  const bool as_result = element.is_int() || result.scalar() == Scalar::fp16 || result.scalar() == Scalar::fp64;
  const Tensor zero = null_constant(in, as_result ? result : DType(Scalar::fp32));
  if (!check_shape(in, shape)) return {};
  if (!c) c = splat(in, zero, shape);
  const bool both_fp8 = element.is_fp8() && right.element().is_fp8();
  if (imprecise && both_fp8 && *imprecise > left.type.shape.back()) {
    in.reporter().error(codes::kDot, fmt::format("max_num_imprecise_acc ({}) must not exceed K ({})", *imprecise,
                                                 left.type.shape.back()));
    return {};
  }
  const std::int64_t count =
      imprecise.value_or(both_fp8 && in.options().capability == 90 ? kHopperImpreciseAccumulation : 0);
  std::vector<ir::NamedAttribute> attributes{in.integer("inputPrecision", *input_precision)};
  attributes.push_back(in.integer("maxNumImpreciseAcc", count));
  const Tensor product = in.make("tt.dot", {a.handle, b.handle, c.handle}, {result, shape, c.type.layout},
                                 std::move(attributes));
  return is_wide ? reshape(in, product, full_shape, false) : product;
}

}  // namespace lockstep::frontend::semantics
