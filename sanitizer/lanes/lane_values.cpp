#include "sanitizer/lanes/lane_values.h"

#include <cstring>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/core/ranges.h"

namespace lockstep::sanitizer {

using interpreter::Form;
using interpreter::Tile;

namespace {

template <typename Element>
void widen(const char* data, std::vector<std::int64_t>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    Element element;
    std::memcpy(&element, data + i * sizeof element, sizeof element);
    out[i] = static_cast<std::int64_t>(element);
  }
}

Range range_of_op(const ir::Op& op, const Range& a, const Range& b) {
  if (ir::is_integer_sum(op)) return sum_of(a, b);
  return ir::is_integer_difference(op) ? difference_of(a, b) : product_of(a, b);
}

}  // namespace

std::vector<std::int64_t> read_integers(Execution& run, const ir::Value& value) {
  std::vector<std::int64_t> lanes(static_cast<std::size_t>(run.count(value)));
  const ScalarKind kind = run.kind(value);
  if (run.tile(value).form == Form::uniform) {
    std::fill(lanes.begin(), lanes.end(), run.integer(value, 0));
    return lanes;
  }
  const char* data = run.elements(value);
  switch (size_bytes(kind)) {
    case 1: widen<std::int8_t>(data, lanes); break;
    case 2: widen<std::int16_t>(data, lanes); break;
    case 4: widen<std::int32_t>(data, lanes); break;
    default: widen<std::int64_t>(data, lanes); break;
  }
  if (kind == ScalarKind::i1) {
    for (std::int64_t& lane : lanes) lane = -(lane & 1);
  }
  return lanes;
}

std::optional<Range> quick_range(const Execution& run, const ir::Value& value) {
  const Tile& tile = run.tile(value);
  const ScalarKind kind = run.kind(value);
  if (tile.form == Form::uniform) {
    const Wide number = interpreter::sign_extend(kind, tile.base);
    return Range{number, number};
  }
  if (tile.form != Form::affine) return std::nullopt;
  Wide low = static_cast<std::int64_t>(tile.base), high = low;
  for (std::size_t d = 0; d < run.shape(value).size(); ++d) {
    const Wide span = static_cast<Wide>(tile.stride[d]) * (run.shape(value)[d] - 1);
    (span < 0 ? low : high) += span;
  }
  return Range{low, high};
}

const ir::Value* named_operand(const ir::Op& op, std::string_view name) {
  const auto& specs = op.def().operands;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].name == name) return op.operand_or_null(i);
  }
  return nullptr;
}

LaneMask::LaneMask(Execution& run) : run_(run), mask_(named_operand(run.op(), "mask")) {}

bool LaneMask::is_on(std::int64_t lane) {
  return mask_ == nullptr || (run_.bits(*mask_, run_.count(*mask_) == 1 ? 0 : lane) & 1) != 0;
}

bool is_wrapping_op(const ir::Op& op) {
  return ir::is_integer_sum(op) || ir::is_integer_difference(op) || ir::is_integer_product(op);
}

std::int64_t wrap(ScalarKind kind, Wide value) {
  return interpreter::sign_extend(kind, interpreter::truncate_bits(kind, static_cast<std::uint64_t>(value)));
}

Wide apply_wide(const ir::Op& op, Wide a, Wide b) {
  constexpr Wide kMost = (Wide{1} << 126) - 1 + (Wide{1} << 126);
  Wide exact = 0;
  switch (op.def().arithmetic) {
    case ir::Arithmetic::sum:
      if (!__builtin_add_overflow(a, b, &exact)) return exact;
      return a < 0 ? -kMost : kMost;
    case ir::Arithmetic::difference:
      if (!__builtin_sub_overflow(a, b, &exact)) return exact;
      return a < 0 ? -kMost : kMost;
    default:
      if (!__builtin_mul_overflow(a, b, &exact)) return exact;
      return (a < 0) != (b < 0) ? -kMost : kMost;
  }
}

std::optional<WrappedLane> find_wrapped(Execution& run) {
  const ir::Op& op = run.op();
  const ir::Value &left = *op.operand(0), &right = *op.operand(1);
  const ScalarKind kind = run.kind(left);
  const Range full = full_range(kind);
  const auto a = quick_range(run, left), b = quick_range(run, right);
  if (a && b && range_of_op(op, *a, *b).is_within(full)) return std::nullopt;
  const std::vector<std::int64_t> lefts = read_integers(run, left), rights = read_integers(run, right);
  std::optional<WrappedLane> found;
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    const Wide exact = apply_wide(op, lefts[i], rights[i]);
    if (full.contains(exact)) continue;
    if (!found) found = {static_cast<std::int64_t>(i), lefts[i], rights[i], exact, wrap(kind, exact), 0};
    ++found->lanes;
  }
  return found;
}

std::string equation_text(const ir::Op& op, const WrappedLane& lane) {
  const char* sign = ir::is_integer_sum(op)          ? " + "
                     : ir::is_integer_difference(op) ? " - "
                                                     : " * ";
  const auto operand = [](Wide value) { return value < 0 ? "(" + wide_text(value) + ")" : wide_text(value); };
  return wide_text(lane.a) + sign + operand(lane.b) + " = " + wide_text(lane.exact) + " wraps to " +
         std::to_string(lane.wrapped);
}

}  // namespace lockstep::sanitizer
