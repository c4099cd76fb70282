#include "ir/interfaces/lane_movement.h"

#include <algorithm>
#include <array>
#include <vector>

#include "ir/op_def.h"

namespace lockstep::ir {

namespace {

constexpr std::size_t kMaxAxes = 32;  // as ir/text/parser.h reads
using Position = std::array<std::int64_t, kMaxAxes>;

void take_apart(std::int64_t lane, const std::vector<std::int64_t>& shape, Position& index) {
  for (std::size_t d = std::min<std::size_t>(shape.size(), kMaxAxes); d-- > 0;) {
    index[d] = lane % shape[d];
    lane /= shape[d];
  }
}

std::int64_t put_together(const Position& index, const std::vector<std::int64_t>& shape) {
  std::int64_t lane = 0;
  for (std::size_t d = 0; d < shape.size() && d < kMaxAxes; ++d) lane = lane * shape[d] + index[d];
  return lane;
}

std::int64_t before_broadcast(const Op& op, std::int64_t lane) {
  const auto &from = op.operand(0)->type().shape(), &to = op.result()->type().shape();
  Position index{};
  take_apart(lane, to, index);
  for (std::size_t d = 0; d < from.size() && d < kMaxAxes; ++d) {
    if (from[d] == 1) index[d] = 0;
  }
  return put_together(index, from);
}

std::int64_t before_transpose(const Op& op, std::int64_t lane) {
  const auto &from = op.operand(0)->type().shape(), &to = op.result()->type().shape();
  const Attribute order = op.attribute("order");
  Position index{}, source{};
  take_apart(lane, to, index);
  for (std::size_t d = 0; d < to.size() && d < kMaxAxes; ++d) {
    const auto axis =
        order && d < order->values.size() ? static_cast<std::size_t>(order->values[d]) : to.size() - 1 - d;
    if (axis < kMaxAxes) source[axis] = index[d];
  }
  return put_together(source, from);
}

}  // namespace

bool moves_lanes(Movement movement) { return movement != Movement::none && movement != Movement::gather; }

bool moves_lanes(const Op& op) { return moves_lanes(op.def().movement); }

bool keeps_lanes(const Op& op) {
  if (op.result_count() == 0 || op.operand_count() == 0 || !op.regions().empty()) return false;
  const OpDef& def = op.def();
  if (def.movement != Movement::none || def.combination != Combination::none || def.effects != Effects::pure)
    return false;
  const std::int64_t count = op.result()->type().element_count();
  return std::all_of(op.operands().begin(), op.operands().end(), [&](const Value* value) {
    return value->type().element_count() == count || !value->type().is_tensor();
  });
}

LaneSource lane_source(const Op& op, std::size_t result, std::int64_t lane) {
  switch (op.def().movement) {
    case Movement::splat: return {0, 0};
    case Movement::broadcast: return {0, before_broadcast(op, lane)};
    case Movement::transpose: return {0, before_transpose(op, lane)};
    case Movement::join: return {static_cast<std::size_t>(lane % 2), lane / 2};
    case Movement::split: return {0, 2 * lane + static_cast<std::int64_t>(result)};
    case Movement::concatenate: {
      const std::int64_t first = op.operand(0)->type().element_count();
      return lane < first ? LaneSource{0, lane} : LaneSource{1, lane - first};
    }
    default: return {0, lane};
  }
}

std::int64_t gathered_lane(const Op& gather, std::int64_t lane, std::int64_t index) {
  const auto &from = gather.operand(0)->type().shape(), &to = gather.result()->type().shape();
  const auto axis = static_cast<std::size_t>(gather.integer_attribute("axis", 0));
  Position position{};
  take_apart(lane, to, position);
  const std::int64_t wanted = index % from[axis];
  position[axis] = wanted < 0 ? wanted + from[axis] : wanted;
  return put_together(position, from);
}

// ---- dimensions ----

Dimensions own_dimensions(const Value& tile) {
  Dimensions made;
  for (std::size_t d = 0; tile.type().is_tensor() && d < tile.type().shape().size(); ++d)
    made.push_back(static_cast<int>(d));
  return made;
}

Dimensions dimensions_before(const Op& op, const Dimensions& dimensions) {
  const Type type = op.operand(0)->type();
  const std::size_t rank = type.is_tensor() ? type.shape().size() : 0;
  Dimensions made(rank, -1);
  switch (op.def().movement) {
    case Movement::broadcast: return dimensions;
    case Movement::expand_dims: {
      const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
      for (std::size_t d = 0; d < rank; ++d) made[d] = dimensions[d < axis ? d : d + 1];
      return made;
    }
    case Movement::transpose: {
      const Attribute order = op.attribute("order");
      for (std::size_t d = 0; order && d < rank && d < order->values.size(); ++d)
        made[static_cast<std::size_t>(order->values[d])] = dimensions[d];
      return made;
    }
    default: return made;
  }
}

}  // namespace lockstep::ir
