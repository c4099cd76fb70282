#include "backend_cuda/layout/layout_plan.h"

#include <algorithm>
#include <bit>

#include "backend_cuda/layout/dot_shape.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::backend_cuda {
namespace {

using ir::Opcode;

// The rank of layouts that an elementwise op may follow, if its operands disagree: the tensor core's accumulators
// first, then memory, then values spread over a larger tile.
constexpr int kPreliminaryRank = 0, kSpreadRank = 1, kAccessRank = 2, kDotRank = 3;
constexpr int kMaxPlanRounds = 32;

std::vector<int> last_first(std::size_t rank) {
  std::vector<int> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<int>(rank - 1 - i);
  return order;
}

bool is_source(const ir::Op& op) {  // a tile from nothing or from scalars
  const bool is_from_nothing = op.def().origin != ir::Origin::none && op.def().effects == ir::Effects::pure;
  return (is_from_nothing || ir::is_splat(op)) && op.result()->type().is_tensor();
}

bool is_impure(const ir::Op& op) {
  if (pack_of(op) > 1) return true;
  if (op.def().combination != ir::Combination::code) return false;
  return !op.regions().empty() || op.integer_attribute("pure", 0) == 0;
}

int axis_first_bit(ir::Type type, std::int64_t axis) {
  int bit = 0;
  for (std::size_t d = static_cast<std::size_t>(axis) + 1; d < type.shape().size(); ++d)
    bit += bits_of(type.shape()[d]);
  return bit;
}

bool points_to_block(const ir::Value* value) {
  return value->type().is_pointer() && value->type().pointee().is_tensor();
}

/// Which operand of a store to a block holds the tile.
std::size_t stored_operand(const ir::Op& op) {
  return op.def().access.place == ir::MemoryAccess::Place::rows ? 3 : 1;
}

ir::Type block_tile(const ir::Op& op) {
  return op.result_count() != 0 ? op.result()->type() : op.operand(stored_operand(op))->type();
}

/// The dimensions of a block pointer, fastest first, from its tt.make_tensor_ptr; empty if there is none.
std::vector<int> order_of_block(const ir::Value* pointer, int depth = 0) {
  constexpr int kMaxDepth = 16;
  const ir::Op* made = pointer->defining_op();
  if (depth > kMaxDepth) return {};
  if (made != nullptr && made->def().opcode == Opcode::tt_make_tensor_ptr) {
    const auto& order = made->attribute("order")->values;
    return {order.begin(), order.end()};
  }
  if (made != nullptr && made->def().opcode == Opcode::tt_advance) return order_of_block(made->operand(0), depth + 1);
  for (const ir::Value* from : incoming_values(pointer)) {
    const std::vector<int> order = order_of_block(from, depth + 1);
    if (!order.empty()) return order;
  }
  return {};
}

// Index bits of a scan's source: its axis fastest, so that whole runs of it lie in one thread, then in one warp.
std::vector<int> axis_first(std::size_t rank, std::int64_t axis) {
  std::vector<int> order{static_cast<int>(axis)};
  for (const int d : last_first(rank)) {
    if (d != axis) order.push_back(d);
  }
  return order;
}

}  // namespace

LayoutPlan::LayoutPlan(const ir::Op& function, const ir::AxisAnalysis& axes, const Target& target)
    : axes_(axes), target_(target) {
  if (function.region().empty()) return;
  gather_accesses(function.region());
  settle_homes(function.region());
  demand_roots(function.region());
}

LayoutId LayoutPlan::intern(const Layout& layout) {
  const auto found = std::find(layouts_.begin(), layouts_.end(), layout);
  if (found != layouts_.end()) return static_cast<LayoutId>(found - layouts_.begin());
  layouts_.push_back(layout);
  return layout_count() - 1;
}

std::optional<LayoutId> LayoutPlan::anchor(const ir::Value* value) const {
  const auto found = anchors_.find(value);
  if (found == anchors_.end()) return std::nullopt;
  const ir::Op* made = value->defining_op();
  if (made != nullptr && has_variants(*made)) return std::nullopt;
  return found->second.id;
}

std::vector<LayoutId> LayoutPlan::variants(const ir::Value* value) const {
  if (!value->type().is_tensor()) return {kScalar};
  std::vector<LayoutId> ids;
  if (const auto own = anchor(value)) ids.push_back(*own);
  const auto found = demanded_.find(value);
  if (found == demanded_.end()) return ids;
  for (const LayoutId id : found->second) {
    if (ids.empty() || id != ids.front()) ids.push_back(id);
  }
  return ids;
}

bool LayoutPlan::has_variants(const ir::Op& op) const {
  if (is_source(op) || shape_map(op, 0) || ir::moves_as(op, ir::Movement::split)) return true;
  if (!is_elementwise(op) || is_impure(op)) return false;
  return std::all_of(op.operands().begin(), op.operands().end(), [&](const ir::Value* operand) {
    return !operand->type().is_tensor() || !anchors_.contains(operand);
  });
}

// ---- accesses
// --------------------------------------------------------------------------------------------------------

// All accesses of one shape and order get the same layout, that of the widest.
void LayoutPlan::gather_accesses(const ir::Region& region) {
  for (const auto& block : region.blocks()) {
    for (const auto& op : block->ops()) {
      for (const auto& inner : op->regions()) gather_accesses(*inner);
      if (!is_pointer_access(*op) || !op->operand(0)->type().is_tensor()) continue;
      const ir::Value* pointers = op->operand(0);
      const std::vector<int> order = axes_.order_of(pointers);
      const auto kind = pointers->type().element().pointee().scalar_kind();
      const auto length =
          axes_.vector_length(pointers, nullptr, order.empty() ? 0 : order[0], kind ? size_bytes(*kind) : 1);
      std::int64_t& widest = per_thread_.try_emplace({pointers->type().shape(), order}, 1).first->second;
      widest = std::max(widest, length);
    }
  }
}

LayoutId LayoutPlan::access_layout(const ir::Op& op) {
  const ir::Value* pointers = op.operand(0);
  if (!pointers->type().is_tensor()) return kScalar;
  const std::vector<int> order = axes_.order_of(pointers);
  const std::int64_t share = std::max<std::int64_t>(pointers->type().element_count() / target_.threads(), 1);
  const std::int64_t widest = per_thread_.at({pointers->type().shape(), order});
  if (ir::is_pointer_store(op) && pointers->type().element_count() <= target_.threads()) {
    if (const auto own = anchor(op.operand(1))) return *own;  // too little to be worth an exchange
  }
  const int per_thread = static_cast<int>(std::min(share, widest));
  const auto own = target_.is_persistent && ir::is_pointer_store(op) ? anchor(op.operand(1)) : std::nullopt;
  const bool keeps_warps = own && std::count(layout(*own).warp.begin(), layout(*own).warp.end(), kReplicated) == 0;
  if (keeps_warps) return intern(blocked_layout(pointers->type().shape(), order, per_thread, layout(*own).warp));
  return intern(blocked_layout(pointers->type().shape(), order, per_thread, target_.warps));
}

// Vectors of 16 bytes; neighbouring threads take the rows of the block.
LayoutId LayoutPlan::block_layout(const ir::Op& op) {
  const ir::Type tile = block_tile(op);
  std::vector<int> order = points_to_block(op.operand(0)) ? order_of_block(op.operand(0)) : std::vector<int>();
  const std::vector<int> row_major = last_first(tile.shape().size());
  if (!std::is_permutation(order.begin(), order.end(), row_major.begin(), row_major.end())) order = row_major;
  const auto kind = tile.element().scalar_kind();
  const std::int64_t share = std::max<std::int64_t>(tile.element_count() / target_.threads(), 1);
  const std::int64_t vector = 16 / (kind ? size_bytes(*kind) : 8);
  return intern(blocked_layout(tile.shape(), order, static_cast<int>(std::min(share, vector)), target_.warps));
}

// One thread holds the neighbours of the last dimension that one application takes.
LayoutId LayoutPlan::packed_layout(const ir::Op& op) {
  const ir::Type type = op.result()->type();
  const auto pack = static_cast<std::uint64_t>(std::min(pack_of(op), type.element_count()));
  return intern(blocked_layout(type.shape(), last_first(type.shape().size()), static_cast<int>(std::bit_floor(pack)),
                               target_.warps));
}

LayoutId LayoutPlan::default_layout(ir::Type type) {
  const std::int64_t share = std::max<std::int64_t>(type.element_count() / target_.threads(), 1);
  return intern(blocked_layout(type.shape(), last_first(type.shape().size()),
                               static_cast<int>(std::min<std::int64_t>(share, 4)), target_.warps));
}

// ---- anchors
// -----------------------------------------------------------------------------------------------------------

void LayoutPlan::settle_homes(const ir::Region& region) {
  for (int round = 0; round < kMaxPlanRounds && visit_region(region); ++round) {
  }
}

bool LayoutPlan::set_anchor(const ir::Value* value, Anchor anchor) {
  const auto [place, is_new] = anchors_.try_emplace(value, anchor);
  if (is_new) return true;
  if (place->second.rank >= anchor.rank) return false;
  place->second = anchor;
  return true;
}

// A combined value takes over its source's layout, once the source has its own.
bool LayoutPlan::follow_source(const ir::Value* value, Anchor anchor) {
  const auto found = anchors_.find(value);
  if (found == anchors_.end() || found->second.id == anchor.id || found->second.rank > anchor.rank)
    return set_anchor(value, anchor);
  found->second = anchor;
  return true;
}

bool LayoutPlan::pass_home(const ir::Value* from, const ir::Value* to) {
  const auto found = anchors_.find(from);
  return found != anchors_.end() && to->type().is_tensor() && set_anchor(to, found->second);
}

bool LayoutPlan::visit_region(const ir::Region& region) {
  bool has_changed = false;
  for (const auto& block : region.blocks()) {
    for (const auto& argument : block->arguments()) {
      for (const ir::Value* from : incoming_values(argument.get())) has_changed |= pass_home(from, argument.get());
    }
    for (const auto& op : block->ops()) has_changed |= visit_op(*op);
  }
  return has_changed;
}

bool LayoutPlan::visit_op(const ir::Op& op) {
  bool has_changed = false;
  if (ir::is_structured(op)) {
    for (const auto& region : op.regions()) has_changed |= visit_region(*region);
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      for (const ir::Value* from : incoming_values(op.result(i))) has_changed |= pass_home(from, op.result(i));
    }
    return has_changed;
  }
  const auto anchor = op.result_count() == 0 ? std::nullopt : anchor_of_result(op);
  if (!anchor) return false;
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (!op.result(i)->type().is_tensor()) continue;
    has_changed |= is_combining(op) ? follow_source(op.result(i), *anchor) : set_anchor(op.result(i), *anchor);
  }
  return has_changed;
}

std::optional<LayoutPlan::Anchor> LayoutPlan::best_operand(const ir::Op& op) const {
  std::optional<Anchor> best;
  for (const ir::Value* operand : op.operands()) {
    const auto found = anchors_.find(operand);
    if (found != anchors_.end() && (!best || found->second.rank > best->rank)) best = found->second;
  }
  return best;
}

Layout LayoutPlan::forward(const ir::Op& op, const Layout& operand) const {
  if (ir::moves_as(op, ir::Movement::split)) return operand.without(0, 1);
  const ShapeMap map = *shape_map(op, 0);
  std::vector<int> target(static_cast<std::size_t>(std::max(operand.bits(), 1)), kReplicated);
  std::vector<int> fresh;
  for (std::size_t bit = 0; bit < map.bits.size(); ++bit) {
    if (map.bits[bit] == kReplicated) {
      fresh.push_back(static_cast<int>(bit));
    } else if (map.bits[bit] < static_cast<int>(target.size())) {
      target[static_cast<std::size_t>(map.bits[bit])] = static_cast<int>(bit);
    }
  }
  Layout layout = operand.mapped(target);
  std::size_t next = 0;
  for (auto* part : {&layout.lane, &layout.warp}) {
    for (int& bit : *part) {
      if (bit == kReplicated && next < fresh.size()) bit = fresh[next++];
    }
  }
  layout.reg.insert(layout.reg.end(), fresh.begin() + static_cast<std::ptrdiff_t>(next), fresh.end());
  return layout;
}

// The result follows the source; before the source has an anchor the choice is preliminary.
int LayoutPlan::rank_of_combined(const ir::Op& op) const {
  const auto best = best_operand(op);
  return best ? std::max(best->rank, kAccessRank) : kPreliminaryRank;
}

std::optional<LayoutPlan::Anchor> LayoutPlan::anchor_of_result(const ir::Op& op) {
  if (!op.result()->type().is_tensor()) return std::nullopt;
  if (is_source(op)) return std::nullopt;
  if (is_pointer_access(op)) return Anchor{access_layout(op), kAccessRank};
  if (is_block_access(op)) return Anchor{block_layout(op), kAccessRank};
  if (shape_map(op, 0) || ir::moves_as(op, ir::Movement::split)) {
    const auto best = best_operand(op);
    if (!best) return std::nullopt;
    const bool spreads = ir::moves_as(op, ir::Movement::broadcast);
    return Anchor{intern(forward(op, layout(best->id))), spreads ? kSpreadRank : best->rank};
  }
  if (pack_of(op) > 1) return Anchor{packed_layout(op), kAccessRank};
  if (is_elementwise(op)) {
    const auto best = best_operand(op);
    if (best || !is_impure(op)) return best;
    return Anchor{default_layout(op.result()->type()), kAccessRank};
  }
  switch (op.def().combination) {
    case ir::Combination::product:
    case ir::Combination::scaled_product: return Anchor{intern(dot_layout(op, target_)), kDotRank};
    case ir::Combination::reduction: {
      const ir::Type source = op.operand(0)->type();
      const std::int64_t axis = op.integer_attribute("axis", 0);
      const Layout sliced =
          layout(working_layout(op))
              .without(axis_first_bit(source, axis), bits_of(source.shape()[static_cast<std::size_t>(axis)]));
      return Anchor{intern(sliced), rank_of_combined(op)};
    }
    case ir::Combination::scan: return Anchor{working_layout(op), rank_of_combined(op)};
    default: return Anchor{default_layout(op.result()->type()), kAccessRank};
  }
}

LayoutId LayoutPlan::working_layout(const ir::Op& op) {
  if (is_pointer_access(op)) return access_layout(op);
  if (is_block_access(op)) return block_layout(op);
  if (ir::is_reduction(op)) {
    const auto best = best_operand(op);
    return best ? best->id : default_layout(op.operand(0)->type());
  }
  if (ir::is_scan(op)) {
    const ir::Type type = op.operand(0)->type();
    const std::int64_t axis = op.integer_attribute("axis", 0);
    const std::int64_t share = std::max<std::int64_t>(type.element_count() / target_.threads(), 1);
    const std::int64_t along = type.shape()[static_cast<std::size_t>(axis)];
    return intern(blocked_layout(type.shape(), axis_first(type.shape().size(), axis),
                                 static_cast<int>(std::min(share, along)), target_.warps));
  }
  if (op.result_count() != 0 && op.result()->type().is_tensor()) {
    if (const auto own = anchor(op.result())) return *own;
    return default_layout(op.result()->type());
  }
  if (op.operand_count() != 0 && op.operand(0)->type().is_tensor()) {
    const auto own = anchor(op.operand(0));
    return own ? *own : default_layout(op.operand(0)->type());
  }
  return kScalar;
}

// ---- variants
// --------------------------------------------------------------------------------------------------------

LayoutId LayoutPlan::operand_layout(const ir::Op& op, std::size_t i, LayoutId variant) {
  const ir::Type type = op.operand(i)->type();
  if (!type.is_tensor()) return kScalar;
  if (const auto map = shape_map(op, i)) return intern(layout(variant).mapped(map->bits));
  if (ir::moves_as(op, ir::Movement::split)) {
    Layout source = layout(variant);
    for (auto* part : {&source.reg, &source.lane, &source.warp}) {
      for (int& bit : *part) bit += bit == kReplicated ? 0 : 1;
    }
    source.reg.insert(source.reg.begin(), 0);
    return intern(source);
  }
  if (op.def().combination == ir::Combination::counts && i == 1) return operand_layout(op, 0, variant);
  const bool prints = ir::is_print(op);
  if (is_block_access(op) || prints) {
    if (!prints && op.result_count() == 0 && i == stored_operand(op)) return variant;
    const auto own = anchor(op.operand(i));
    return own ? *own : default_layout(type);
  }
  const ir::Type result = op.result_count() != 0 ? op.result()->type() : type;
  const bool follows = is_elementwise(op) || is_pointer_access(op) || ir::folds_lines(op);
  if (follows || (ir::multiplies_matrices(op) && i == 2)) return variant;
  if (ir::is_gather(op) && i == 1) return variant;
  const auto own = anchor(op.operand(i));
  if (own && ir::is_matrix_product(op) && i == 0) {
    const DotShape shape = dot_shape(op, target_);
    if (keeps_a_in_registers(op, shape, layout(*own), target_.warps)) {
      return intern(a_fragment_layout(shape, target_.warps));
    }
  }
  if (own) return *own;
  return type == result && variant != kScalar ? variant : default_layout(type);
}

void LayoutPlan::demand(const ir::Value* value, LayoutId id) {
  if (id == kScalar) return;
  std::vector<LayoutId>& ids = demanded_[value];
  if (std::find(ids.begin(), ids.end(), id) != ids.end()) return;
  ids.push_back(id);
  const auto own = anchor(value);
  if (own && *own != id) return demand(value, *own);
  if (own) return demand_incoming(value, id);
  const ir::Op* made = value->defining_op();
  if (made != nullptr && has_variants(*made)) {
    for (std::size_t i = 0; i < made->result_count(); ++i) demand(made->result(i), id);
    demand_operands(*made, id);
  } else {
    demand_incoming(value, id);
  }
}

void LayoutPlan::demand_incoming(const ir::Value* value, LayoutId id) {
  for (const ir::Value* from : incoming_values(value)) demand(from, id);
  const ir::Op* made = value->defining_op();
  if (made == nullptr || !ir::is_open_loop(*made)) return;
  // A loop's body receives the same values that the loop returns.
  demand(made->region(1).front().argument(value->index()), id);
}

void LayoutPlan::demand_operands(const ir::Op& op, LayoutId variant) {
  for (std::size_t i = 0; i < op.operand_count(); ++i) demand(op.operand(i), operand_layout(op, i, variant));
}

void LayoutPlan::demand_roots(const ir::Region& region) {
  for (const auto& block : region.blocks()) {
    for (const auto& argument : block->arguments()) {
      if (const auto own = anchor(argument.get())) demand(argument.get(), *own);
    }
    for (const auto& op : block->ops()) {
      for (const auto& inner : op->regions()) {
        if (!is_combining(*op)) demand_roots(*inner);
      }
      if (op->def().effects == ir::Effects::control || has_variants(*op)) continue;
      for (std::size_t i = 0; i < op->result_count(); ++i) {
        if (const auto own = anchor(op->result(i))) demand(op->result(i), *own);
      }
      if (op->regions().empty() || is_combining(*op)) demand_operands(*op, working_layout(*op));
    }
  }
}

}  // namespace lockstep::backend_cuda
