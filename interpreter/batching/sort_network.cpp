#include "interpreter/batching/sort_network.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/launch/machine.h"
#include "interpreter/plan/plan_writer.h"
#include "interpreter/tile/dense.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

namespace {

using OpTest = bool (*)(const ir::Op&);

const ir::Op* made_by(const ir::Value* value, OpTest test) {
  const ir::Op* op = value->defining_op();
  return op != nullptr && test(*op) ? op : nullptr;
}

bool is_cast_of_bits(const ir::Op& op) { return op.def().arithmetic == ir::Arithmetic::reinterpretation; }
bool is_parity(const ir::Op& op) { return op.def().arithmetic == ir::Arithmetic::parity; }
bool is_broadcast(const ir::Op& op) { return ir::moves_as(op, ir::Movement::broadcast); }
bool is_expansion(const ir::Op& op) { return ir::moves_as(op, ir::Movement::expand_dims); }

// ---- indicators: integer tiles that are known when the kernel is planned ----

/// Values of a tile, stored for one index along dimensions in which it does not vary.
struct Known {
  std::vector<std::int64_t> shape, stored;
  std::vector<std::int64_t> values;

  std::int64_t at(const std::vector<std::int64_t>& index) const {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < stored.size(); ++d) flat = flat * stored[d] + (stored[d] == 1 ? 0 : index[d]);
    return values[static_cast<std::size_t>(flat)];
  }
};

constexpr int kMaxStages = 32;
constexpr std::int64_t kMaxValues = 64;
std::optional<Known> known(const ir::Value* value, int depth = 0);

std::optional<Known> one_value(std::int64_t value, const std::vector<std::int64_t>& shape) {
  return Known{shape, std::vector<std::int64_t>(shape.size(), 1), {value}};
}

std::optional<Known> known_constant(const ir::Op& op) {
  const ir::Attribute value = op.attribute("value");
  const auto& shape = op.result(0)->type().shape();
  if (!value) return std::nullopt;
  if (value.is_integer()) return one_value(value->integer, shape);
  if (!value.is_dense() || !value->is_splat || value->data.size() != sizeof(std::int32_t)) return std::nullopt;
  std::int32_t element = 0;
  std::memcpy(&element, value->data.data(), sizeof element);
  return one_value(element, shape);
}

std::optional<Known> known_range(const ir::Op& op) {
  const std::int64_t first = op.integer_attribute("start", 0), end = op.integer_attribute("end", 0);
  if (end <= first || end - first > kMaxValues) return std::nullopt;
  Known range{{end - first}, {end - first}, {}};
  for (std::int64_t i = first; i < end; ++i) range.values.push_back(i);
  return range;
}

std::optional<Known> known_xor(const Known& a, const Known& b) {
  if (a.shape != b.shape) return std::nullopt;
  Known out{a.shape, {}, {}};
  std::int64_t count = 1;
  for (std::size_t d = 0; d < a.shape.size(); ++d) {
    out.stored.push_back(std::max(a.stored[d], b.stored[d]));
    count *= out.stored.back();
    if (count > kMaxValues) return std::nullopt;
  }
  std::vector<std::int64_t> index(a.shape.size());
  for (std::int64_t flat = 0; flat < count; ++flat) {
    std::int64_t rest = flat;
    for (std::size_t d = index.size(); d-- > 0; rest /= out.stored[d]) index[d] = rest % out.stored[d];
    out.values.push_back(a.at(index) ^ b.at(index));
  }
  return out;
}

std::optional<Known> known_in_shape(const ir::Op& op, Known from) {
  const auto& shape = op.result(0)->type().shape();
  switch (op.def().movement) {
    case ir::Movement::broadcast: from.shape = shape; return from;
    case ir::Movement::splat: return one_value(from.values[0], shape);
    case ir::Movement::expand_dims: {
      const auto axis = op.integer_attribute("axis", 0);
      if (axis < 0 || axis > static_cast<std::int64_t>(from.stored.size())) return std::nullopt;
      from.stored.insert(from.stored.begin() + axis, 1);
      from.shape = shape;
      return from;
    }
    default:  // a reshape
      if (from.values.size() == 1) return one_value(from.values[0], shape);
      if (from.stored != from.shape) return std::nullopt;
      return Known{shape, shape, from.values};
  }
}

std::optional<Known> known(const ir::Value* value, int depth) {
  const ir::Op* op = value->defining_op();
  if (op == nullptr || depth > kMaxStages || value->type().element().scalar_kind() != ScalarKind::i32)
    return std::nullopt;
  if (ir::is_constant(*op)) return known_constant(*op);
  if (ir::is_range(*op)) return known_range(*op);
  if (ir::computes(*op, ir::Arithmetic::parity, ir::Numbers::integers)) {
    const auto a = known(op->operand(0), depth + 1), b = known(op->operand(1), depth + 1);
    return a && b ? known_xor(*a, *b) : std::nullopt;
  }
  switch (op->def().movement) {
    case ir::Movement::broadcast:
    case ir::Movement::splat:
    case ir::Movement::expand_dims:
    case ir::Movement::reshape: {
      auto from = known(op->operand(0), depth + 1);
      return from ? known_in_shape(*op, std::move(*from)) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

/// The order of an indicator that is the index along the axis, inverted or not by one dimension before it.
std::optional<kernels::ExchangeOrder> order_of(const Known& indicator, std::size_t axis) {
  if (axis >= indicator.stored.size() || indicator.stored[axis] != 2) return std::nullopt;
  std::optional<std::size_t> flip;
  for (std::size_t d = 0; d < indicator.stored.size(); ++d) {
    if (d == axis || indicator.stored[d] == 1) continue;
    if (d > axis || flip || indicator.stored[d] != 2) return std::nullopt;
    flip = d;
  }
  std::vector<std::int64_t> index(indicator.stored.size());
  std::array<bool, 2> flips{};
  for (std::int64_t i = 0; i < 2; ++i) {
    if (flip) index[*flip] = i;
    index[axis] = 0;
    const std::int64_t low = indicator.at(index);
    index[axis] = 1;
    if (low < 0 || low > 1 || indicator.at(index) != 1 - low) return std::nullopt;
    flips[static_cast<std::size_t>(i)] = low == 1;
  }
  const auto stride_of = [&](std::size_t d) {
    std::int64_t stride = 1;
    for (std::size_t e = d + 1; e < indicator.shape.size(); ++e) stride *= indicator.shape[e];
    return stride;
  };
  kernels::ExchangeOrder order;
  order.inner = stride_of(axis);
  order.is_flipped = flips[0];
  order.flip_block = flip && flips[0] != flips[1] ? stride_of(*flip) : 0;
  if (!std::has_single_bit(static_cast<std::uint64_t>(order.inner))) return std::nullopt;
  if (order.flip_block != 0 && !std::has_single_bit(static_cast<std::uint64_t>(order.flip_block))) return std::nullopt;
  return order;
}

// ---- steps ----

bool is_xor_of_arguments(const ir::Region& region) {
  if (region.empty()) return false;
  const ir::Block& block = region.front();
  if (block.ops().size() != 2 || block.arguments().size() != 2) return false;
  const ir::Op &combine = *block.ops().front(), &end = *block.ops().back();
  const ir::Value *a = block.argument(0), *b = block.argument(1);
  return ir::computes(combine, ir::Arithmetic::parity, ir::Numbers::integers) && end.operand_count() == 1 &&
         end.operand(0) == combine.result(0) &&
         ((combine.operand(0) == a && combine.operand(1) == b) || (combine.operand(0) == b && combine.operand(1) == a));
}

/// The ops of one step, from its select backwards. A null op has not been found.
struct Exchange {
  std::vector<const ir::Op*> ops;  // without the select
  const ir::Value* tile = nullptr;
  const ir::Value* indicator = nullptr;
  std::size_t axis = 0;
  bool is_unsigned = false;

  const ir::Op* take(const ir::Value* value, OpTest test) {
    const ir::Op* op = made_by(value, test);
    if (op != nullptr) ops.push_back(op);
    return op;
  }
  /// partner = tile ^ broadcast(xor of the pair).
  bool find_partner(const ir::Value* partner) {
    const bool is_float = lockstep::is_float(tile->type().element().scalar_kind().value_or(ScalarKind::i32));
    if (is_float) {
      const ir::Op* cast = take(partner, is_cast_of_bits);
      if (cast == nullptr) return false;
      partner = cast->operand(0);
    }
    const ir::Op* other = take(partner, is_parity);
    if (other == nullptr) return false;
    const ir::Value* bits = other->operand(0);
    if (is_float) {
      const ir::Op* cast = take(bits, is_cast_of_bits);
      if (cast == nullptr || cast->operand(0) != tile) return false;
    } else if (bits != tile) {
      return false;
    }
    const ir::Op* spread = take(other->operand(1), is_broadcast);
    const ir::Op* expanded = spread != nullptr ? take(spread->operand(0), is_expansion) : nullptr;
    const ir::Op* pair = expanded != nullptr ? take(expanded->operand(0), ir::is_reduction) : nullptr;
    if (pair == nullptr || pair->operand_count() != 1 || pair->operand(0) != bits) return false;
    const auto along = pair->integer_attribute("axis", -1);
    axis = static_cast<std::size_t>(along);
    const auto& shape = tile->type().shape();
    return along >= 0 && axis < shape.size() && shape[axis] == 2 && expanded->integer_attribute("axis", -1) == along &&
           is_xor_of_arguments(pair->region());
  }
  /// condition = (tile > partner) != indicator.
  bool find_condition(const ir::Value* condition, const ir::Value* partner) {
    const ir::Op* differs = take(condition, ir::is_integer_comparison);
    if (differs == nullptr ||
        differs->integer_attribute("predicate", -1) != static_cast<std::int64_t>(kernels::CompareInt::ne))
      return false;
    indicator = differs->operand(1);
    const ir::Op* widened = take(differs->operand(0), ir::extends_without_sign);
    if (widened == nullptr) return false;
    const ir::Op* compared = take(widened->operand(0), ir::is_float_comparison);
    const bool is_real = compared != nullptr;
    if (!is_real) compared = take(widened->operand(0), ir::is_integer_comparison);
    if (compared == nullptr || compared->operand(0) != tile || compared->operand(1) != partner) return false;
    const auto predicate = compared->integer_attribute("predicate", -1);
    if (is_real) return predicate == static_cast<std::int64_t>(kernels::CompareFloat::ogt);
    is_unsigned = predicate == static_cast<std::int64_t>(kernels::CompareInt::ugt);
    return is_unsigned || predicate == static_cast<std::int64_t>(kernels::CompareInt::sgt);
  }
  /// Only these ops use the values in between.
  bool is_closed(const ir::Op& select) const {
    return std::all_of(ops.begin(), ops.end(), [&](const ir::Op* op) {
      const auto& uses = op->result(0)->uses();
      return op->block() == select.block() && std::all_of(uses.begin(), uses.end(), [&](const ir::Use& use) {
               return use.user == &select || std::find(ops.begin(), ops.end(), use.user) != ops.end();
             });
    });
  }
};

const ExchangeMatch& match_of(const Step& step) { return *static_cast<const ExchangeMatch*>(step.record); }

const Step* step_exchange(Machine& machine, const Step* step);

/// The last of the steps from this one on that each take what the one before gives, and alone.
const Step* last_of_run(const Step* step) {
  const Step* last = step;
  while (last[1].run == step_exchange && last[1].operand[0] == last->result && last[1].dies != 0 &&
         match_of(last[1]).run == match_of(*step).run)
    ++last;
  return last;
}

/// Elements that no step of the run exchanges with others or orders otherwise than those of the next block.
std::int64_t block_of_run(const Step* step, const Step* last, std::int64_t count) {
  constexpr std::int64_t kInCache = 1024;
  std::int64_t block = kInCache;
  for (const Step* s = step; s <= last; ++s)
    block = std::max({block, 2 * match_of(*s).order.inner, 2 * match_of(*s).order.flip_block});
  return std::min(block, count);
}

/// The step and those of its run, block by block.
const Step* step_exchange(Machine& machine, const Step* step) {
  Tile in = make_contiguous(machine, machine.slots[step->operand[0]], *step->type);
  if (step->dies != 0) machine.release_dead(*step);
  const bool in_place = in.buffer != nullptr && in.buffer->references == 1;
  const Tile out = in_place ? in : machine.allocate(*step->type);
  const Step* last = last_of_run(step);
  const std::int64_t count = step->type->count, block = block_of_run(step, last, count);
  const std::int64_t bytes = step->type->element_bytes;
  for (std::int64_t begin = 0; begin < count; begin += block) {
    char* to = out.data() + begin * bytes;
    const std::int64_t n = std::min(block, count - begin);
    match_of(*step).run(to, in.data() + begin * bytes, n, match_of(*step).order);
    for (const Step* s = step + 1; s <= last; ++s) match_of(*s).run(to, to, n, match_of(*s).order);
  }
  if (!in_place) machine.pool.release(in);
  machine.set(last->result, out);
  return last + 1;
}

}  // namespace

void SortNetworks::find(const ir::Block& block) {
  for (const auto& op : block.ops()) {
    if (!ir::is_selection(*op)) continue;
    Exchange exchange;
    exchange.tile = op->operand(2);
    if (!exchange.find_partner(op->operand(1)) || !exchange.find_condition(op->operand(0), op->operand(1)) ||
        !exchange.is_closed(*op))
      continue;
    const auto indicator = known(exchange.indicator);
    const auto kind = exchange.tile->type().element().scalar_kind();
    if (!indicator || indicator->shape != exchange.tile->type().shape() || !kind) continue;
    const auto order = order_of(*indicator, exchange.axis);
    const auto run = kernels::compare_exchange(*kind, exchange.is_unsigned);
    if (!order || run == nullptr) continue;
    matches_.emplace(op.get(), ExchangeMatch{exchange.tile, *order, run});
    absorbed_.insert(exchange.ops.begin(), exchange.ops.end());
    const ir::Op* spread = made_by(exchange.indicator, is_broadcast);
    if (spread != nullptr && spread->block() == &block && exchange.indicator->uses().size() == 1)
      absorbed_.insert(spread);
  }
}

bool plan_exchange(PlanWriter& writer, const ir::Op& select, const ExchangeMatch& match) {
  const Slot from = writer.slot_of(match.tile), to = writer.result(select);
  if (from == kNoSlot || to == kNoSlot) return false;
  Step& step = writer.append_bare(step_exchange, select);
  step.operand[0] = from;
  step.operand_count = 1;
  step.dies = writer.dies_at(match.tile, select) ? 1 : 0;
  step.result = to;
  step.type = writer.type(to);
  step.record = writer.record(match);
  return true;
}

bool is_exchange(const Step& step) { return step.run == step_exchange; }

}  // namespace lockstep::interpreter
