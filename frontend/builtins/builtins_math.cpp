// Rows: elementwise mathematics, selection, matrix product.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/builtins/builtin_rows.h"
#include "frontend/host/host_functions.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::rows {

namespace {

/// Tensors among the arguments must have one of these types (numbers are not checked, as in Triton).
bool check_types(BuiltinCall& call, std::initializer_list<Scalar> allowed) {
  for (const Value& argument : call.arguments) {
    const Tensor* tensor = argument.tensor();
    if (tensor == nullptr || std::find(allowed.begin(), allowed.end(), tensor->element().scalar()) != allowed.end())
      continue;
    std::string names;
    for (const Scalar scalar : allowed) names += (names.empty() ? "" : ", ") + DType(scalar).name();
    const bool wants_float = DType(*allowed.begin()).is_floating();
    reporter(call).error(codes::kDtypeRule,
                         fmt::format("tl.{} takes {}, not {}", call.row.name, names, tensor->element().name()),
                         wants_float ? "cast it first: x.to(tl.float32)" : "");
    return false;
  }
  return true;
}

bool has_float(std::initializer_list<Tensor> operands) {
  return std::any_of(operands.begin(), operands.end(),
                     [](const Tensor& one) { return one && one.element().is_floating(); });
}

bool check_float(BuiltinCall& call, const Tensor& tensor) {
  if (tensor.element().is_floating() && !tensor.element().is_fp8()) return true;
  reporter(call).error(codes::kDtypeRule,
                       fmt::format("tl.{} takes floats, not {}", call.row.name, tensor.element().name()),
                       "cast it first: x.to(tl.float32)");
  return false;
}

}  // namespace

Value unary_math(BuiltinCall& call) {
  const bool precise = call.row.name == "sqrt_rn";
  if (!call.is_method &&
      !(precise ? check_types(call, {Scalar::fp32}) : check_types(call, {Scalar::fp32, Scalar::fp64})))
    return {};
  const Tensor x = tensor_argument(call, 0);
  if (!x || !check_float(call, x)) return {};
  return semantics::unary(builder(call), precise ? "tt.precise_sqrt" : fmt::format("math.{}", call.row.name), x);
}

Value absolute(BuiltinCall& call) { return semantics::absolute(builder(call), tensor_argument(call, 0)); }

Value fdiv(BuiltinCall& call) {
  const Tensor x = tensor_argument(call, 0);
  return semantics::fdiv(builder(call), x, tensor_argument(call, 1));
}

Value div_rn(BuiltinCall& call) {
  if (!check_types(call, {Scalar::fp32})) return {};
  const Tensor x = tensor_argument(call, 0);
  const Tensor y = tensor_argument(call, 1);
  if (!x || !y || !check_float(call, x) || !check_float(call, y)) return {};
  return semantics::precise_divide(builder(call), x, y);
}

Value umulhi(BuiltinCall& call) {
  if (!check_types(call, {Scalar::int32, Scalar::int64, Scalar::uint32, Scalar::uint64})) return {};
  const Tensor x = tensor_argument(call, 0);
  return semantics::umulhi(builder(call), x, tensor_argument(call, 1));
}

Value fma(BuiltinCall& call) {
  const Tensor x = tensor_argument(call, 0);
  const Tensor y = tensor_argument(call, 1);
  return semantics::fma(builder(call), x, y, tensor_argument(call, 2));
}

Value extremum(BuiltinCall& call) {
  const Tensor first = tensor_argument(call, 0);
  const Tensor second = tensor_argument(call, 1);
  if (!first || !second) return {};
  const std::optional<std::int64_t> nan = nan_argument(call, 2, has_float({first, second}));
  if (!nan) return {};
  const Tensor x = semantics::promote_bfloat16(builder(call), first);
  const Tensor y = semantics::promote_bfloat16(builder(call), second);
  return semantics::extremum(builder(call), call.row.name == "maximum", x, y, *nan);
}

Value python_extremum(BuiltinCall& call) {
  const bool is_maximum = call.row.name == "builtin_max";
  const bool constant =
      std::none_of(call.rest.begin(), call.rest.end(), [](const Value& value) { return value.tensor() != nullptr; });
  if (constant) {
    const ValueResult result = call_host_function(is_maximum ? "max" : "min", call.rest);
    if (result) return *result;
    reporter(call).error(codes::kConstantExpression, result.error());
    return {};
  }
  if (call.rest.size() < 2) {
    reporter(call).error(codes::kArguments, "min and max of tensors take at least two values",
                         "use tl.min or tl.max to reduce a block");
    return {};
  }
  Value best = call.rest.front();
  for (std::size_t i = 1; i < call.rest.size(); ++i) {
    const Tensor first = semantics::to_tensor(builder(call), best);
    const Tensor second = semantics::to_tensor(builder(call), call.rest[i]);
    const std::optional<std::int64_t> nan = nan_argument(call, 1, has_float({first, second}));
    if (!nan) return {};
    const Tensor x = semantics::promote_bfloat16(builder(call), first);
    best = semantics::extremum(builder(call), is_maximum, x, semantics::promote_bfloat16(builder(call), second), *nan);
    if (best.is_invalid()) return {};
  }
  return best;
}

Value clamp(BuiltinCall& call) {
  std::array<Tensor, 3> operands;
  for (std::size_t i = 0; i < 3; ++i) operands[i] = tensor_argument(call, i);
  const std::optional<std::int64_t> nan = nan_argument(call, 3, true);
  if (!operands[0] || !operands[1] || !operands[2] || !nan) return {};
  for (Tensor& operand : operands) operand = semantics::promote_bfloat16(builder(call), operand);
  return semantics::clamp(builder(call), operands[0], operands[1], operands[2], *nan);
}

Value where(BuiltinCall& call) {
  const Tensor condition = tensor_argument(call, 0);
  return condition ? Value(semantics::where(builder(call), condition, call[1], call[2])) : Value();
}

Value arithmetic(BuiltinCall& call) {
  const std::optional<bool> sanitize = boolean_argument(call, 2);
  if (!sanitize || call[0].is_invalid() || call[1].is_invalid()) return {};
  if (call.row.name == "add") return semantics::add(builder(call), call[0], call[1], *sanitize);
  if (call.row.name == "sub") return semantics::sub(builder(call), call[0], call[1], *sanitize);
  return semantics::mul(builder(call), call[0], call[1], *sanitize);
}

Value logical(BuiltinCall& call) {
  const Tensor left = tensor_argument(call, 0);
  const Tensor right = tensor_argument(call, 1);
  if (!left || !right) return {};
  return semantics::logical(
      builder(call), call.row.name == "logical_and" ? ast::BoolOperator::And : ast::BoolOperator::Or, left, right);
}

Value dot(BuiltinCall& call) {
  const Tensor* input = call[0].tensor();
  const Tensor* other = call[1].tensor();
  const std::optional<std::string> precision = text_argument(call, 3);
  const std::optional<std::optional<std::int64_t>> imprecise = optional_integer(call, 5);
  const std::optional<DType> out = dtype_argument(call, 6);
  if (input == nullptr || other == nullptr) {
    if (!call[0].is_invalid() && !call[1].is_invalid())
      reporter(call).error(codes::kDot,
                           fmt::format("tl.dot needs two blocks, not {} and {}", describe(call[0]), describe(call[1])));
    return {};
  }
  if (!precision || !imprecise || !out) return {};
  // For Triton, a None in the kernel's text or in a parameter is a compile-time value and counts as given.
  const auto is_given = [&](std::size_t i) { return !call[i].is_none() || !call[i].is_raw(); };
  if (is_given(3) && is_given(4)) {
    reporter(call).error(codes::kArguments, "only one of input_precision and allow_tf32 can be given to tl.dot");
    return {};
  }
  const bool tf32 = !is_given(4) || truth(call[4]).value_or(true);
  if (!call[2].is_none() && call[2].tensor() == nullptr) {
    if (!call[2].is_invalid())
      reporter(call).error(codes::kDot,
                           fmt::format("the accumulator of tl.dot must be a block, not {}", describe(call[2])));
    return {};
  }
  const char* preset = std::getenv("TRITON_F32_DEFAULT");  // Triton's own switch
  std::string fallback = preset != nullptr && *preset != '\0' ? preset : tf32 ? "tf32" : "ieee";
  if (is_given(3)) fallback = "tf32";  // a None for the precision itself is the target's own default
  return semantics::dot(builder(call), *input, *other, call[2].tensor(), call[3].is_none() ? fallback : *precision,
                        *imprecise, *out);
}

Value dot_scaled(BuiltinCall& call) {
  const std::optional<std::string> left_format = text_argument(call, 2);
  const std::optional<std::string> right_format = text_argument(call, 5);
  const std::optional<bool> fast_math = boolean_argument(call, 7);
  const std::optional<bool> left_pack = boolean_argument(call, 8);
  const std::optional<bool> right_pack = boolean_argument(call, 9);
  const std::optional<DType> out = dtype_argument(call, 10);
  if (!left_format || !right_format || !fast_math || !left_pack || !right_pack || !out) return {};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{4}, std::size_t{6}}) {
    const bool is_optional = i != 0 && i != 3;
    if (call[i].tensor() != nullptr || (is_optional && call[i].is_none())) continue;
    if (!call[i].is_invalid())
      reporter(call).error(codes::kDot, fmt::format("tl.dot_scaled needs blocks, not {}", describe(call[i])));
    return {};
  }
  if (!(*out == DType(Scalar::fp32))) {
    reporter(call).error(codes::kDot, fmt::format("tl.dot_scaled gives fp32, not {}", out->name()));
    return {};
  }
  const auto operand = [&](std::size_t i, const std::string& format, bool k_pack) {
    const Tensor* scale = call[i + 1].tensor();
    return semantics::ScaledOperand{*call[i].tensor(), scale != nullptr ? std::optional(*scale) : std::nullopt, format,
                                    k_pack};
  };
  return semantics::dot_scaled(builder(call), operand(0, *left_format, *left_pack),
                               operand(3, *right_format, *right_pack), call[6].tensor(), *fast_math);
}

}  // namespace lockstep::frontend::rows
