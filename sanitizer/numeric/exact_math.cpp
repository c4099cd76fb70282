#include "sanitizer/numeric/exact_math.h"

#include <cmath>
#include <cstdio>

#include "ir/op_def.h"

namespace lockstep::sanitizer {

using ir::Opcode;

namespace {

std::optional<double> of_one(Opcode code, double a) {
  switch (code) {
    case Opcode::arith_negf: return -a;
    case Opcode::arith_extf:
    case Opcode::arith_truncf:
    case Opcode::tt_fp_to_fp:
    case Opcode::arith_sitofp:
    case Opcode::arith_uitofp: return a;
    case Opcode::math_sqrt:
    case Opcode::tt_precise_sqrt: return std::sqrt(a);
    case Opcode::math_rsqrt: return 1 / std::sqrt(a);
    case Opcode::math_cbrt: return std::cbrt(a);
    case Opcode::math_absf: return std::fabs(a);
    case Opcode::math_exp: return std::exp(a);
    case Opcode::math_exp2: return std::exp2(a);
    case Opcode::math_expm1: return std::expm1(a);
    case Opcode::math_log: return std::log(a);
    case Opcode::math_log2: return std::log2(a);
    case Opcode::math_log10: return std::log10(a);
    case Opcode::math_log1p: return std::log1p(a);
    case Opcode::math_sin: return std::sin(a);
    case Opcode::math_cos: return std::cos(a);
    case Opcode::math_tan: return std::tan(a);
    case Opcode::math_tanh: return std::tanh(a);
    case Opcode::math_sinh: return std::sinh(a);
    case Opcode::math_cosh: return std::cosh(a);
    case Opcode::math_atan: return std::atan(a);
    case Opcode::math_erf: return std::erf(a);
    case Opcode::math_erfc: return std::erfc(a);
    case Opcode::math_floor: return std::floor(a);
    case Opcode::math_ceil: return std::ceil(a);
    default: return std::nullopt;
  }
}

std::optional<double> of_two(Opcode code, double a, double b) {
  switch (code) {
    case Opcode::arith_addf: return a + b;
    case Opcode::arith_subf: return a - b;
    case Opcode::arith_mulf: return a * b;
    case Opcode::arith_divf:
    case Opcode::tt_precise_divf:
    case Opcode::tt_approx_divf: return a / b;
    case Opcode::arith_remf: return std::fmod(a, b);
    case Opcode::math_powf: return std::pow(a, b);
    case Opcode::math_atan2: return std::atan2(a, b);
    case Opcode::math_copysign: return std::copysign(a, b);
    case Opcode::arith_maximumf:
    case Opcode::arith_maxnumf: return std::fmax(a, b);
    case Opcode::arith_minimumf:
    case Opcode::arith_minnumf: return std::fmin(a, b);
    default: return std::nullopt;
  }
}

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

std::optional<double> exact_element(Opcode code, std::span<const double> operands) {
  if (operands.size() == 1) return of_one(code, operands[0]);
  if (operands.size() == 2) return of_two(code, operands[0], operands[1]);
  if (operands.size() != 3) return std::nullopt;
  if (code == Opcode::math_fma) return operands[0] * operands[1] + operands[2];
  if (code == Opcode::tt_clampf || code == Opcode::math_clampf)
    return std::fmin(std::fmax(operands[0], operands[1]), operands[2]);
  return std::nullopt;
}

std::optional<Opcode> combining_op(const ir::Op& op) {
  const Opcode code = op.def().opcode;
  if ((code != Opcode::tt_reduce && code != Opcode::tt_scan) || op.operand_count() != 1 || op.regions().empty())
    return std::nullopt;
  if (op.region().blocks().size() != 1) return std::nullopt;
  const auto& ops = op.region().front().ops();
  if (ops.size() != 2 || ops.front()->operand_count() != 2) return std::nullopt;
  const Opcode inner = ops.front()->def().opcode;
  if (inner == Opcode::arith_subf || inner == Opcode::arith_divf || !of_two(inner, 1, 1)) return std::nullopt;
  return inner;
}

AxisLine line_of(const ir::Op& op, std::int64_t lane) {
  const Around axis = around_axis(op);
  const std::int64_t column = lane % axis.inner;
  if (op.def().opcode == Opcode::tt_reduce)
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

}  // namespace lockstep::checkers
