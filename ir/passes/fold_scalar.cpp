#include "ir/passes/fold_scalar.h"

#include <algorithm>
#include <cmath>

#include "support/float_formats.h"

namespace lockstep::ir::passes {
namespace {

using Folded = std::optional<std::uint64_t>;

bool compare_integers(std::int64_t predicate, std::int64_t sa, std::int64_t sb, std::uint64_t a, std::uint64_t b) {
  switch (predicate) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return sa < sb;
    case 3: return sa <= sb;
    case 4: return sa > sb;
    case 5: return sa >= sb;
    case 6: return a < b;
    case 7: return a <= b;
    case 8: return a > b;
    default: return a >= b;
  }
}

/// MLIR's cmpf predicates: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered.
bool compare_floats(std::int64_t predicate, double a, double b) {
  const int relation = std::isnan(a) || std::isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  // Numbering: false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true.
  static constexpr int kAccepts[16] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15};
  return (kAccepts[static_cast<std::size_t>(predicate) & 15] & relation) != 0;
}

Folded fold_division(std::string_view op, std::int64_t sa, std::int64_t sb, std::uint64_t a, std::uint64_t b,
                     int width) {
  if (b == 0) return std::nullopt;
  const bool overflows = sb == -1 && a == std::uint64_t{1} << (width - 1);
  if (op == "arith.divui") return a / b;
  if (op == "arith.remui") return a % b;
  if (overflows) return std::nullopt;
  if (op == "arith.divsi") return static_cast<std::uint64_t>(sb == -1 ? -sa : sa / sb);
  return static_cast<std::uint64_t>(sb == -1 ? 0 : sa % sb);
}

Folded fold_integer(std::string_view op, int width, std::uint64_t a, std::uint64_t b) {
  const std::int64_t sa = sign_extend(a, width), sb = sign_extend(b, width);
  if (op == "arith.addi") return a + b;
  if (op == "arith.subi") return a - b;
  if (op == "arith.muli") return a * b;
  if (op == "arith.andi") return a & b;
  if (op == "arith.ori") return a | b;
  if (op == "arith.xori") return a ^ b;
  if (op == "arith.maxsi") return sa > sb ? a : b;
  if (op == "arith.minsi") return sa < sb ? a : b;
  if (op == "arith.maxui") return std::max(a, b);
  if (op == "arith.minui") return std::min(a, b);
  if (op == "arith.divsi" || op == "arith.divui" || op == "arith.remsi" || op == "arith.remui") {
    return fold_division(op, sa, sb, a, b, width);
  }
  if (b >= static_cast<std::uint64_t>(width)) return std::nullopt;
  if (op == "arith.shli") return a << b;
  if (op == "arith.shrui") return a >> b;
  if (op == "arith.shrsi") return static_cast<std::uint64_t>(sa >> b);
  return std::nullopt;
}

Folded fold_float(std::string_view op, ScalarKind kind, std::uint64_t a_bits, std::uint64_t b_bits) {
  const double a = decode_float(kind, a_bits), b = decode_float(kind, b_bits);
  if (std::isnan(a) || std::isnan(b)) return std::nullopt;
  double result = 0;
  if (op == "arith.addf")
    result = a + b;
  else if (op == "arith.subf")
    result = a - b;
  else if (op == "arith.mulf")
    result = a * b;
  else if (op == "arith.divf")
    result = a / b;
  else
    return std::nullopt;
  if (std::isnan(result)) return std::nullopt;
  return encode_float(kind, result);
}

Folded fold_function(std::string_view op, ScalarKind kind, std::uint64_t bits) {
  if (kind != ScalarKind::f32 && kind != ScalarKind::f64) return std::nullopt;
  struct Row {
    std::string_view name;
    float (*single)(float);
    double (*wide)(double);
  };
  static constexpr Row kRows[] = {
      {"math.exp", std::exp, std::exp},       {"math.exp2", std::exp2, std::exp2},
      {"math.log", std::log, std::log},       {"math.log2", std::log2, std::log2},
      {"math.sin", std::sin, std::sin},       {"math.cos", std::cos, std::cos},
      {"math.tan", std::tan, std::tan},       {"math.sqrt", std::sqrt, std::sqrt},
      {"math.tanh", std::tanh, std::tanh},    {"math.erf", std::erf, std::erf},
      {"math.floor", std::floor, std::floor}, {"math.ceil", std::ceil, std::ceil},
      {"math.expm1", std::expm1, std::expm1}, {"math.log1p", std::log1p, std::log1p},
      {"math.log10", std::log10, std::log10},
  };
  const double x = decode_float(kind, bits);
  if (op == "math.absf") return std::isnan(x) ? Folded{} : encode_float(kind, std::fabs(x));
  for (const Row& row : kRows) {
    if (row.name != op) continue;
    const double result =
        kind == ScalarKind::f64 ? row.wide(x) : static_cast<double>(row.single(static_cast<float>(x)));
    if (std::isnan(result)) return std::nullopt;
    return encode_float(kind, result);
  }
  return std::nullopt;
}

}  // namespace

Folded fold_binary(std::string_view op, ScalarKind kind, std::int64_t predicate, std::uint64_t a, std::uint64_t b) {
  if (kind == ScalarKind::pointer) return std::nullopt;
  if (is_float(kind)) {
    if (op == "arith.cmpf") return compare_floats(predicate, decode_float(kind, a), decode_float(kind, b)) ? 1 : 0;
    return fold_float(op, kind, a, b);
  }
  const int width = bit_width(kind);
  a &= width_mask(width);
  b &= width_mask(width);
  if (op == "arith.cmpi")
    return compare_integers(predicate, sign_extend(a, width), sign_extend(b, width), a, b) ? 1 : 0;
  const Folded result = fold_integer(op, width, a, b);
  return result ? Folded{*result & width_mask(width)} : std::nullopt;
}

Folded fold_unary(std::string_view op, ScalarKind from, ScalarKind to, std::uint64_t a) {
  if (from == ScalarKind::pointer || to == ScalarKind::pointer) return std::nullopt;
  const std::uint64_t mask = width_mask(bit_width(to));
  if (op == "arith.extsi") return static_cast<std::uint64_t>(sign_extend(a, bit_width(from))) & mask;
  if (op == "arith.extui" || op == "arith.trunci") return a & mask;
  if (op == "arith.extf" || op == "arith.truncf") {
    if (is_float8(from) || is_float8(to)) return std::nullopt;
    const double value = decode_float(from, a);
    return std::isnan(value) ? Folded{} : encode_float(to, value);
  }
  if (op == "arith.sitofp" && bit_width(from) <= 32) {
    return encode_float(to, static_cast<double>(sign_extend(a, bit_width(from))));
  }
  if (op == "arith.uitofp" && bit_width(from) <= 32)
    return encode_float(to, static_cast<double>(a & width_mask(bit_width(from))));
  return fold_function(op, from, a);
}

bool is_neutral(std::string_view op, ScalarKind kind, std::uint64_t constant) {
  if (kind == ScalarKind::pointer) return false;
  if (is_float(kind)) {
    const double value = decode_float(kind, constant);
    if (op == "arith.addf") return value == 0 && std::signbit(value);
    if (op == "arith.subf") return value == 0 && !std::signbit(value);
    return (op == "arith.mulf" || op == "arith.divf") && value == 1.0;
  }
  const std::uint64_t all_ones = width_mask(bit_width(kind));
  if (op == "arith.addi" || op == "arith.subi" || op == "arith.ori" || op == "arith.xori" || op == "arith.shli" ||
      op == "arith.shrsi" || op == "arith.shrui") {
    return constant == 0;
  }
  if (op == "arith.muli" || op == "arith.divsi" || op == "arith.divui") return constant == 1;
  return op == "arith.andi" && constant == all_ones;
}

}  // namespace lockstep::ir::passes
