#include "sanitizer/numeric/exact_math.h"

#include <cmath>
#include <cstdio>

#include "ir/interfaces/op_kinds.h"

namespace lockstep::sanitizer {

namespace {

/// [outer, n, inner] around the axis of a reduction or scan.
struct Around {
  std::int64_t n = 1, inner = 1;
};

Around around_axis(const ir::Op& op) {
  const auto& shape = op.operand(0)->type().shape();
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  Around made;
  made.n = shape[axis];
  for (std::size_t d = axis + 1; d < shape.size(); ++d) made.inner *= shape[d];
  return made;
}

}  // namespace

bool is_float_value(const ir::Value& value) {
  const auto kind = value.type().element().scalar_kind();
  return kind && is_float(*kind);
}

std::string digits(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::optional<double> exact_element(const ir::OpDef& def, std::span<const double> operands) {
  if (def.in_f64 == nullptr || def.operands.size() != operands.size()) return std::nullopt;
  return def.in_f64(operands.data());
}

const ir::OpDef* combining_op(const ir::Op& op) {
  if (!ir::folds_lines(op) || op.operand_count() != 1 || op.regions().empty()) return nullptr;
  if (op.region().blocks().size() != 1) return nullptr;
  const auto& ops = op.region().front().ops();
  if (ops.size() != 2 || ops.front()->operand_count() != 2) return nullptr;
  const ir::OpDef& inner = ops.front()->def();
  const bool has_order =
      inner.arithmetic == ir::Arithmetic::difference || inner.arithmetic == ir::Arithmetic::quotient;
  return has_order || inner.in_f64 == nullptr || inner.operands.size() != 2 ? nullptr : &inner;
}

AxisLine line_of(const ir::Op& op, std::int64_t lane) {
  const Around axis = around_axis(op);
  const std::int64_t column = lane % axis.inner;
  if (ir::is_reduction(op))
    return {lane / axis.inner * axis.inner * axis.n + column, axis.inner, axis.n};
  const std::int64_t at = lane / axis.inner % axis.n, first = lane - at * axis.inner;
  if (op.integer_attribute("reverse", 0) != 0) return {first + (axis.n - 1) * axis.inner, -axis.inner, axis.n - at};
  return {first, axis.inner, at + 1};
}

ProductLine product_line(const ir::Op& dot, std::int64_t lane) {
  const auto& a = dot.operand(0)->type().shape();
  const auto& b = dot.operand(1)->type().shape();
  const std::int64_t m = a[a.size() - 2], k = a[a.size() - 1], n = b[b.size() - 1];
  const std::int64_t batch = lane / (m * n), row = lane / n % m, column = lane % n;
  return {(batch * m + row) * k, 1, batch * k * n + column, n, k};
}

}  // namespace lockstep::sanitizer
