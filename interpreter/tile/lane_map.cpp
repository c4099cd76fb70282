#include "interpreter/tile/lane_map.h"

#include <algorithm>
#include <array>

#include "interpreter/tile/tile.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

using ir::Opcode;

namespace {

using Position = std::array<std::int64_t, kMaxRank>;

void take_apart(std::int64_t lane, const std::vector<std::int64_t>& shape, Position& index) {
  for (std::size_t d = std::min<std::size_t>(shape.size(), kMaxRank); d-- > 0;) {
    index[d] = lane % shape[d];
    lane /= shape[d];
  }
}

std::int64_t put_together(const Position& index, const std::vector<std::int64_t>& shape) {
  std::int64_t lane = 0;
  for (std::size_t d = 0; d < shape.size() && d < kMaxRank; ++d) lane = lane * shape[d] + index[d];
  return lane;
}

std::int64_t before_broadcast(const ir::Op& op, std::int64_t lane) {
  const auto &from = op.operand(0)->type().shape(), &to = op.result()->type().shape();
  Position index{};
  take_apart(lane, to, index);
  for (std::size_t d = 0; d < from.size() && d < kMaxRank; ++d) {
    if (from[d] == 1) index[d] = 0;
  }
  return put_together(index, from);
}

std::int64_t before_trans(const ir::Op& op, std::int64_t lane) {
  const auto &from = op.operand(0)->type().shape(), &to = op.result()->type().shape();
  const ir::Attribute order = op.attribute("order");
  Position index{}, source{};
  take_apart(lane, to, index);
  for (std::size_t d = 0; d < to.size() && d < kMaxRank; ++d) {
    const auto axis =
        order && d < order->values.size() ? static_cast<std::size_t>(order->values[d]) : to.size() - 1 - d;
    if (axis < kMaxRank) source[axis] = index[d];
  }
  return put_together(source, from);
}

}  // namespace

bool moves_lanes(const ir::Op& op) {
  switch (op.def().opcode) {
    case Opcode::tt_splat:
    case Opcode::tt_unsplat:
    case Opcode::tt_broadcast:
    case Opcode::tt_expand_dims:
    case Opcode::tt_reshape:
    case Opcode::tt_trans:
    case Opcode::tt_join:
    case Opcode::tt_split:
    case Opcode::tt_cat: return true;
    default: return false;
  }
}

bool keeps_lanes(const ir::Op& op) {
  if (op.result_count() == 0 || op.operand_count() == 0 || !op.regions().empty()) return false;
  if (moves_lanes(op) || op.def().effects != ir::Effects::pure) return false;
  switch (op.def().opcode) {
    case Opcode::tt_dot:
    case Opcode::tt_dot_scaled:
    case Opcode::tt_gather:
    case Opcode::tt_histogram:
    case Opcode::tt_elementwise_inline_asm:
    case Opcode::tt_call: return false;
    default: break;
  }
  const std::int64_t count = op.result()->type().element_count();
  return std::all_of(op.operands().begin(), op.operands().end(), [&](const ir::Value* value) {
    return value->type().element_count() == count || !value->type().is_tensor();
  });
}

LaneSource lane_source(const ir::Op& op, std::size_t result, std::int64_t lane) {
  switch (op.def().opcode) {
    case Opcode::tt_splat: return {0, 0};
    case Opcode::tt_broadcast: return {0, before_broadcast(op, lane)};
    case Opcode::tt_trans: return {0, before_trans(op, lane)};
    case Opcode::tt_join: return {static_cast<std::size_t>(lane % 2), lane / 2};
    case Opcode::tt_split: return {0, 2 * lane + static_cast<std::int64_t>(result)};
    case Opcode::tt_cat: {
      const std::int64_t first = op.operand(0)->type().element_count();
      return lane < first ? LaneSource{0, lane} : LaneSource{1, lane - first};
    }
    default: return {0, lane};
  }
}

}  // namespace lockstep::interpreter
