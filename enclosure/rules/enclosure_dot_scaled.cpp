#include "enclosure/rules/enclosure_dot_scaled.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "enclosure/rules/dot.h"
#include "ir/op_def.h"
#include "support/float_formats.h"

namespace lockstep::enclosure {

namespace {

/// The names of a_elem_type and b_elem_type.
enum Element : std::int64_t { e4m3, e5m2, e2m3, e3m2, e2m1, bf16, fp16 };

struct ScaledSide {
  const ir::Value* tile = nullptr;
  const ir::Value* scale = nullptr;  // null: none
  std::int64_t element = e4m3;
  bool is_right = false, packs_rows = false, packs_columns = false;
  std::int64_t batches = 1, rows = 0, columns = 0;  // without packing
  ScalarKind compute = ScalarKind::bf16;
};

ScaledSide read_side(const ir::Op& op, bool is_right, ScalarKind compute) {
  ScaledSide side;
  side.tile = op.operand(is_right ? 1 : 0);
  side.scale = op.operand_or_null(is_right ? 4 : 3);
  side.element = op.integer_attribute(is_right ? "b_elem_type" : "a_elem_type", e4m3);
  side.is_right = is_right;
  side.compute = compute;
  const bool packs_along_k = op.integer_attribute(is_right ? "rhs_k_pack" : "lhs_k_pack", 1) != 0;
  if (side.element == e2m1) (packs_along_k == is_right ? side.packs_rows : side.packs_columns) = true;
  const std::vector<std::int64_t> shape = shape_of(*side.tile);
  side.batches = shape.size() == 3 ? shape[0] : 1;
  side.rows = shape[shape.size() - 2] * (side.packs_rows ? 2 : 1);
  side.columns = shape.back() * (side.packs_columns ? 2 : 1);
  return side;
}

double e2m1_value(unsigned nibble) {
  constexpr double kMagnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return (nibble & 8) != 0 ? -kMagnitudes[nibble & 7] : kMagnitudes[nibble & 7];
}

std::uint8_t byte_of(double value) { return static_cast<std::uint8_t>(static_cast<std::int64_t>(value)); }

/// The element at a row and column of the whole matrix, before scaling.
Interval element_of(const ScaledSide& side, const Bounds& tile, std::int64_t batch, std::int64_t row,
                    std::int64_t column) {
  if (side.element == e2m1) {
    const std::int64_t pitch = side.packs_columns ? side.columns / 2 : side.columns;
    const std::int64_t height = side.packs_rows ? side.rows / 2 : side.rows;
    const std::int64_t in_row = side.packs_rows ? row / 2 : row, in_column = side.packs_columns ? column / 2 : column;
    const Interval packed = tile.at((batch * height + in_row) * pitch + in_column);
    if (!packed.is_point()) return unbounded_interval(0);
    const bool is_high = ((side.packs_rows ? row : column) & 1) != 0;
    return point(e2m1_value(is_high ? byte_of(packed.low) >> 4 : byte_of(packed.low) & 15U));
  }
  const Interval value = tile.at((batch * side.rows + row) * side.columns + column);
  if (kind_of(*side.tile) != ScalarKind::i8) return value;
  if (!value.is_point()) return unbounded_interval(0);
  return point(decode_float(side.element == e5m2 ? ScalarKind::f8E5M2 : ScalarKind::f8E4M3FN, byte_of(value.low)));
}

/// The value of a scale, in the type of the product; NaN where it is uncertain.
double factor_of(const ScaledSide& side, const Interval& scale) {
  if (!scale.is_point()) return std::nan("");
  if (is_float(kind_of(*side.scale))) return scale.low;
  const std::uint8_t exponent = byte_of(scale.low);  // of an f32: 0 gives 0
  if (exponent == 255) return std::nan("");          // NaN, or infinity if fastMath
  const auto power = std::bit_cast<float>(static_cast<std::uint32_t>(exponent) << 23);
  return round_to(format_of(side.compute), static_cast<double>(power));
}

Interval scaled(const ScaledSide& side, const Interval& element, double factor) {
  if (!element.is_finite() || element.is_nan() || !(factor - factor == 0)) return unbounded_interval(0);
  const Format format = format_of(side.compute);
  const double a = round_to(format, element.low) * factor, b = round_to(format, element.high) * factor;
  Interval made{round_to(format, std::min(a, b)), round_to(format, std::max(a, b))};
  // Subnormal products may be rounded twice, or be zero.
  const double least_normal = std::ldexp(1.0, format.least_exponent);
  if ((a != 0 || b != 0) && made.low < least_normal && made.high > -least_normal) {
    const double unit = std::ldexp(least_normal, 1 - format.precision);
    made = {std::min(made.low - unit, 0.0), std::max(made.high + unit, 0.0)};
  }
  return made;
}

BoundsRef scaled_matrix(EncloseContext& context, const ScaledSide& side) {
  const BoundsRef tile = context.rounded(*side.tile);
  const BoundsRef scale = side.scale != nullptr ? context.bounds(*side.scale) : nullptr;
  const std::int64_t groups = side.scale != nullptr ? shape_of(*side.scale).back() : 1;
  const std::int64_t outer = side.is_right ? side.columns : side.rows;
  const std::int64_t group = std::max<std::int64_t>((side.is_right ? side.rows : side.columns) / groups, 1);
  const auto made = std::make_shared<Bounds>(side.batches * side.rows * side.columns);
  for (std::int64_t i = 0; i < made->count(); ++i) {
    const std::int64_t column = i % side.columns, row = i / side.columns % side.rows;
    const std::int64_t batch = i / (side.columns * side.rows);
    const std::int64_t line = side.is_right ? column : row, k = side.is_right ? row : column;
    const Interval element = element_of(side, *tile, batch, row, column);
    const double factor =
        scale != nullptr ? factor_of(side, scale->at((batch * outer + line) * groups + k / group)) : 1;
    made->set(i, scaled(side, element, factor));
  }
  return made;
}

}  // namespace

bool enclose_dot_scaled(EncloseContext& context, const ir::Op& op) {
  if (!is_float(kind_of(*op.result(0)))) return false;
  const std::int64_t left = op.integer_attribute("a_elem_type", e4m3),
                     right = op.integer_attribute("b_elem_type", e4m3);
  for (const std::int64_t element : {left, right}) {
    if (element < e4m3 || element > fp16 || element == e2m3 || element == e3m2) return false;
  }
  if ((left == fp16 && right == bf16) || (left == bf16 && right == fp16)) return false;  // a GPU has no such product
  const ScalarKind compute = left == fp16 || right == fp16 ? ScalarKind::f16 : ScalarKind::bf16;
  const ScaledSide a = read_side(op, false, compute), b = read_side(op, true, compute);
  return enclose_matrices(
      context, op,
      {scaled_matrix(context, a), scaled_matrix(context, b), compute, {a.rows, b.columns, a.columns}, a.batches});
}

}  // namespace lockstep::enclosure
