#include "enclosure/rules/enclosure_dot.h"

#include <algorithm>

#include "enclosure/enclose_context.h"
#include "enclosure/rules/dot.h"
#include "enclosure/rules/product.h"
#include "ir/opcode.h"

namespace lockstep::enclosure {

namespace {

enum Precision : std::int64_t { tf32, tf32x3, ieee, bf16x3, bf16x6 };

/// One operand: midpoints, radii, larger magnitudes.
struct Side {
  explicit Side(std::int64_t count) : middle(count), radius(count), magnitude(count), absolute(count) {}
  Doubles middle, radius, magnitude, absolute;  // absolute: of the midpoints
  bool has_radius = false;
  std::vector<bool> is_lost;  // rows of A, columns of B, elements of C
  CauseId cause = 0;

  void set(std::int64_t i, double low, double high) {
    const double m = low == high ? low : low / 2 + high / 2;
    double r = low == high ? 0 : std::max(high - m, m - low);
    if (r != 0) {
      r = std::nextafter(r, kInfinite);
      has_radius = true;
    }
    middle.data()[i] = m;
    radius.data()[i] = r;
    absolute.data()[i] = std::fabs(m);
    magnitude.data()[i] = std::max(std::fabs(low), std::fabs(high));
  }
};

/// S-70: a tf32 operand loses its 13 low bits, or is rounded: anything in between is possible.
Interval as_tf32(const Interval& value) {
  constexpr double kPart = 0x1p-10;
  const double low = value.low > 0 ? value.low * (1 - kPart) : value.low * (1 + kPart / 2);
  const double high = value.high > 0 ? value.high * (1 + kPart / 2) : value.high * (1 - kPart);
  return {low, high};
}
/// The same for a number: the results of truncation and rounding (ties away).
Interval tf32_of(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const auto cut = static_cast<double>(std::bit_cast<float>(bits & 0xffffe000U));
  const auto rounded = static_cast<double>(std::bit_cast<float>((bits + 0x1000U) & 0xffffe000U));
  return {std::min({cut, rounded, value}), std::max({cut, rounded, value})};
}

/// Pieces have fewer bits, subnormal ones too: bits below their last place are lost, even if the piece before held
/// none. Next to larger numbers, the bounds by precision cover that.
Interval without_last_places(const Interval& value, std::int64_t precision) {
  constexpr double kCovered = 0x1p-100;
  const bool is_zero = value.low == 0 && value.high == 0;
  if (is_zero || value.low >= kCovered || value.high <= -kCovered) return value;
  const double lost = precision == bf16x3 || precision == bf16x6 ? 0x1p-133 : 0x1p-136;
  return {value.low - lost, value.high + lost};
}

/// From here on a piece of an operand (a tf32 or bf16 number) may round to infinity.
constexpr double kLargestPiece = 0x1.fep127;

Side side_of(const Bounds& bounds, std::int64_t first, std::int64_t rows, std::int64_t columns, bool is_lost_by_row,
             std::int64_t precision) {
  Side side(rows * columns);
  side.is_lost.assign(static_cast<std::size_t>(is_lost_by_row ? rows : columns), false);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      const std::int64_t i = r * columns + c;
      Interval value = bounds.at(first + i);
      const bool may_overflow =
          precision != ieee && std::max(std::fabs(value.low), std::fabs(value.high)) >= kLargestPiece;
      if (!value.is_finite() || value.is_nan() || may_overflow) {
        side.is_lost[static_cast<std::size_t>(is_lost_by_row ? r : c)] = true;
        if (value.is_unbounded()) side.cause = cause_of(value.low);
        value = {0, 0};
      } else if (precision == tf32) {
        value = value.is_point() ? tf32_of(value.low) : as_tf32(value);
      }
      if (precision != ieee) value = without_last_places(value, precision);
      side.set(i, value.low, value.high);
    }
  }
  return side;
}

/// The accumulator's possible loss, of the sum of the magnitudes.
double accumulator_error(const ir::Op& op, ScalarKind operand, ScalarKind result, std::int64_t k) {
  const double length = static_cast<double>(std::max<std::int64_t>(k, 16));
  if (result == ScalarKind::f64) return 2 * length * 0x1p-53;
  double error = length * 0x1p-24;
  if (result == ScalarKind::f16) error += std::ceil(length / 16) * 0x1p-11;
  if (result == ScalarKind::bf16) error += std::ceil(length / 16) * 0x1p-8;
  if (is_float8(operand)) {
    const auto imprecise = static_cast<double>(op.integer_attribute("maxNumImpreciseAcc", 0));
    if (imprecise > 0) error += std::min(length, std::max(imprecise, 32.0)) * (17.0 / 16) * 0x1p-13;
  }
  if (operand != ScalarKind::f32) return error;
  switch (op.integer_attribute("inputPrecision", ieee)) {
    case tf32x3: return 3 * error + 0x1p-19;
    case bf16x3: return 3 * error + 0x1p-16;
    case bf16x6: return 6 * error + 0x1p-24;
    default: return error;
  }
}

struct Dot {
  MatrixShape shape;
  ScalarKind kind{};
  double lost = 0;  // of the sum of the magnitudes
  CauseId cause = 0;
};

/// One matrix of the result, from `first` on.
void enclose_matrix(const Dot& dot, const Side& a, const Side& b, const Bounds& c, std::int64_t first,
                    const Bounds& out) {
  const MatrixShape& shape = dot.shape;
  const std::int64_t count = shape.m * shape.n;
  const Doubles middle(count), radius(count), sum(count);
  const Multiplier products(shape);
  products.multiply(a.middle.data(), b.middle.data(), middle.data(), false);
  products.multiply(a.magnitude.data(), b.magnitude.data(), sum.data(), false);
  if (b.has_radius) products.multiply(a.absolute.data(), b.radius.data(), radius.data(), false);
  if (a.has_radius) products.multiply(a.radius.data(), b.magnitude.data(), radius.data(), b.has_radius);
  if (!a.has_radius && !b.has_radius) std::fill_n(radius.data(), count, 0);
  const Format format = format_of(dot.kind);
  const double computed = static_cast<double>(4 * shape.k + 16) * 0x1p-53;  // by the products here
  constexpr double kTiny = 0x1p-80;
  for (std::int64_t i = 0; i < count; ++i) {
    const Interval start = c.at(first + i);
    const auto row = static_cast<std::size_t>(i / shape.n), column = static_cast<std::size_t>(i % shape.n);
    if (a.is_lost[row] || b.is_lost[column] || !start.is_finite() || start.is_nan()) {
      const CauseId known = start.is_unbounded() ? cause_of(start.low) : a.cause != 0 ? a.cause : b.cause;
      out.set(first + i, unbounded_interval(known != 0 ? known : dot.cause));
      continue;
    }
    const double all = sum.data()[i] + std::max(std::fabs(start.low), std::fabs(start.high));
    double error = radius.data()[i] + all * (dot.lost + computed);
    if (all < kTiny && all > 0) error += static_cast<double>(shape.k + 1) * 0x1p-126;
    if (all >= format.largest) {
      out.set(first + i, unbounded_interval(dot.cause));
      continue;
    }
    const double low = middle.data()[i] + start.low - error, high = middle.data()[i] + start.high + error;
    out.set(first + i, {round_to(format, low), round_to(format, high)});
  }
}

/// i8 products beyond i32 wrap or saturate, by the instruction (docs/semantics.md, "Targets").
bool may_overflow(EncloseContext& context, const ir::Op& op) {
  constexpr double kLargestProduct = 0x1p14, kLargest = 0x1p31;
  const BoundsRef start = context.bounds(*op.operand(2));
  double most = 0;
  for (std::int64_t i = 0; i < start->count(); ++i) {
    if (!start->at(i).is_point()) return true;
    most = std::max(most, std::fabs(start->low()[i]));
  }
  const auto length = static_cast<double>(shape_of(*op.operand(0)).back());
  return most + length * kLargestProduct >= kLargest;
}

}  // namespace

BoundsRef enclosed_product(EncloseContext& context, const ir::Op& op, const DotOperands& operands, const Bounds& start,
                           ScalarKind kind) {
  context.rely_on_model(op);  // S-71: the accumulator was measured; NVIDIA documents none
  const MatrixShape& shape = operands.shape;
  Dot dot;
  dot.shape = shape;
  dot.kind = context.is_real() && is_float(kind) ? ScalarKind::f64 : kind;
  dot.lost = accumulator_error(op, operands.kind, dot.kind, shape.k);
  dot.cause = context.cause(op);
  const std::int64_t precision =
      operands.kind == ScalarKind::f32 ? op.integer_attribute("inputPrecision", ieee) : std::int64_t{ieee};
  const auto made = std::make_shared<Bounds>(start.count());
  for (std::int64_t batch = 0; batch < operands.batches; ++batch) {
    const Side first = side_of(*operands.a, batch * shape.m * shape.k, shape.m, shape.k, true, precision);
    const Side second = side_of(*operands.b, batch * shape.k * shape.n, shape.k, shape.n, false, precision);
    enclose_matrix(dot, first, second, start, batch * shape.m * shape.n, *made);
  }
  return made;
}

bool enclose_matrices(EncloseContext& context, const ir::Op& op, const DotOperands& operands) {
  const ir::Value& result = *op.result(0);
  const BoundsRef start = context.rounded(*op.operand(2));
  context.set(result, enclosed_product(context, op, operands, *start, kind_of(result)));
  return true;
}

bool enclose_dot(EncloseContext& context, const ir::Op& op) {
  const ScalarKind operand = number_kind(context, *op.operand(0));
  if (!is_float(kind_of(*op.result(0)))) return !may_overflow(context, op) && context.keep_points(op);
  const std::vector<std::int64_t> left = shape_of(*op.operand(0)), right = shape_of(*op.operand(1));
  const std::size_t rank = left.size();
  return enclose_matrices(context, op,
                          {context.rounded(*op.operand(0)),
                           context.rounded(*op.operand(1)),
                           operand,
                           {left[rank - 2], right[rank - 1], left[rank - 1]},
                           rank == 3 ? left[0] : 1});
}

}  // namespace lockstep::enclosure
