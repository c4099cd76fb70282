#include "enclosure/rules/enclosure_shape.h"

#include <algorithm>
#include <numeric>

#include "enclosure/enclose_context.h"
#include "enclosure/rules/region.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"

namespace lockstep::enclosure {

namespace {

using Extents = std::vector<std::int64_t>;

/// Row-major strides.
Extents strides_of(const Extents& shape) {
  Extents strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

/// result[i...] = from[sum(stride[d] * i_d)].
BoundsRef take_strided(const Bounds& from, const Extents& shape, const Extents& strides, std::int64_t first = 0) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  auto made = std::make_shared<Bounds>(count, from.shares_ends());
  made->is_unrounded = from.is_unrounded;
  const std::int64_t inner = shape.empty() ? 1 : shape.back(), inner_stride = strides.empty() ? 0 : strides.back();
  Extents index(shape.size(), 0);
  std::int64_t at = first;
  const double* in[] = {from.low(), from.high()};
  double* out[] = {made->low(), made->high()};
  const int arrays = from.shares_ends() ? 1 : 2;
  for (std::int64_t to = 0; to < count; to += inner) {
    for (int a = 0; a < arrays; ++a) {
      for (std::int64_t i = 0; i < inner; ++i) out[a][to + i] = in[a][at + i * inner_stride];
    }
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (d + 1 == shape.size()) continue;
      at += strides[d];
      if (++index[d] < shape[d]) break;
      at -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return made;
}

BoundsRef broadcast(const Bounds& from, const Extents& old_shape, const Extents& shape) {
  Extents strides = strides_of(old_shape);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (old_shape[d] == 1) strides[d] = 0;
  }
  return take_strided(from, shape, strides);
}

BoundsRef transpose(const Bounds& from, const Extents& old_shape, const Extents& shape, const Extents& order) {
  const Extents old_strides = strides_of(old_shape);
  Extents strides(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) strides[d] = old_strides[static_cast<std::size_t>(order[d])];
  return take_strided(from, shape, strides);
}

/// S-102: the compiler chooses the order, so that each place may hold any element.
bool shuffle(EncloseContext& context, const ir::Op& op) {
  Interval all = context.bounds(*op.operand(0))->at(0);
  bool is_unrounded = false;
  for (const ir::Value* value : op.operands()) {
    const BoundsRef from = context.bounds(*value);
    for (std::int64_t i = 0; i < from->count(); ++i) all = hull(all, from->at(i));
    is_unrounded = is_unrounded || from->is_unrounded;
  }
  const auto made = std::make_shared<Bounds>(count_of(*op.result(0)));
  for (std::int64_t i = 0; i < made->count(); ++i) made->set(i, all);
  made->is_unrounded = is_unrounded;
  context.set(*op.result(0), made);
  return true;
}

/// Two tiles, element after element.
BoundsRef interleave(const Bounds& a, const Bounds& b) {
  auto made = std::make_shared<Bounds>(a.count() + b.count());
  made->is_unrounded = a.is_unrounded || b.is_unrounded;
  for (std::int64_t i = 0; i < a.count(); ++i) {
    made->set(2 * i, a.at(i));
    made->set(2 * i + 1, b.at(i));
  }
  return made;
}

bool gather(EncloseContext& context, const ir::Op& op) {
  const ir::Value &source = *op.operand(0), &result = *op.result(0);
  if (!context.is_point(*op.operand(1))) return false;
  const BoundsRef from = context.bounds(source), index = context.bounds(*op.operand(1));
  auto made = std::make_shared<Bounds>(count_of(result));
  made->is_unrounded = from->is_unrounded;
  for (std::int64_t i = 0; i < made->count(); ++i)
    made->set(i, from->at(ir::gathered_lane(op, i, static_cast<std::int64_t>(index->low()[i]))));
  context.set(result, made);
  return true;
}

bool split(EncloseContext& context, const ir::Op& op) {
  const BoundsRef from = context.bounds(*op.operand(0));
  const std::int64_t half = from->count() / 2;
  for (const std::int64_t side : {0, 1})
    context.set(*op.result(static_cast<std::size_t>(side)), take_strided(*from, {half}, {2}, side));
  return true;
}

}  // namespace

namespace {

/// Whether the order in which Triton puts the elements can matter.
bool is_order_seen(const ir::Value& shuffled) {
  const auto& uses = shuffled.uses();
  return !std::all_of(uses.begin(), uses.end(), [](const ir::Use& use) { return is_order_free(*use.user); });
}

}  // namespace

bool enclose_shape(EncloseContext& context, const ir::Op& op) {
  const bool is_shuffled =
      ir::moves_as(op, ir::Movement::concatenate) || (op.attribute("allow_reorder") && is_order_seen(*op.result(0)));
  if (is_shuffled && count_of(*op.result(0)) > 1) return shuffle(context, op);
  if (context.keep_points(op)) return true;
  const ir::Value &source = *op.operand(0), &result = *op.result(0);
  switch (op.def().movement) {
    case ir::Movement::gather: return gather(context, op);
    case ir::Movement::split: return split(context, op);
    case ir::Movement::splat: {
      const BoundsRef from = context.bounds(source);
      context.set(result, take_strided(*from, shape_of(result), Extents(shape_of(result).size(), 0)));
      return true;
    }
    case ir::Movement::broadcast:
      context.set(result, broadcast(*context.bounds(source), shape_of(source), shape_of(result)));
      return true;
    case ir::Movement::transpose:
      context.set(result, transpose(*context.bounds(source), shape_of(source), shape_of(result),
                                    op.attribute("order")->values));
      return true;
    case ir::Movement::join: {
      const BoundsRef a = context.bounds(source), b = context.bounds(*op.operand(1));
      context.set(result, interleave(*a, *b));
      return true;
    }
    default: context.set(result, context.bounds(source)); return true;  // the same elements in the same order
  }
}

}  // namespace lockstep::enclosure
